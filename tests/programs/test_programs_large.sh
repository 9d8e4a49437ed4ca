#!/usr/bin/env bash
# Programs that a generator writes: switches of very many cases. They build in
# reasonable time, and do what they do natively, counted equally on both targets.
cd "$(dirname "$0")/../.." && . tests/tap.sh
mkdir "$scratch/programs"

# KIND: scattered values of all 64 bits, dense ones, or `few`, scattered ones
# that lead to five blocks where values meet. Every case is tried, and a value
# beside each.
switch() # NAME KIND CASES
{
    awk -v name="$1" -v kind="$2" -v cases="$3" '
    function value(i) {
        if (kind == "dense")
            return i - 100
        return sprintf("%.0fLL", (i * 7919 % 65537 - 30000) * 140000000000 + i)
    }
    BEGIN {
        print "#include <stdio.h>\n"
        print "static unsigned " name "(long long x, unsigned a)\n{"
        print "    unsigned r = a;\n    switch (x) {"
        for (i = 0; i < cases; i++)
            if (kind == "few")
                printf "    case %s: r = %u; goto l%d;\n", value(i),
                    i * 31 % 1000, i % 5
            else
                printf "    case %s: r ^= %uu; break;\n", value(i), i * 40503
        print "    default: r = 7;\n    }"
        for (i = 0; kind == "few" && i < 5; i++)
            printf "l%d: r = r * %d + a;\n    if (r %% %d) return r + 1;\n",
                i, i + 3, i + 2
        print "    return r;\n}\n\nint main(void)\n{"
        print "    static const long long v[] = {"
        for (i = 0; i < cases; i++)
            print "        " value(i) ","
        print "    };\n    unsigned s = 0;"
        print "    for (unsigned i = 0; i < sizeof v / sizeof *v; i++)"
        print "        s = s * 31 + " name "(v[i], s) + " name "(v[i] + 1, s);"
        print "    printf(\"%u\\n\", s);\n}"
    }' >"$scratch/programs/$1.c"
}

switch huge scattered 10000
switch dense dense 1500
switch few few 1500
switch at_most scattered 256
switch one_more scattered 257
while read -r name verdict; do
    [ "$verdict" = ok ]
    tap_report $? "a program of the kind $name does what it does natively" \
        "$verdict"
done < <(PROGRAM_SECONDS=300 timeout 580 tests/programs/run "$scratch/programs")
is "every program was tried" 5 "$tap_count"
tap_done
