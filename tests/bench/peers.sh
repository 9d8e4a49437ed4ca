# peers.sh: sourced by meter.sh after kernels.sh. Other ways to run a kernel,
# some of which count: their builds, runs, and whether their tools are here.

peer_needs() # PEER: the command that it needs
{
    case $1 in
    wasm | wasm_metered) echo node ;;
    qemu) echo qemu-x86_64 ;;
    valgrind | callgrind) echo valgrind ;;
    *) echo clang-19 ;;
    esac
}

# Those of PEER... that are no placements and can be run here, in their order.
peers_there() # PEER...
{
    local peer

    for peer in "$@"; do
        case $peer in
        reference | one | classic) continue ;;
        wasm*) peers_wasm || continue ;;
        esac
        if command -v "$(peer_needs "$peer")" >/dev/null; then
            echo "$peer"
        else
            echo "bench: no $peer: $(peer_needs "$peer") is missing" >&2
        fi
    done
}

# npm's injector, by the versions and hashes of wasm/package-lock.json.
peers_wasm()
{
    [ ! -d "$scratch/wasm" ] || return 0
    cp -r tests/bench/wasm "$scratch/wasm"
    (cd "$scratch/wasm" && npm ci --silent --ignore-scripts \
        --cache "${BOUT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/bout}/npm") >&2 || {
        echo "bench: no wasm: npm cannot get wasm-metering" >&2
        rm -rf "$scratch/wasm"
        return 1
    }
}

peer_build() # PEER: the kernel at hand
{
    case $1 in
    native) kernel_native "$scratch/native" ;;
    pgo) kernel_native "$scratch/pgo" -fprofile-instr-generate ;;
    sancov) kernel_native "$scratch/sancov" \
        -fsanitize-coverage=inline-8bit-counters,no-prune \
        -Wl,--defsym=__sanitizer_cov_8bit_counters_init=_init ;;
    wasm) case ${sources[*]} in
        *.cc* | *.cpp*) echo "no C++ library for it in Debian" >&2; return 1 ;;
        esac
        # What the injector knows is the first version of WebAssembly.
        clang-19 --target=wasm32-wasi --sysroot=/usr -mcpu=mvp -std=gnu17 -O2 \
            -w -o "$scratch/wasm/plain.wasm" "${sources[@]}" -lm ;;
    wasm_metered) [ -f "$scratch/wasm/plain.wasm" ] &&
        node "$scratch/wasm/inject.cjs" "$scratch/wasm/plain.wasm" \
            "$scratch/wasm/metered.wasm" ;;
    esac
}

# Those that take many times as long run once.
peer_is_slow()
{
    case $1 in
    wasm_metered | qemu | valgrind | callgrind) ;;
    *) return 1 ;;
    esac
}

peer_run() # PEER: its processor time
{
    case $1 in
    pgo) kernel_seconds env LLVM_PROFILE_FILE=/dev/null "$scratch/pgo" ;;
    native | sancov) kernel_seconds "$scratch/$1" ;;
    wasm) kernel_seconds node --no-warnings "$scratch/wasm/run.mjs" \
        "$scratch/wasm/plain.wasm" ;;
    wasm_metered) kernel_seconds node --no-warnings "$scratch/wasm/run.mjs" \
        "$scratch/wasm/metered.wasm" ;;
    qemu) kernel_seconds qemu-x86_64 "$scratch/native" ;;
    valgrind) kernel_seconds valgrind --tool=none "$scratch/native" ;;
    callgrind) kernel_seconds valgrind --tool=callgrind \
        --callgrind-out-file=/dev/null "$scratch/native" ;;
    esac
}
