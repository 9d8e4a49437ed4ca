#!/usr/bin/env bash
# What a bot cannot have is named at the line that asks for it, with what to do
# instead; and a precompiled header changes nothing.
cd "$(dirname "$0")/../.." && . tests/tap.sh
export BOUT_CACHE=$scratch/cache

# Builds $1 from standard input; the errors as FILE:LINE: MESSAGE.
errors_of() { # NAME
    cat >"$scratch/$1"
    timeout 100 "$bout" build "$scratch/$1" -o "$scratch/x.bot" --json \
        2>/dev/null </dev/null |
        jq -r '.diagnostics[] | select(.severity == "error") |
            "\(.file):\(.line): \(.message)"'
}

# ---- headers: HEADER WORD
absent() { # NAME.c|NAME.cpp
    local header word
    while read -r header word; do
        like "<$header> says what to do instead" \
            "^$1:2: <$header>: .*$word" \
            "$(printf '\n#include <%s>\nint main() {}\n' "$header" | errors_of "$1")"
    done
}
absent a.cpp <<'END'
thread one thread
mutex no lock
condition_variable no lock
future call the function
fstream embed
immintrin.h vector
ext/pb_ds/assoc_container.hpp Fenwick
windows.h standard C
END
absent a.c <<'END'
pthread.h one thread
sys/socket.h standard input
x86intrin.h vector
conio.h standard input
END
like "a header inside an own header is named where that one asks for it" \
    '^own\.h:1: <thread>' "$(
        mkdir "$scratch/own"
        echo '#include <thread>' >"$scratch/own/own.h"
        printf '#include "own.h"\nint main() {}\n' >"$scratch/own/main.cpp"
        timeout 100 "$bout" build "$scratch/own" -o "$scratch/x.bot" --json \
            2>/dev/null | jq -r '.diagnostics[] | "\(.file):\(.line): \(.message)"'
    )"

# ---- __has_include tells the truth, and what depends on it goes another way
for header in thread mutex future semaphore barrier latch stop_token fstream \
    pthread.h threads.h immintrin.h sys/socket.h; do
    echo "#if __has_include(<$header>)
#error <$header>
#endif"
done >"$scratch/asks"
cat "$scratch/asks" - >"$scratch/asks.cpp" <<'END'
#include <atomic>
#include <version>
#if __has_include(<filesystem>) && __has_include(<map>) && !defined __cpp_lib_jthread
int main() { std::atomic<int> n{1}; return n.fetch_add(1) - 1; }
#endif
END
is "a C++ program that asks for headers of threads and files is told no" "0" \
    "$(timeout 60 "$bout" count "$scratch/asks.cpp" --json | jq .exit_code)"
cat "$scratch/asks" - >"$scratch/asks.c" <<'END'
#ifdef __STDC_NO_THREADS__
int main(void) { return 0; }
#endif
END
is "so is one in C" "0" \
    "$(timeout 60 "$bout" count "$scratch/asks.c" --json | jq .exit_code)"

# ---- names
like "an undeclared function has its substitute" 'a\.c:2: .*fork.*turn' \
    "$(printf 'int main(void) {\nfork();\n}\n' | errors_of a.c)"
like "so has a declared one" 'a\.c:3: fork is not available: .*turn' \
    "$(printf '#include <unistd.h>\nint main(void) {\nfork();\n}\n' | errors_of a.c)"
like "and a class" "a\.cpp:2: .*'thread'.*one thread" \
    "$(printf '#include <vector>\nint main() { std::thread t; }\n' | errors_of a.cpp)"

# ---- precompiled headers: the same build, its lines and messages too
program='int main() { std::map<int, std::string> m; int n = 0;
    while (std::cin >> n) m[n] += "x";
    for (auto &[a, b] : m) std::cout << a << " " << b << std::endl; }'
build_of() { # FILE TEXT: its hash
    printf '%s\n%s\n' "$2" "$program" >"$scratch/$1"
    timeout 100 "$bout" build "$scratch/$1" -o "$scratch/${1%.cpp}.bot" --json \
        2>/dev/null | jq -r .build
}
with=$(build_of p.cpp '#include <bits/stdc++.h>')
like "a program of <bits/stdc++.h> is built" '^[0-9a-f]{64}$' "$with"
is "without the precompiled header it is the same build" "$with" \
    "$(build_of q.cpp '#define ONE 1
#include <bits/stdc++.h>')"
echo '3 1 3' >"$scratch/in"
count_of() { timeout 60 "$bout" count "$1" --input "$scratch/in" --json; }
is "with the same count" "$(count_of "$scratch/p.bot" | jq .instructions)" \
    "$(count_of "$scratch/q.bot" | jq .instructions)"
lines_of() { # BOT: the files that its blocks name
    tar -xOf "$1" blocks.json | grep -o '<lib[^"]*' | sort -u
}
is "and the same files in its block table" "$(lines_of "$scratch/q.bot")" \
    "$(lines_of "$scratch/p.bot")"
is "an error is told as without it" \
    "$(printf '#define ONE 1\n#include <vector>\nint main() { x; }\n' | errors_of a.cpp)" \
    "$(printf '\n#include <vector>\nint main() { x; }\n' | errors_of a.cpp)"
tap_done
