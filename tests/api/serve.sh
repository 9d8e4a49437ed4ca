# serve.sh: sourced by tests of the running service, after tests/tap.sh.
# serve_start starts one with fresh data in $scratch/data; requests go by `api`.
# Requests pass a proxy (described.py) that holds every answer against the
# service's own /openapi.json; serve_done tells what it found.
data=$scratch/data
server=
proxy=
trap 'serve_stop; rm -rf "$scratch"' EXIT

# The proxy's address is $site, the service's own $server_site.
serve_start_proxy() {
    [ -z "$proxy" ] || kill "$proxy" 2>/dev/null
    python3 tests/api/described.py "$server_site" "$scratch/undescribed" \
        >"$scratch/proxy.out" 2>>"$scratch/proxy.err" &
    proxy=$!
    for _ in $(seq 200); do
        site=$(cat "$scratch/proxy.out")
        [ -z "$site" ] || return 0
        kill -0 "$proxy" 2>/dev/null || break
        sleep 0.1
    done
    echo "Bail out! the proxy did not start"
    sed 's/^/# /' "$scratch/proxy.err"
    exit 1
}

serve_start() { # [OPTION]...
    : >"$scratch/serve.out"
    "$bout" serve --data "$data" --listen 127.0.0.1:0 "$@" \
        >"$scratch/serve.out" 2>>"$scratch/serve.err" &
    server=$!
    for _ in $(seq 600); do # it builds every game's referee first
        server_site=$(sed -n 's/.*listening on \(http[^,]*\),.*/\1/p' \
            "$scratch/serve.out")
        if [ -n "$server_site" ] &&
            curl -fsS "$server_site/readyz" >/dev/null 2>&1; then
            admin=$(cat "$data/admin.token")
            serve_start_proxy
            return 0
        fi
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    echo "Bail out! the service did not start"
    sed 's/^/# /' "$scratch/serve.err"
    exit 1
}

serve_stop() { # [SIGNAL]; the exit code is in $stopped
    stopped=
    [ -n "$server" ] || return 0
    kill "-${1:-TERM}" "$server" 2>/dev/null
    wait "$server" 2>/dev/null
    stopped=$?
    server=
    kill "$proxy" 2>/dev/null
    wait "$proxy" 2>/dev/null
}

# Before tap_done.
serve_done() {
    is "every answer is as /openapi.json says" '' \
        "$(sort "$scratch/undescribed" 2>/dev/null | uniq -c | head -20)"
    is "and the proxy that looked met no error" '' \
        "$(cat "$scratch/proxy.err" 2>/dev/null)"
}

# api METHOD PATH [CURL OPTION]...: the body is in $body, the status in $status.
api() {
    local method=$1 path=$2
    shift 2
    status=$(curl -sS -m 90 -o "$scratch/body" -w '%{http_code}' \
        -X "$method" ${token:+-H "Authorization: Bearer $token"} "$@" \
        "$site$path" 2>"$scratch/curl.err")
    body=$(cat "$scratch/body" 2>/dev/null)
}

post() { # PATH JSON [CURL OPTION]...
    api POST "$1" -H 'Content-Type: application/json' -d "$2" "${@:3}"
}

get() { # JQ FILTER of the last body
    printf '%s' "$body" | jq -r "$1"
}

new_user() { # NAME [MEMBERS]: its token is in $token
    token=$admin
    post /v1/users "{\"name\":\"$1\"${2:-}}"
    token=$(get .token)
}

# await PATH: GET until it is settled. A loaded machine may need more than the
# 60 seconds that one request can wait.
await() {
    for _ in 1 2 3 4 5; do
        api GET "$1?wait=60"
        case $(get .status) in
        queued | compiling | checking | running) ;;
        *) return ;;
        esac
    done
}

# enter_bot NAME GAME FILE: the id is in $bot, where it ended in $body.
enter_bot() {
    api POST /v1/bots -F "name=$1" -F "game=$2" -F "source=@$3"
    bot=$(get .id)
    [ "$status" = 202 ] && await "/v1/bots/$bot"
}

# play_match GAME BOTS [MEMBERS]: the id is in $match, the result in $body.
play_match() {
    post /v1/matches "{\"game\":\"$1\",\"bots\":[$2]${3:+,$3}}"
    match=$(get .id)
    [ "$status" = 202 ] && await "/v1/matches/$match"
}
