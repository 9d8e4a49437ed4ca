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

target=x86_64 # of link and pack

link() { # OUTDIR [OPTION...]: the executable OUTDIR/bot.$target
    local out=$1
    shift
    "$meter" link --library "$library" --target "$target" --out "$out" "$@" \
        "$out/module.bc" &&
        "$lld" -static -nostdlib --no-relax -e __bout_start --gc-sections \
            -z noexecstack -T "$out/syms.$target.ld" "$out/bot.$target.o" \
            "$library/lib.$target.o" "$library/runtime.$target.o" \
            -o "$out/bot.$target"
}

digest() # FILE
{
    sha256sum <"$1" | cut -c 1-64
}

# Packs OUTDIR as the build that `bout build` made of SOURCE, with its executable
# replaced.
pack() { # OUTDIR SOURCE OUT.bot
    local folder=$1/pack
    "$BUILD/bout" build "$2" --target "$target" -o "$3" >/dev/null 2>&1 ||
        return
    mkdir -p "$folder"
    tar -xf "$3" -C "$folder" 2>/dev/null
    cp "$1/bot.$target" "$1/layout.json" "$folder/"
    jq -c --arg elf "bot.$target" --arg elf_digest "$(digest "$1/bot.$target")" \
        --arg layout_digest "$(digest "$1/layout.json")" \
        '.members[$elf] = $elf_digest |
         .members["layout.json"] = $layout_digest' \
        "$folder/manifest.json" >"$folder/manifest.new" &&
        mv "$folder/manifest.new" "$folder/manifest.json"
    tar -cf "$3" -C "$folder" manifest.json module.bc blocks.json \
        layout.json "source/$(basename "$2")" "bot.$target"
}
