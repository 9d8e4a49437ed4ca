#!/usr/bin/env bash
# Style by machine: formatting, no goto, file sizes, clang-tidy, cppcheck.
set -u
cd "$(dirname "$0")/.." || exit 2
mapfile -t sources < <(git ls-files '*.c')
mapfile -t headers < <(git ls-files '*.h')
wrong=0

if grep -nE '\bgoto [a-z_]+;' "${sources[@]}"; then
    echo "lint: goto is not used here (style: cleanup attributes)"
    wrong=1
fi
for file in "${sources[@]}" "${headers[@]}"; do
    lines=$(wc -l <"$file")
    [ "$lines" -le 600 ] || { echo "lint: $file has $lines lines"; wrong=1; }
done
clang-format --dry-run --Werror "${sources[@]}" "${headers[@]}" || wrong=1
cppcheck --quiet --std=c11 --enable=warning,performance,portability \
    --inline-suppr --error-exitcode=1 -I. \
    --suppress=missingInclude "${sources[@]}" || wrong=1
for file in "${sources[@]}"; do
    clang-tidy --quiet "$file" -- -std=gnu17 -D_GNU_SOURCE -I. \
        -isystem /usr/lib/llvm-19/include 2>/dev/null | grep -E 'warning|error' &&
        wrong=1
done
exit $wrong
