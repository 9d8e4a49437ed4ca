#!/usr/bin/env bash
# bout-meter bot and link: equal bytes on every run, and equal behaviour whether
# the library's code was precompiled or is generated anew (--whole).
cd "$(dirname "$0")/../.." && . tests/tap.sh && . tests/meter/meter.sh

play() { # BOT NAME: verdict, count and output
    local input=tests/meter/programs/$2.in
    [ -f "$input" ] || input=/dev/null
    timeout 60 "$BUILD/bout" count "$1" --input "$input" --json |
        jq -c '[.verdict, .instructions, .stdout]'
}

for source in tests/meter/programs/*.c; do
    name=$(basename "$source" .c)
    a=$scratch/$name.a
    w=$scratch/$name.w
    mkdir -p "$a" "$w"
    compile "$source" "$a/in.bc"
    ok "$name is charged" charge "$a" "$a/in.bc"
    ok "$name is linked" link "$a"
    ok "$name passes the scan" "$meter" scan \
        --runtime "$library/runtime.x86_64.o" "$a/bot.x86_64"

    # The same again, elsewhere, at other addresses of the meter itself.
    b=$scratch/again/$name
    mkdir -p "$b"
    setarch -R "$meter" bot --library "$library" --out "$b" "$a/in.bc" \
        >/dev/null
    setarch -R "$meter" link --library "$library" --target x86_64 \
        --out "$b" "$b/module.bc"
    for file in module.bc module.hash blocks.json layout.json bot.x86_64.o \
        syms.x86_64.ld; do
        ok "$name: $file is equal in a second run" cmp "$a/$file" "$b/$file"
    done

    cp "$a/module.bc" "$w/"
    ok "$name is linked whole" link "$w" --whole
    ok "$name: --whole lays out the same" cmp "$a/layout.json" "$w/layout.json"
    pack "$a" "$source" "$scratch/a.bot"
    pack "$w" "$source" "$scratch/w.bot"
    is "$name: --whole counts and prints the same" \
        "$(play "$scratch/a.bot" "$name")" "$(play "$scratch/w.bot" "$name")"

    # And as the same program natively.
    gcc -w -O1 -ffp-contract=off "$source" -o "$scratch/native" -lm
    input=tests/meter/programs/$name.in
    [ -f "$input" ] || input=/dev/null
    is "$name prints what it prints natively" \
        "$("$scratch/native" <"$input")" \
        "$(play "$scratch/a.bot" "$name" | jq -r '.[2]')"
done
# A native frame larger than the native stack has room for: the linear stack
# would not be used up first. Harmless where the function cannot call itself.
spill() { # HOW IT ENDS: a program that keeps 1,500 values at once
    echo 'unsigned long in[1500], out[1500];'
    echo '__attribute__((noinline)) unsigned long spill(unsigned long x) {'
    for i in $(seq 0 1499); do echo "unsigned long v$i = in[$i] * x + $i;"; done
    echo 'for (int k = 0; k < 3; k++) { in[k] = x;'
    for i in $(seq 0 1499); do echo "v$i ^= v$(((i * 7 + 3) % 1500)) * x;"; done
    echo '}'
    for i in $(seq 0 1499); do echo "out[$i] = v$i;"; done
    echo "$1 }"
    echo 'int main(void) { return spill(7) & 1; }'
}
mkdir "$scratch/spill"
spill 'return v5;' >"$scratch/spill.c"
compile "$scratch/spill.c" "$scratch/spill/in.bc"
charge "$scratch/spill" "$scratch/spill/in.bc" >"$scratch/said"
ok "a large frame is fine where it is there once" link "$scratch/spill"
spill 'return in[9] > 5 ? spill(x + 1) * 3 + v5 : v5;' >"$scratch/spill.c"
compile "$scratch/spill.c" "$scratch/spill/in.bc"
charge "$scratch/spill" "$scratch/spill/in.bc" >"$scratch/said"
said=$("$meter" link --library "$library" --target x86_64 \
    --out "$scratch/spill" "$scratch/spill/module.bc")
is "one that calls itself is refused" 1 $?
like "and told what to do" 'spill works on too many values.*split it' \
    "$(jq -r '.diagnostics[].message' <<<"$said")"
tap_done
