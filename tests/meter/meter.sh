# meter.sh: sourced by the tests of bout-meter's commands, after tap.sh.
. tests/meter/link.sh
clang=${CLANG:-clang-19}

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

# Packs OUTDIR as the build that `bout build` made of SOURCE, with its executable
# replaced.
pack() { # OUTDIR SOURCE OUT.bot
    "$BUILD/bout" build "$2" --target "$target" -o "$3" >/dev/null 2>&1 &&
        repack "$1" "$3" "$3"
}
