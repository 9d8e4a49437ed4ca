#!/usr/bin/env bash
# Starts the service in the foreground with an embedded database and open
# registration, enters the sample bots once, and says how to enter another.
#   api/cli/run.sh BUILD [OPTION OF bout serve]...
# Settings: BOUT_DATA, BOUT_LISTEN and the other settings of `bout serve`.
set -eu
build=$(cd "${1:?usage: run.sh BUILD [OPTION]...}" && pwd)
shift
tree=$(cd "$(dirname "$0")/../.." && pwd)
export BOUT_LISTEN=${BOUT_LISTEN:-127.0.0.1:8080}
export BOUT_DATA=${BOUT_DATA:-${XDG_DATA_HOME:-$HOME/.local/share}/bout}
export BOUT_REGISTRATION=${BOUT_REGISTRATION:-open}
site=http://$BOUT_LISTEN
house=$BOUT_DATA/house.token

"$build/bout" serve "$@" &
server=$!
trap 'kill -TERM $server 2>/dev/null || :' INT TERM EXIT

fail() {
    echo "run.sh: $*" >&2
    exit 3
}

wait_until_ready() {
    for _ in $(seq 300); do
        kill -0 "$server" 2>/dev/null || return 1
        curl -fsS "$site/readyz" >/dev/null 2>&1 && return 0
        sleep 0.1
    done
    return 1
}

# The user that the sample bots belong to; its token is kept beside the data.
make_house() {
    [ ! -s "$house" ] || return 0
    local answer token admin
    admin=$(cat "$BOUT_DATA/admin.token")
    answer=$(curl -sS "$site/v1/users" -H "Authorization: Bearer $admin" \
        -H 'Content-Type: application/json' -d '{"name":"house"}')
    token=$(printf '%s' "$answer" | sed -n 's/.*"token":"\([^"]*\)".*/\1/p')
    [ -n "$token" ] || fail "the user house cannot be added: $answer"
    (umask 077 && printf '%s\n' "$token" >"$house")
}

enter_sample() { # GAME FILE|FOLDER
    local name token file
    local -a parts=()
    name=$(basename "${2%.*}")
    name=${name#sample_}
    token=$(cat "$house")
    if ! curl -fsS "$site/v1/bots?game=$1&name=$name&limit=1" |
        grep -q '"items":\[\]'; then
        return 0
    fi
    while IFS= read -r file; do
        parts+=(-F "source=@$file")
    done < <(find "$2" -type f)
    curl -fsS "$site/v1/bots" -H "Authorization: Bearer $token" \
        -F "name=$name" -F "game=$1" "${parts[@]}" >/dev/null ||
        fail "$2 was not taken"
    echo "entered $1 sample $name"
}

wait_until_ready || fail "the service did not start"
make_house
for sample in "$tree"/runner/games/*/sample_*; do
    enter_sample "$(basename "$(dirname "$sample")")" "$sample"
done

cat <<TEXT

bout is at $site (leaderboards: open it in a browser). Stop it with ctrl-C.

A user, a bot, and where it stands:
  curl -s $site/v1/users -H 'Content-Type: application/json' -d '{"name":"me"}'
  TOKEN=...   # from the answer; it is shown once
  curl -s $site/v1/bots -H "Authorization: Bearer \$TOKEN" \\
      -F name=mybot -F game=tron -F source=@mybot.c
  curl -s '$site/v1/leaderboard?game=tron'
A first bot to copy: runner/games/tron/starter.c
TEXT

trap 'kill -TERM $server 2>/dev/null || :' INT TERM
trap - EXIT
code=0
wait "$server" || code=$?
while kill -0 "$server" 2>/dev/null; do # a signal ended the wait, not it
    code=0
    wait "$server" || code=$?
done
exit "$code"
