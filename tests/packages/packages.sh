# packages.sh: sourced by the tests of packages, after tap.sh.

packages() # NAME...: each laid out (lay.sh) and tried
{
    local name verdict

    ok "the packages' sources are there" \
        timeout 500 tests/packages/lay.sh "$scratch/programs" "$@"
    while read -r name verdict; do
        [ "$verdict" = ok ]
        tap_report $? "$name does what it does natively" "$verdict"
    done < <(PROGRAM_SECONDS=500 timeout $((${TEST_SECONDS:-600} - 20)) \
        tests/programs/run "$scratch/programs")
    is "every package was tried" $(($# + 1)) "$tap_count"
}
