#!/bin/bash
# cxx: compiles the metered C++ library to bitcode and adds its headers.
#
#     instrument/library/cxx.sh ARCHIVE INCLUDE OUT
#
# ARCHIVE is LLVM's (fetch.sh llvm), of which only the needed folders are
# unpacked. INCLUDE is what headers.sh made: it gets c++/v1/. OUT gets a module a
# source, named by its path. Files are named `<libc++>/...` in line tables.
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "$0")" && pwd)
archive=$1
include=$(cd "$2" && pwd)
mkdir -p "$3"
out=$(cd "$3" && pwd)
clang=${CLANGXX:-clang++-19}
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

# Applies sed script $2 to the file $1; it must change something.
edit()
{
    cp "$1" "$tree/before"
    sed -i "$2" "$1"
    ! cmp -s "$tree/before" "$1" || {
        echo "cxx: $1: an edit no longer applies" >&2
        exit 3
    }
}

# A program's own operator new and delete serve the library too: bout-meter
# stores them where cxx/support.cpp has the words for them.
edit_operators()
{
    edit "$1" '1i\
extern "C" {\
extern void* (*__bout_new)(decltype(sizeof(0)));\
extern void (*__bout_delete)(void*);\
}'
    edit "$1" '/ operator new(std::size_t size) _THROW_BAD_ALLOC {$/a\
  if (__bout_new)\
    return __bout_new(size);'
    edit "$1" 's/ operator delete(void\* ptr) noexcept { /&if (__bout_delete) return __bout_delete(ptr); /'
}

unpack()
{
    tar -C "$tree" --strip-components=1 -xJf "$archive" --wildcards \
        '*/libcxx/include/*' '*/libcxx/src/*' '*/libcxx/vendor/llvm/*' \
        '*/libcxxabi/include/*' '*/libcxxabi/src/*' '*/libunwind/include/*'
    mkdir -p "$tree/cxx" "$tree/instrument/bot"
    : >"$tree/libcxx/src/iostream_init.h" # cxx/streams.h
    cat "$here/cxx/buffers.h" >>"$tree/libcxx/src/std_stream.h"
    edit_operators "$tree/libcxxabi/src/stdlib_new_delete.cpp"
    cp "$here"/cxx/*.cpp "$tree/cxx/"
    cp "$here"/../bot/{page,runtime}.h "$tree/instrument/bot/"
}

add_headers()
{
    local to=$include/c++/v1

    mkdir -p "$include/c++"
    cp -r "$tree/libcxx/include" "$to"
    find "$to" -name '*.in' -delete
    rm -f "$to/CMakeLists.txt"
    cp "$tree"/libcxxabi/include/*.h "$to"
    cp "$here/cxx/__config_site" "$to/__config_site"
    cp "$tree/libcxx/vendor/llvm/default_assertion_handler.in" \
        "$to/__assertion_handler"
    cat "$here/cxx/streams.h" >>"$to/iostream"
    mkdir -p "$to/bits" "$to/__bout"
    cp "$here/cxx/stdc++.h" "$to/bits/stdc++.h"
    cp "$here/cxx/plain_number.h" "$to/__bout/plain_number.h"
    edit_headers "$to"
}

# Numbers in and out: see cxx/plain_number.h. And what libc++ leaves out for
# PowerPC's vectors, by a macro that bots do not see, stays out.
edit_headers()
{
    local to=$1 of

    edit "$to/__algorithm/simd_utils.h" '/^#if/s/!defined(__ALTIVEC__)/0/'
    edit "$to/ios" '/^class _LIBCPP_EXPORTED_FROM_ABI ios_base {/,/^public:/{/^public:/a\
  _LIBCPP_HIDE_FROM_ABI bool __is_classic() const {\
    return __loc_ == *reinterpret_cast<void* const*>(\&locale::classic());\
  }
}'
    edit "$to/locale" '0,/^_LIBCPP_PUSH_MACROS/s//#include <__bout\/plain_number.h>\n\n&/'
    for of in signed unsigned; do
        edit "$to/locale" "/^_InputIterator num_get<.*::__do_get_$of(/,/{\$/{/{\$/a\\
  if (std::__plain_get(__b, __e, __iob, __err, __v))\\
    return __b;
}"
    done
    edit "$to/locale" '/num_put<.*::__do_put_integral(/,/{$/{/{$/a\
  if constexpr (is_same<char_type, char>::value) {\
    if (std::__is_plain_put(__iob)) {\
      char __own[24];\
      char* __own_end = __own + sizeof(__own);\
      char* __first = std::__plain_digits(__own_end, __v);\
      return std::__pad_and_output(\
          __s, __first, this->__identify_padding(__first, __own_end, __iob), __own_end, __iob, __fl);\
    }\
  }
}'
}

# Expands sources.list: the last line that names a file decides.
list_units()
{
    declare -A unit
    local sign glob file

    while read -r sign glob; do
        case $sign in
        + | -) ;;
        *) continue ;;
        esac
        for file in $glob; do
            [ -f "$file" ] || { echo "cxx: $glob names no file" >&2; exit 3; }
            unit[$file]=$sign
        done
    done <"$here/cxx/sources.list"
    for file in "${!unit[@]}" cxx/*.cpp; do
        [ "${unit[$file]-+}" = - ] || printf '%s\n' "$file"
    done | sort
}

unpack
add_headers
mapfile -t flags < <(sed -n \
    's/^FLAG(\(BOTH\|LIBRARY_CXX\), "\(.*\)",.*/\2/p' "$here/flags.def" |
    sed 's/\\"/"/g')
cd "$tree"
search=(-isystem "$include/c++/v1" -Ilibcxxabi/include -Ilibcxx/src
    -Ilibcxxabi/src -Ilibunwind/include -I. -isystem "$include")
prefix=(-ffile-prefix-map=./='<libc++>/' -ffile-prefix-map=libcxx='<libc++>'
    -ffile-prefix-map=libcxxabi='<libc++abi>'
    "-ffile-prefix-map=$include/=<libc>/include/")
printf '"%s"\n' "${flags[@]//\"/\\\"}" "${search[@]}" "${prefix[@]}" >flags
export clang out
list_units >units
xargs -n 1 -P "${JOBS:-2}" sh -c '
    exec "$clang" @flags -o "$out/$(echo "${0%.cpp}" | tr / _).bc" "$0"' <units

# Last: the library itself is compiled with all of its headers.
"$here/absent.sh" "$include/c++/v1"
