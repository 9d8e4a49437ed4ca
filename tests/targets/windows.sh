# windows.sh: sourced by tests that run bots as Windows code under wine, after
# tests/meter/link.sh. Needs $BUILD; windows_prepare comes first, once.
windows_runtime=$BUILD/tests/windows-runtime
windows_wine=${WINE:-/usr/lib/wine/wine64}
windows_dlls=${WINE_DLLS:-/usr/lib/x86_64-linux-gnu/wine/x86_64-windows}

# The runtime, and in it a folder that wine takes for a Windows installation: of
# all its parts a bot needs these three, so nothing is installed. Concurrent
# tests share both.
windows_prepare()
{
    local name

    for name in "$windows_wine" "$windows_dlls/kernel32.dll"; do
        if [ "$(uname -m)" != x86_64 ] || [ ! -e "$name" ]; then
            echo "$name is missing: install wine64, on x86-64" >&2
            return 1
        fi
    done
    (
        flock 9
        key=$(windows_key)
        [ "$key" != "$(cat "$windows_runtime/key" 2>/dev/null)" ] || exit 0
        rm -rf "$windows_runtime"
        tests/targets/windows/build.sh "$windows_runtime" &&
            windows_lay_prefix "$windows_runtime/prefix" &&
            echo "$key" >"$windows_runtime/key"
    ) 9>"$BUILD/tests/windows-lock"
}

# What the two are made from.
windows_key()
{
    { echo "$windows_wine $windows_dlls" && find instrument/bot \
        instrument/*.def instrument/meter/windows.h tests/targets/windows \
        -type f ! -name 'test_*' -print0 | sort -z | xargs -0 sha256sum; } |
        sha256sum
}

# In its bin/ is what run_wine.c starts: wine with a folder of its own, made from
# this one. Where two share one, the second waits minutes for the first to have
# booted Windows, which it never does; a server for each ends with its bot.
windows_lay_prefix() # FOLDER
{
    local prefix=$1 name

    mkdir -p "$prefix"/{dosdevices,bin,drive_c/windows/system32} &&
        ln -s ../drive_c "$prefix/dosdevices/c:" &&
        ln -s / "$prefix/dosdevices/z:" &&
        cat >"$prefix/bin/wine64" <<END || return
#!/bin/sh
set -e
export WINEPREFIX="\$WINDOWS_FOLDERS/\$\$" WINEDEBUG=-all
export WINEDLLOVERRIDES='wineboot.exe,services.exe,explorer.exe=d'
unset DISPLAY
mkdir "\$WINEPREFIX"
ln -s "$prefix/dosdevices" "$prefix/drive_c" "\$WINEPREFIX/"
exec "$windows_wine" "\$@" 2>"\$WINEPREFIX.said"
END
    chmod +x "$prefix/bin/wine64"
    for name in ntdll kernelbase kernel32; do
        ln -s "$windows_dlls/$name.dll" "$prefix/drive_c/windows/system32/" ||
            return
    done
}

# The build BOT with Windows code in place of this machine's, as OUT. Uses
# OUTDIR, which holds the build's module.bc.
windows_link() # OUTDIR BOT OUT [OPTION...]
{
    local out=$1 bot=$2 to=$3
    shift 3
    "$meter" link --library "$library" --target x86_64-windows --out "$out" \
        --whole "$@" "$out/module.bc" &&
        lld-link-19 /nologo /subsystem:console /entry:__bout_start \
            /nodefaultlib /fixed /base:0x360000 \
            "$out/bot.x86_64-windows.o" "$windows_runtime"/*.obj \
            "$windows_runtime/kernel32.lib" "/out:$out/bot.x86_64" &&
        repack "$out" "$bot" "$to"
}

# bout where the bots are such builds. Exit code 3 is this machine's fault: wine
# may not have got to its start in time.
windows_bout()
{
    local try said code folders

    folders=$(mktemp -d)
    for try in 1 2 3; do
        said=$(PATH="$windows_runtime/prefix/bin:$PATH" \
            WINDOWS_FOLDERS=$folders timeout -k 5 "${PROGRAM_SECONDS:-300}" \
            "$BUILD/tests/bout_windows" "$@")
        code=$?
        [ "$code" = 3 ] || break
        cat "$folders"/*.said >&2
    done
    rm -rf "$folders"
    [ -z "$said" ] || printf '%s\n' "$said"
    return "$code"
}
