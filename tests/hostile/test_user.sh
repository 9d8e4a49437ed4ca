#!/usr/bin/env bash
# The hostile bots again as an ordinary user, whose jail stands in a user
# namespace, and where no namespace may be made at all: same verdicts.
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh

test=$BUILD/tests/test_hostile
bots=$scratch/bots
if [ "$(id -u)" != 0 ]; then
    skip "as another user" "the suite itself runs as an ordinary user"
elif ! setpriv --reuid 65533 --regid 65533 --clear-groups \
    test -r tests/hostile/native/echo.c; then
    skip "as another user" "the checkout cannot be read by another user"
else
    tests/hostile/native/build.sh "$bots" 2>/dev/null
    cp "$test" "$scratch/test_hostile"
    chmod -R a+rX "$scratch"
    as_user="setpriv --reuid 65533 --regid 65533 --clear-groups"
    ok "hostile bots, ordinary user" env HOSTILE_BOTS="$bots" \
        timeout "${TEST_SECONDS:-250}" $as_user "$scratch/test_hostile"
    ok "hostile bots, no namespaces" env HOSTILE_BOTS="$bots" \
        timeout "${TEST_SECONDS:-250}" $as_user unshare --user "$scratch/test_hostile"
    # Root of a container or a service: it could not end who is another user.
    for right in kill setuid setgid; do
        ok "a match, by root without the right to $right" timeout 60 \
            setpriv --bounding-set "-$right" --inh-caps "-$right" "$bout" play \
            tron runner/games/tron/sample_wall.c runner/games/tron/sample_wall.c
    done
fi
tap_done
