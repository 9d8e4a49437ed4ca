#!/usr/bin/env bash
# Another toolchain than before: bots are built again and play on; matches of the
# earlier one are verified and profiled with what played them.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh
. tests/api/serve.sh
export BOUT_CACHE=$scratch/cache

# What it counts differs by `strict_nan`, which makes another toolchain.
{
    echo '#define main sample_main'
    cat runner/games/tron/sample_space.c
    cat <<'C'
#undef main
static volatile double zero, sum;
int main(void)
{
    for (int i = 0; i < 100; i++)
        sum = sum + zero / (zero + 1) * i;
    sample_main();
}
C
} >"$scratch/old.c"

profile() { # : what the counts of slot 0 add up to
    curl -sS -H "Authorization: Bearer $ann" \
        "$site/v1/matches/$1/profile?slot=0&turn=0-$turns&format=csv&wait=60" |
        awk -F, 'NR > 1 {n += $NF} END {printf "%.0f", n}'
}

verified() { # MATCH
    api POST "/v1/matches/$1/verify"
    [ "$status" = 202 ] || { echo "$status $body"; return; }
    for _ in $(seq 300); do
        api GET "/v1/matches/$1"
        [ "$(get .verified)" = null ] || break
        sleep 0.2
    done
    get .verified
}

unset BOUT_STRICT_NAN
serve_start --ladder-rate 0
new_user ann
ann=$token
enter_bot old tron "$scratch/old.c"
is "a bot becomes ready" ready "$(get .status)"
build=$(get .build)
play_match tron "$bot,$bot" '"seed":7'
is "and plays" finished "$(get .status)"
first=$match
count=$(get '.results[0].instructions')
turns=$(get .turns)
was=$(get .fingerprint)
serve_stop

export BOUT_STRICT_NAN=1
serve_start --ladder-rate 0
token=$ann
await "/v1/bots/$bot"
is "under another toolchain it is built again" ready "$(get .status)"
ok "as another build" test "$build" != "$(get .build)"
ok "of another fingerprint" test "$was" != "$(get .fingerprint)"
play_match tron "$bot,$bot" '"seed":7'
is "and plays again" finished "$(get .status)"
ok "at another count" test "$count" != "$(get '.results[0].instructions')"
is "the new match is verified" true "$(verified "$match")"
is "the old one too, by what played it" true "$(verified "$first")"
is "its profile adds up to the stored count" "$count" "$(profile "$first")"
serve_stop
ok "the database is sound" "$bout" db check --data "$data"

# What was not kept is said.
python3 - "$data/bout.db" <<'END'
import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
base.execute("DELETE FROM kept_builds")
base.commit()
END
serve_start --ladder-rate 0
token=$ann
api POST "/v1/matches/$first/verify"
is "a match whose builds are gone is a conflict" 409 "$status"
like "with the reason" "not kept" "$(get .detail)"
serve_stop
serve_done
tap_done
