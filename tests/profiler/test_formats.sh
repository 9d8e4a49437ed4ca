#!/usr/bin/env bash
# A turn's profile in every format, read back by tools that are not ours; the
# sum in each is the stored count.
cd "$(dirname "$0")/../.." && . tests/tap.sh && . tests/npm.sh

cat >"$scratch/work.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
__attribute__((noinline)) static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
int main(void)
{
    int n, v[100];
    while (scanf("%d", &n) == 1) {
        for (int i = 0; i < 100; i++)
            v[i] = i * 7919 % 101;
        qsort(v, 100, sizeof *v, by_value);
        printf("%d %d\n", fib(n), v[3]);
    }
}
C
echo 15 >"$scratch/input"
"$bout" build "$scratch/work.c" -o "$scratch/work.bot" 2>/dev/null
"$bout" count "$scratch/work.bot" --input "$scratch/input" --json \
    >"$scratch/count.json" 2>/dev/null
total=$(jq .instructions "$scratch/count.json")
turn1=$(jq '.turns[] | select(.turn == 1) | .instructions' "$scratch/count.json")

profile() { # FORMAT FILE [OPTION...]
    timeout 60 "$bout" profile "$scratch/work.bot" --input "$scratch/input" \
        --format "$1" -o "$scratch/$2" "${@:3}"
}
for format in csv callgrind pprof folded speedscope trace lcov; do
    ok "$format is written" profile $format work.$format
done
fib=$(awk -F, '$3 == "\"fib\"" { sum += $NF } END { print sum }' "$scratch/work.csv")
line9=$(awk -F, '$3 == "\"fib\"" && $5 == 9 { sum += $NF } END { print sum }' "$scratch/work.csv")
commas() { # NUMBER
    sed -E ':a;s/^([0-9]+)([0-9]{3})/\1,\2/;ta' <<<"$1"
}

# ---- callgrind: valgrind's callgrind_annotate --------------------------------
annotated() { # FILE OPTION...
    callgrind_annotate --auto=no --threshold=100 "$@" | tr -d ,
}
text=$(annotated "$scratch/work.callgrind")
is "callgrind_annotate: the total is the count" "$total" \
    "$(awk '/PROGRAM TOTALS/ { print $1 }' <<<"$text")"
is "callgrind_annotate: the functions add up to the count" "$total" \
    "$(awk '/file:function/ { on = 1 } on && $1 ~ /^[0-9]+$/ { sum += $1 } END { print sum }' <<<"$text")"
text=$(annotated "$scratch/work.callgrind" --inclusive=yes)
is "callgrind_annotate: recursion does not cost twice" "$fib" \
    "$(awk '/work.c:fib/ { print $1 }' <<<"$text")"
is "callgrind_annotate: no function costs more than the whole" 1 \
    "$(awk -v most="$total" '/file:function/ { on = 1 } on && $1 ~ /^[0-9]+$/ && $1 > most { bad = 1 } END { print !bad }' <<<"$text")"
sort=$(awk '/:qsort/ { print $1 }' <<<"$text")
own=$(awk -F, '$3 ~ /sort/ || $3 ~ /by_value/ { sum += $NF } END { print sum }' "$scratch/work.csv")
is "callgrind_annotate: a call through a pointer is its caller's" "$own" "$sort"
profile callgrind one.callgrind --turn 1
is "callgrind_annotate: one turn's total is that turn's count" "$turn1" \
    "$(annotated "$scratch/one.callgrind" | awk '/PROGRAM TOTALS/ { print $1 }')"

# ---- pprof: go's ---------------------------------------------------------------
pprof_total() { # OPTION...
    PPROF_TMPDIR=$scratch go tool pprof -top -nodefraction=0 "$@" "$scratch/work.pprof" 2>/dev/null |
        awk '/^Showing nodes/ { for (i = 1; i < NF; i++) if ($i == "accounting") { sub(",", "", $(i + 2)); print $(i + 2) } }
             on && $1 ~ /^[0-9]+$/ { sum += $1 } /flat%/ { on = 1 } END { print sum }' | sort -u
}
is "go tool pprof: the sum is the count" "$total" "$(pprof_total)"
is "go tool pprof: a label keeps one turn" "$turn1" "$(pprof_total -tagfocus turn=1:1)"
is "go tool pprof: a function costs what it does elsewhere" "$fib" \
    "$(go tool pprof -top -nodefraction=0 "$scratch/work.pprof" 2>/dev/null | awk '$6 == "fib" { print $1 }')"

# ---- folded: any reader of "stack count" -----------------------------------------
is "folded: the counts add up to the count" "$total" \
    "$(awk '{ sum += $NF } END { print sum }' "$scratch/work.folded")"
is "folded: each line is a stack, a space, a number" 0 \
    "$(grep -cvE '^[^ ;]+(;[^ ;]+)? [0-9]+$' "$scratch/work.folded")"

# ---- lcov ------------------------------------------------------------------------
ok "lcov reads it" lcov --summary "$scratch/work.lcov"
is "lcov: the lines add up to the count" "$total" \
    "$(lcov --quiet --add-tracefile "$scratch/work.lcov" -o "$scratch/again.info" &&
        awk -F, '/^DA:/ { sum += $2 } END { print sum }' "$scratch/again.info")"
ok "genhtml makes pages of it" genhtml --quiet --ignore-errors source \
    --prefix "$scratch" -o "$scratch/html" "$scratch/work.lcov"
like "genhtml: the page of a file has the line of fib" 'work.c.gcov.html' \
    "$(find "$scratch/html" -name '*.gcov.html')"

# ---- schemas -----------------------------------------------------------------------
valid() { # DOCUMENT SCHEMA
    python3 -c 'import json, sys, jsonschema
jsonschema.validate(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])))' "$@"
}
ok "trace: valid by its schema" valid "$scratch/work.trace" tests/profiler/trace.schema.json
is "trace: the turns add up to the count" "$total" \
    "$(jq '[.traceEvents[] | select(.ph == "X") | .args.instructions] | add' "$scratch/work.trace")"
is "trace: their durations do, in nanoseconds" "$total" \
    "$(jq '[.traceEvents[] | select(.ph == "X") | .dur * 1000 | round] | add' "$scratch/work.trace")"
is "speedscope: the weights add up to the count" "$total" \
    "$(jq '[.profiles[].weights[]] | add' "$scratch/work.speedscope")"

# ---- speedscope in a real browser -----------------------------------------------------
if npm_package speedscope 1.25.0 \
    7297fd1d64d97f58a32d7049ae4f3b55eff9e2d9d8c7aae57f48144e1be7de8a24ea1eb784b5d539088c7f8e0f4fe5e8579d3770f7ef7e24f980fe6fa23a7a02; then
    site=$package/dist/release
    cp "$scratch"/work.* "$site"
    python3 -c 'import functools, http.server, sys
quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *a: None})
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(quiet, directory=sys.argv[1]))
print(server.server_port, flush=True)
server.serve_forever()' "$site" >"$scratch/port" &
    server=$!
    trap 'kill $server 2>/dev/null; rm -rf "$scratch"' EXIT
    for _ in $(seq 100); do
        [ -s "$scratch/port" ] && break
        sleep 0.1
    done
    here=http://127.0.0.1:$(cat "$scratch/port")
    ok "speedscope: valid by the schema that it ships" valid \
        "$site/work.speedscope" "$site/file-format-schema.json"
    shown() { # FORMAT: the text that the browser shows in the table of functions
        timeout -k 5 90 chromium --headless --no-sandbox --disable-gpu \
            --disable-dev-shm-usage --user-data-dir="$scratch/chromium" \
            --virtual-time-budget=30000 --dump-dom \
            "$here/index.html#profileURL=$here/work.$1&view=sandwich" \
            2>/dev/null | sed 's/<[^>]*>/ /g; s/&lt;/</g' | tr -s ' \n' ' '
    }
    opens() { # FORMAT PATTERN: the browser is slow at times: three tries
        local said try
        for try in 1 2 3; do
            said=$(shown "$1")
            grep -qE -- "$2" <<<"$said" && break
        done
        like "speedscope in Chromium opens $1 and shows what it cost" "$2" "$said"
    }
    opens callgrind "$(commas "$fib") \([0-9.]+%\) fib "
    opens pprof "$(commas "$fib") \([0-9.]+%\) fib "
    opens speedscope "$(commas "$line9") \([0-9.]+%\) work.c:9 "
    opens folded "$(commas "$line9") \([0-9.]+%\) work.c:9 "
    opens trace "turn 1 \{\"instructions\":$turn1,"
else
    ok "speedscope's package is there" false
fi

tap_done
