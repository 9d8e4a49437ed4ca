# link.sh: sourced by tests that link a charged module themselves, other than
# `bout build` does. Needs $BUILD.
library=$BUILD/library
meter=$BUILD/bout-meter
lld=${LLD:-ld.lld-19}
target=x86_64

link() { # OUTDIR [OPTION...]: OUTDIR/module.bc as the executable bot.$target
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

# The build BOT with its executable replaced by OUTDIR/bot.$target, as OUT.
repack() { # OUTDIR BOT OUT
    local folder=$1/pack
    mkdir -p "$folder"
    tar -xf "$2" -C "$folder" 2>/dev/null
    cp "$1/bot.$target" "$1/layout.json" "$folder/"
    jq -c --arg elf "bot.$target" --arg elf_digest "$(digest "$1/bot.$target")" \
        --arg layout_digest "$(digest "$1/layout.json")" \
        '.members[$elf] = $elf_digest |
         .members["layout.json"] = $layout_digest' \
        "$folder/manifest.json" >"$folder/manifest.new" &&
        mv "$folder/manifest.new" "$folder/manifest.json" &&
        (cd "$folder" && find source -type f -print0 | sort -z) |
        tar -cf "$3" -C "$folder" manifest.json module.bc blocks.json \
            layout.json "bot.$target" --null -T -
}
