# meter.sh: sourced by the tests of bout-meter's commands, after tap.sh.
library=$BUILD/library
meter=$BUILD/bout-meter
clang=${CLANG:-clang-19}
lld=${LLD:-ld.lld-19}

# The flags of a C bot, but for the three that hold spaces.
flags=$(sed -nE 's/^FLAG\((BOTH|BOT|BOT_C), "([^" ]*)",.*/\2/p' \
    instrument/library/flags.def)

compile() { # SOURCE OUT.bc [FLAG...]
    local source=$1 out=$2
    shift 2
    # shellcheck disable=SC2086
    "$clang" $flags "$@" -ffile-prefix-map="$(dirname "$source")/=" \
        -isystem "$library/include" "$source" -o "$out"
}

charge() { # OUTDIR IN.bc...
    local out=$1
    shift
    "$meter" bot --library "$library" --out "$out" "$@"
}

link() { # OUTDIR [--whole]: the executable OUTDIR/bot.x86_64
    local out=$1
    shift
    "$meter" link --library "$library" --target x86_64 --out "$out" "$@" \
        "$out/module.bc" &&
        "$lld" -static -nostdlib --no-relax -e __bout_start --gc-sections \
            -z noexecstack -T "$out/syms.x86_64.ld" "$out/bot.x86_64.o" \
            "$library/lib.x86_64.o" "$library/runtime.x86_64.o" \
            -o "$out/bot.x86_64"
}

# Packs OUTDIR as the build that `bout build` made of SOURCE, with its executable
# replaced.
pack() { # OUTDIR SOURCE OUT.bot
    local folder=$1/pack
    "$BUILD/bout" build "$2" -o "$3" >/dev/null 2>&1 || return
    mkdir -p "$folder"
    tar -xf "$3" -C "$folder" 2>/dev/null
    cp "$1/bot.x86_64" "$1/layout.json" "$folder/"
    tar -cf "$3" -C "$folder" manifest.json module.bc blocks.json \
        layout.json "source/$(basename "$2")" bot.x86_64
}
