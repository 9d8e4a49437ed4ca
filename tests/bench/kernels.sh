# kernels.sh: sourced by benchmarks that time the programs of a folder (the
# README's program folder; KERNELS names another than tests/bench/kernels).
# Needs $scratch.
kernels=${KERNELS:-tests/bench/kernels}

kernel_paths()
{
    find "$kernels" -mindepth 1 -maxdepth 1 \
        \( -type d -o -name '*.c' -o -name '*.cc' -o -name '*.cpp' \) | sort
}

# Sets path, name, input and sources. False for a folder without sources.
kernel_open() # PATH
{
    path=$1
    name=$(basename "$path")
    name=${name%.*}
    input=${path%.*}.in
    [ ! -d "$path" ] || input=$path/input
    [ -f "$input" ] || input=/dev/null
    mapfile -t sources < <(find -L "$path" -type f \
        \( -name '*.c' -o -name '*.cc' -o -name '*.cpp' \) | sort)
    [ "${#sources[@]}" -gt 0 ]
}

# The kernel by clang -O2 and further flags; a C file is compiled as C.
kernel_native() # OUT [FLAG...]
{
    local out=$1 linker=clang-19 source objects=() include=$path

    shift
    [ -d "$path" ] || include=$(dirname "$path")
    for source in "${sources[@]}"; do
        objects+=("$scratch/${#objects[@]}.o")
        case $source in
        *.c) clang-19 -std=gnu17 -O2 -w -I"$include" "$@" -c \
            -o "${objects[-1]}" "$source" || return ;;
        *) linker=clang++-19
            clang++-19 -std=gnu++20 -O2 -w -I"$include" "$@" -c \
                -o "${objects[-1]}" "$source" || return ;;
        esac
    done
    "$linker" "$@" -o "$out" "${objects[@]}" -lm
}

# Processor time of a command and its children, in seconds.
kernel_seconds() # COMMAND...
{
    bash -c 'TIMEFORMAT=%U; { time "$@" >/dev/null 2>&1; } 2>&1' - "$@" \
        <"$input"
}

# What others do at the time only ever adds to it.
kernel_least()
{
    sort -n | head -n 1
}
