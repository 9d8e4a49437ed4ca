# folder.sh: sourced by the tests of program folders, after tap.sh.

programs() # FOLDER LEAST: each of at least LEAST programs is a test
{
    local name verdict
    while read -r name verdict; do
        [ "$verdict" = ok ]
        tap_report $? "$1/$name does what it does natively" "$verdict"
    done < <(timeout $((${TEST_SECONDS:-600} - 30)) tests/programs/run "tests/programs/$1" 2>&1)
    [ "$tap_count" -ge "$2" ]
    tap_report $? "there are $2 programs at least"
}
