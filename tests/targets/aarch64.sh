# aarch64.sh: sourced by tests that run bots built for aarch64. Needs $BUILD;
# aarch64_prepare comes first, once.
aarch64_library=$BUILD/tests/aarch64-library

# The library's folder with a runtime that starts under qemu (unsealed.c).
# Concurrent tests share it.
aarch64_prepare()
{
    command -v qemu-aarch64 >/dev/null || {
        echo "qemu-aarch64 is missing: install qemu-user" >&2
        return 1
    }
    (
        flock 9
        ! cmp -s "$BUILD/library/key" "$aarch64_library/key" || exit 0
        rm -rf "$aarch64_library"
        cp -al "$BUILD/library" "$aarch64_library" &&
            rm "$aarch64_library/runtime.aarch64.o" &&
            instrument/bot/build.sh "$aarch64_library/runtime.aarch64.o" \
                aarch64 tests/targets/unsealed.c
    ) 9>"$BUILD/tests/aarch64-lock"
}

# bout on the other machine. Exit code 3 is this one's fault: qemu may not have
# got to its start in time.
aarch64_bout()
{
    local try said code

    for try in 1 2 3 4 5; do
        said=$(BOUT_LIBRARY=$aarch64_library BOUT_METER=$BUILD/bout-meter \
            timeout -k 5 "${PROGRAM_SECONDS:-300}" \
            "$BUILD/tests/bout_aarch64" "$@")
        code=$?
        [ "$code" = 3 ] || break
    done
    [ -z "$said" ] || printf '%s\n' "$said"
    return "$code"
}
