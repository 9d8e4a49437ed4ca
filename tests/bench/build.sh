#!/usr/bin/env bash
# How long a build takes: seconds, the median of 7 runs each, wall-clock; beside
# it the compiler alone, native, in the same rounds. Then what counting adds to
# it: processor time and machine code against the same build uncounted, the
# library's part included.
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
bout=$BUILD/bout
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# 300 lines: ten functions of a game bot's kind, repeated under other names.
make_source() { # LANGUAGE FILE
    if [ "$1" = cpp ]; then
        printf '#include <iostream>\n#include <map>\n#include <queue>\n#include <vector>\n'
    else
        printf '#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n'
    fi
    for i in $(seq 11); do
        if [ "$1" = cpp ]; then
            cat <<END
struct node$i { int cost, at; bool operator<(const node$i &o) const { return cost > o.cost; } };
static int search$i(const std::map<int, std::vector<int>> &graph, int from)
{
    std::priority_queue<node$i> open;
    std::map<int, int> best;
    open.push({0, from});
    while (!open.empty()) {
        node$i top = open.top();
        open.pop();
        if (best.count(top.at))
            continue;
        best[top.at] = top.cost;
        auto found = graph.find(top.at);
        if (found == graph.end())
            continue;
        for (int next : found->second)
            open.push({top.cost + $i, next});
    }
    int sum = 0;
    for (auto &entry : best)
        sum += entry.second;
    return sum;
}
END
        else
            cat <<END
static int order$i(const void *a, const void *b)
{
    return *(const int *)a * $i - *(const int *)b * $i;
}
static int search$i(int *board, int size, int depth)
{
    int best = -1000000;
    if (depth == 0) {
        int sum = 0;
        for (int i = 0; i < size; i++)
            sum += board[i] * (i % 7 - 3);
        return sum;
    }
    for (int i = 0; i < size; i++) {
        int kept = board[i];
        board[i] = depth + $i;
        int value = -search$i(board, size, depth - 1);
        board[i] = kept;
        if (value > best)
            best = value;
    }
    qsort(board, (size_t)size, sizeof *board, order$i);
    return best;
}
END
        fi
    done
    if [ "$1" = cpp ]; then
        echo 'int main() { std::map<int, std::vector<int>> g; int a, b; while (std::cin >> a >> b) g[a].push_back(b);'
        for i in $(seq 11); do echo "std::cout << search$i(g, $i) << '\\n';"; done
    else
        echo 'int main(void) { int board[8], n = 0; while (n < 8 && scanf("%d", &board[n]) == 1) n++;'
        for i in $(seq 11); do echo "printf(\"%d\\n\", search$i(board, n, 2));"; done
    fi
    echo '}'
}

median() { sort -n | sed -n 4p; }

seconds() { # COMMAND...
    local start end
    start=$(date +%s%N)
    "$@" >/dev/null 2>&1
    end=$(date +%s%N)
    echo "$start $end" | awk '{printf "%.3f\n", ($2 - $1) / 1e9}'
}

row() { # NAME FILE COMPILER
    for _ in $(seq 7); do
        seconds "$bout" build "$2" -o "$work/x.bot" >>"$work/ours"
        seconds "$3" -O2 "$2" -o "$work/x" >>"$work/native"
    done
    printf '{"group":"build","name":"%s","unit":"s","ours":%s,"peers":{"%s -O2":%s}}\n' \
        "$1" "$(median <"$work/ours")" "$3" "$(median <"$work/native")"
    rm "$work/ours" "$work/native"
}

make_source c >"$work/bot.c"
make_source cpp >"$work/bot.cpp"
row c_300_lines "$work/bot.c" clang-19
row cpp_300_lines "$work/bot.cpp" clang++-19

# Processor time, all steps' included; nothing is taken from a cache.
processor_seconds() # PLACEMENT FILE
{
    local TIMEFORMAT='%U %S'

    { time BOUT_LIBRARY=$work/library.$1 BOUT_CACHE=$(mktemp -d -p "$work") \
        "$bout" build "$2" -o "$work/$1.bot" >/dev/null 2>&1; } 2>&1 |
        awk '{print $1 + $2}'
}

text_bytes() # BUILD
{
    tar -xf "$1" -C "$work" bot.x86_64
    llvm-size-19 -A "$work/bot.x86_64" | awk '$1 == ".text" {print $2}'
}

metering_rows() # NAME FILE
{
    local way counted uncounted

    for _ in $(seq 7); do
        for way in chords none; do
            processor_seconds "$way" "$2" >>"$work/$way"
        done
    done
    counted=$(median <"$work/chords") uncounted=$(median <"$work/none")
    printf '{"group":"build","name":"%s_counted","unit":"ratio","ours":%.3f}\n' \
        "$1" "$(jq -n "$counted / $uncounted")"
    counted=$(text_bytes "$work/chords.bot")
    uncounted=$(text_bytes "$work/none.bot")
    printf '{"group":"build","name":"%s_text","unit":"ratio","ours":%.3f}\n' \
        "$1" "$(jq -n "$counted / $uncounted")"
    rm "$work/chords" "$work/none"
}

instrument/library/build.sh "$BUILD/library-none" "$BUILD/bout-meter" none >&2
ln -s "$(cd "$BUILD/library" && pwd)" "$work/library.chords"
ln -s "$(cd "$BUILD/library-none" && pwd)" "$work/library.none"
metering_rows c_300_lines "$work/bot.c"
metering_rows cpp_300_lines "$work/bot.cpp"
