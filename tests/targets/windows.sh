# windows.sh: sourced by tests that run bots as Windows code under wine, after
# tests/meter/link.sh. Needs $BUILD; windows_prepare comes first, once.
windows_runtime=$BUILD/tests/windows-runtime
windows_wine=${WINE:-/usr/lib/wine/wine64}
windows_dlls=${WINE_DLLS:-/usr/lib/x86_64-linux-gnu/wine/x86_64-windows}

# The runtime, and in it a folder that wine takes for a Windows installation: of
# all its parts a bot needs these three, so nothing is installed. Wine's server
# ends by itself with the last bot.
windows_prepare()
{
    local prefix=$windows_runtime/prefix name

    for name in "$windows_wine" "$windows_dlls/kernel32.dll"; do
        [ -e "$name" ] || {
            echo "$name is missing: install wine64" >&2
            return 1
        }
    done
    (
        flock 9
        tests/targets/windows/build.sh "$windows_runtime" || exit
        mkdir -p "$prefix"/{dosdevices,bin,drive_c/windows/system32} &&
            ln -sfn ../drive_c "$prefix/dosdevices/c:" &&
            ln -sfn / "$prefix/dosdevices/z:" &&
            ln -sf "$windows_wine" "$prefix/bin/wine64" &&
            for name in ntdll kernelbase kernel32; do
                ln -sf "$windows_dlls/$name.dll" \
                    "$prefix/drive_c/windows/system32/"
            done
    ) 9>"$BUILD/tests/windows-lock"
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

# bout where the bots are such builds.
windows_bout()
{
    env -u DISPLAY "PATH=$windows_runtime/prefix/bin:$PATH" \
        "WINEPREFIX=$windows_runtime/prefix" WINEDEBUG=-all \
        WINEDLLOVERRIDES='wineboot.exe,services.exe,explorer.exe=d' \
        timeout -k 5 "${PROGRAM_SECONDS:-300}" "$BUILD/tests/bout_windows" "$@"
}
