#!/usr/bin/env bash
# A link with the library's skeleton lays out what one with its code does.
cd "$(dirname "$0")/../.." && . tests/tap.sh
. tests/meter/meter.sh

for program in c/sorting.c c/numbers_in.c cpp/iostreams.cpp cpp/regexes.cpp; do
    name=$(basename "$program")
    mkdir "$scratch/$name"
    "$bout" build "tests/programs/$program" -o "$scratch/$name.bot" >/dev/null 2>&1
    tar -xf "$scratch/$name.bot" -C "$scratch/$name"
    timeout 60 "$meter" link --whole --library "$library" --target x86_64 \
        --out "$scratch/$name/whole" "$scratch/$name/module.bc"
    timeout 60 "$meter" link --library "$library" --target x86_64 \
        --out "$scratch/$name/usual" "$scratch/$name/module.bc"
    ok "$name: one layout" cmp "$scratch/$name"/{whole,usual}/layout.json
    ok "$name: one set of addresses" \
        cmp "$scratch/$name"/{whole,usual}/syms.x86_64.ld
done
tap_done
