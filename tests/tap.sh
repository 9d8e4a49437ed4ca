# tap.sh: sourced by shell tests. Each check prints one TAP line; end with
# tap_done. A scratch folder is in $scratch and goes away by itself.
tap_count=0
scratch=$(mktemp -d)
BUILD=${BUILD:-build}
BUILD=$(cd "$BUILD" && pwd)
bout=$BUILD/bout
trap 'rm -rf "$scratch"' EXIT

tap_report() { # STATUS TEXT [DIAGNOSTIC]
    tap_count=$((tap_count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $tap_count - $2"
    else
        echo "not ok $tap_count - $2"
        [ -z "${3:-}" ] || printf '%s\n' "$3" | head -20 | sed 's/^/# /'
    fi
}

ok() { # TEXT COMMAND...: the command succeeds
    local text=$1 said
    shift
    said=$("$@" 2>&1)
    tap_report $? "$text" "$said"
}

is() { # TEXT EXPECTED GOT
    [ "$2" = "$3" ]
    tap_report $? "$1" "expected: $2
     got: $3"
}

like() { # TEXT PATTERN GOT: an extended regular expression
    printf '%s' "$3" | grep -qE -- "$2"
    tap_report $? "$1" "wanted: $2
   got: $3"
}

skip() { # TEXT REASON
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1 # SKIP $2"
}

tap_done() {
    echo "1..$tap_count"
}
