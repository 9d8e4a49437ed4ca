#!/usr/bin/env bash
# bout build and its neighbours on the command line: exit codes, the JSON
# document, what is written where, and how long it takes.
cd "$(dirname "$0")/../.." && . tests/tap.sh
export BOUT_CACHE=$scratch/cache
bout=$(realpath "$bout")
bot=$scratch/first.c
printf '#include <stdio.h>\nint main(void)\n{\n    puts("hello");\n    return 0;\n}\n' >"$bot"

code() { # COMMAND...: its exit code; what it says goes to $scratch/out and err
    timeout 100 "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    echo $?
}

# ---- a build that is ready
is "a good program is exit code 0" 0 "$(cd "$scratch" && code "$bout" build first.c)"
ok "the build is beside, named after the source" test -s "$scratch/first.bot"
is "and in the cache, under its hash" "$(cut -d' ' -f3 "$scratch/out").bot" \
    "$(ls "$scratch/cache/builds")"
is "nothing is said on stderr" "" "$(cat "$scratch/err")"
code "$bout" build "$bot" -o "$scratch/x.bot" --json >/dev/null
is "--json prints one document with the contract's keys" \
    '["build","diagnostics","file","fingerprint","status","target"]' \
    "$(jq -c 'keys' "$scratch/out")"
is "its file is the one asked for" "$scratch/x.bot" "$(jq -r .file "$scratch/out")"
is "its status is ready" ready "$(jq -r .status "$scratch/out")"
ok "two builds of one source are equal to the byte" \
    cmp "$scratch/x.bot" "$scratch/first.bot"
is "a .bot is run without building" hello "$("$bout" count "$scratch/x.bot" 2>/dev/null)"
mkdir "$scratch/folder"
cp "$bot" "$scratch/folder/main.c"
is "a folder is a submission" 0 "$(cd "$scratch" && code "$bout" build folder/)"
is "and names the build" "$(jq -r .build <"$scratch/out" 2>/dev/null ||
    cut -d' ' -f3 "$scratch/out")" "$(cut -d' ' -f3 "$scratch/out")"
ok "folder.bot is there" test -s "$scratch/folder.bot"

# ---- rejected
printf 'int main(void)\n{\n    return x;\n}\n' >"$scratch/bad.c"
is "a broken program is exit code 1" 1 "$(cd "$scratch" && code "$bout" build bad.c)"
like "its fault is on stderr by file and line" "^bad.c:3: error: .*'x'" "$(cat "$scratch/err")"
is "stdout stays empty" "" "$(cat "$scratch/out")"
is "no file is left" no "$([ -e "$scratch/bad.bot" ] && echo yes || echo no)"
is "--json is exit code 1 too" 1 "$(code "$bout" build "$scratch/bad.c" --json)"
is "its document says rejected, no build, no file" '["rejected",null,null]' \
    "$(jq -c '[.status, .build, .file]' "$scratch/out")"
is "a diagnostic has file, line, severity and message" \
    '[["file","line","message","severity"],"bad.c",3,"error"]' \
    "$(jq -c '.diagnostics[0] | [keys, .file, .line, .severity]' "$scratch/out")"
is "no host path is in it" "" "$(grep -F "$scratch" "$scratch/out")"

# ---- bad input: an exit code and a sentence each
refused() { # TEXT CODE PATTERN COMMAND...
    local text=$1 wanted=$2 pattern=$3
    shift 3
    is "$text: exit code $wanted" "$wanted" "$(code "$@")"
    like "$text: says why" "$pattern" "$(cat "$scratch/err")"
}
: >"$scratch/empty.c"
head -c 10485760 /dev/zero | tr '\0' ' ' >"$scratch/big.c"
cp "$bot" "$scratch/"$'\xff.c'
mkdir "$scratch/nothing"
printf 'int f(void){return 1;}\n' >"$scratch/nomain.c"
printf '#include "/etc/passwd"\n' >"$scratch/passwd.c"
printf 'int main(void){return 0;}\n' >"$scratch/cxx.cpp"
echo text >"$scratch/text.bot"
cp "$bot" "$scratch/a.zip"
refused "an empty file" 1 "no function main" "$bout" build "$scratch/empty.c" -o "$scratch/e.bot"
refused "no main" 1 "no function main" "$bout" build "$scratch/nomain.c" -o "$scratch/e.bot"
refused "a source of 10 MB" 1 "8 MiB" "$bout" build "$scratch/big.c"
refused "a name that is not UTF-8" 1 "UTF-8" "$bout" build "$scratch/"$'\xff.c'
refused "an empty folder" 1 'must end in' "$bout" build "$scratch/nothing"
refused "a missing file" 1 "no such file" "$bout" build "$scratch/nothere.c"
refused "a file of the host" 1 "not found" "$bout" build "$scratch/passwd.c"
is "and its content is nowhere" "" "$(grep root: "$scratch/err" "$scratch/out")"
ok "C++ is built" "$bout" build "$scratch/cxx.cpp" -o "$scratch/cxx.bot"
printf 'int g = 1;\nint main(void){return g;}\n' >"$scratch/one.c"
printf 'int g = 2;\n\nint main(void){return g;}\n' >"$scratch/two.c"
refused "two files with a main" 1 "^two.c:3: error: main is defined in one.c and in two.c" \
    "$bout" build "$scratch/one.c" "$scratch/two.c"
like "the variable is named as well" "g is defined in one.c and in two.c" "$(cat "$scratch/err")"
printf 'int g(int);\nvoid h(void){g(1);}\n' >"$scratch/three.c"
ok "a declaration of another type is the program's affair" \
    "$bout" build "$scratch/one.c" "$scratch/three.c" -o "$scratch/3.bot"
refused "an archive that is none" 1 "no zip or tar" "$bout" build "$scratch/a.zip"
refused "the same file twice" 1 "given twice" "$bout" build "$bot" "$bot"
refused "an unknown target" 1 "no such target" "$bout" build "$bot" --target z80
ok "another target" "$bout" build "$bot" --target aarch64 -o "$scratch/a64.bot"
is "its executable is in the build" bot.aarch64 "$(tar tf "$scratch/a64.bot" | grep '^bot\.')"
refused "no source" 2 "needs SRC" "$bout" build
refused "an unknown option" 2 "no option --frob" "$bout" build --frob "$bot"
refused "an option without its value" 2 "needs a value" "$bout" build "$bot" -o
refused "a place that cannot be written" 3 "nowhere" "$bout" build "$bot" -o /nowhere/x.bot
refused "a .bot that is none" 1 "no .bot file" "$bout" count "$scratch/text.bot"
refused "a limit that is none" 2 "frob" "$bout" count "$bot" --limit frob=1
refused "a program for count that is broken" 1 "rejected: bad.c:3" "$bout" count "$scratch/bad.c"
{
    seq 90 | sed 's/.*/#warning &/'
    echo 'int main(void){return x;}'
} >"$scratch/wrong.c"
refused "a program with 91 mistakes" 1 "wrong.c:1: warning" "$bout" build "$scratch/wrong.c"
is "50 of them are shown" 50 "$(grep -c '^wrong.c:' "$scratch/err")"
like "the error among them" "^wrong.c:91: error:" "$(cat "$scratch/err")"
like "and that there are more" "^note: there is more" "$(cat "$scratch/err")"
printf 'int f(void){return x;}\nint main(void){return y;}\n' >"$scratch/wrong.c"
refused "count of a rejected source" 1 'wrong.c:1: .*`bout build` shows all' "$bout" count "$scratch/wrong.c"
refused "a limit without a value" 2 "KEY=VALUE" "$bout" count "$bot" --limit abc
refused "the same for profile" 2 "KEY=VALUE" "$bout" profile "$bot" --limit abc
refused "a folder as input" 1 "is a folder" "$bout" count "$bot" --input "$scratch"
refused "a turn that there was not" 1 "has turns 0 to 0" "$bout" profile "$bot" --turn 5
refused "an unknown command" 2 "no command" "$bout" frob

# ---- an output is what was asked for, and nothing is lost
# A node of our own like /dev/full: a mistake here must not cost the real one.
full=$scratch/full
if mknod "$full" c 1 7 2>/dev/null; then
    refused "a full device" 3 "full: write" "$bout" build "$bot" -o "$full"
    refused "a profile on a full device" 3 "full: write" "$bout" profile "$bot" -o "$full"
    ok "the device is still one" test -c "$full"
else
    skip "a full device" "only root makes device nodes"
fi
ln -s target.bot "$scratch/link.bot"
"$bout" build "$bot" -o "$scratch/link.bot" >/dev/null
ok "a symbolic link is followed" \
    bash -c "test -L '$scratch/link.bot' && cmp '$scratch/target.bot' '$scratch/first.bot'"
cp "$bot" "$scratch/kept.c"
seq 9 >"$scratch/kept.in"
refused "a source as output" 2 "is the input" "$bout" build "$scratch/kept.c" -o "$scratch/kept.c"
refused "a file in the folder as output" 2 "is the input" \
    "$bout" build "$scratch/folder" -o "$scratch/folder/main.c"
refused "a profile over its source" 2 "is the input" \
    "$bout" profile "$scratch/kept.c" -o "$scratch/kept.c"
refused "a profile over its input" 2 "is the input" \
    "$bout" profile "$bot" --input "$scratch/kept.in" -o "$scratch/kept.in"
ok "the source is as it was" cmp "$bot" "$scratch/kept.c"

# ---- profile: its lines add up to the count
seq 1 50 >"$scratch/input"
total=$("$bout" count "$bot" --input "$scratch/input" --json | jq .instructions)
is "a profile's lines add up to the count" "$total" \
    "$("$bout" profile "$bot" --input "$scratch/input" --format csv |
        awk -F, 'NR > 1 {sum += $NF} END {print sum}')"
is "csv has the contract's header" "turn,slot,function,file,line,executions,instructions" \
    "$("$bout" profile "$bot" --format csv | head -1 | tr -d '\r')"
"$bout" profile "$bot" --format json -o "$scratch/p.json"
is "-o writes the file" "$("$bout" count "$bot" --json | jq .instructions)" \
    "$(jq .instructions "$scratch/p.json")"
is "one turn alone is that turn's count" \
    "$("$bout" count "$bot" --json | jq '.turns[0].instructions')" \
    "$("$bout" profile "$bot" --turn 0 --format json | jq .instructions)"
refused "an unknown format" 2 "text, json, csv, callgrind" "$bout" profile "$bot" --format frob

# ---- help and lists
for command in build count profile costs limits fingerprint; do
    is "$command --help is exit code 0" 0 "$(code "$bout" "$command" --help)"
done
like "a fingerprint is SHA-256" '^[0-9a-f]{64}$' "$("$bout" fingerprint)"
is "it is the hash of the facts" "$("$bout" fingerprint)" \
    "$("$bout" fingerprint --facts | sha256sum | cut -c1-64)"
is "a build records it" "$("$bout" fingerprint)" \
    "$("$bout" build "$bot" -o "$scratch/x.bot" --json | jq -r .fingerprint)"
is "limits are contract section 3's" 10000000 "$("$bout" limits --json | jq .turn_soft)"

# ---- the charge of each block
timeout 60 "$bout" build "$bot" -o "$scratch/x.bot" --ir >"$scratch/ir" 2>"$scratch/err"
blocks=$(sed -nE 's/.*\(all ([0-9]+)\)$/\1/p' "$scratch/ir" |
    awk '{sum += $1} END {print sum}')
parts=$(grep -E '^ *[0-9]+  ' "$scratch/ir" | grep -oE '[a-z_]+#[0-9]+ [0-9]+' |
    awk '{sum += $2} END {print sum}')
ok "--ir shows blocks ($blocks)" test "${blocks:-0}" -gt 5
is "and each block's charge is on its lines" "$blocks" "$parts"
like "beside the source" 'main#0 [0-9]+.*  puts\("hello"\)' "$(cat "$scratch/ir")"
timeout 60 "$bout" build "$bot" -o "$scratch/x.bot" --ir --json >"$scratch/ir" 2>&1
is "--ir and --json do not go together" 2 $?

# ---- as somebody else
if [ "$(id -u)" = 0 ]; then
    chmod 755 "$scratch"
    mkdir -m 777 "$scratch/nobody"
    is "an ordinary user's build is the same to the byte" \
        "$(sha256sum <"$scratch/first.bot")" \
        "$(cd "$scratch/nobody" && HOME=$scratch/nobody BOUT_CACHE= setpriv --reuid=65534 \
            --regid=65534 --clear-groups "$bout" build "$bot" >/dev/null 2>"$scratch/err" &&
            sha256sum <first.bot)"
else
    skip "an ordinary user's build is the same to the byte" "already one"
fi

tap_done
