#!/usr/bin/env bash
# The HTTP side: processor time of the server (user and system) a request, turn
# about with nginx's `return 200` and with libmicrohttpd alone, loaded by wrk;
# a leaderboard of 10,000 bots; an upload of 8 MB; 1,000 open event streams.
# SECONDS_EACH (2) a round, ROUNDS (5).
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "${BUILD:-build}")
out=$build/bench
seconds=${SECONDS_EACH:-2} rounds=${ROUNDS:-5}
mkdir -p "$out"
for program in wrk nginx; do
    command -v "$program" >/dev/null || { echo "http: install $program" >&2; exit 3; }
done
scratch=$(mktemp -d)
started=()
trap 'kill "${started[@]}" 2>/dev/null || true; rm -rf "$scratch"' EXIT
"${CC:-gcc}" -O2 -o "$out/plain_http" tests/bench/plain_http.c -lmicrohttpd

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}
answers() { # URL
    for _ in $(seq 600); do
        curl -fsS -o /dev/null "$1" 2>/dev/null && return
        sleep 0.1
    done
    echo "http: nothing answers at $1" >&2
    exit 3
}
ticks() { # PID: its processor time, and that of its children, in ticks
    local pid sum=0
    for pid in $1 $(pgrep -P "$1" || true); do
        [ "${2:-}" != alone ] || [ "$pid" = "$1" ] || continue
        sum=$((sum + $(awk '{print $14 + $15}' "/proc/$pid/stat")))
    done
    echo "$sum"
}
load() { # PID URL [alone]: microseconds of the server a request
    local before after count
    before=$(ticks "$1" "${3:-}")
    count=$(wrk -t1 -c32 -d"${seconds}s" "$2" | sed -n 's/ *\([0-9]*\) requests in.*/\1/p')
    after=$(ticks "$1" "${3:-}")
    echo "$((after - before)) $count" | awk -v hz="$(getconf CLK_TCK)" '{print $1 / hz * 1e6 / $2}'
}
median() {
    sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'
}

# ---- a service with 10,000 bots on the leaderboard ----------------------------
serve=("$build/bout" serve --data "$scratch/data" --listen 127.0.0.1:0 --rate 0
    --post-rate 0 --ladder-rate 0 --client-connections 1024)
serve_start() {
    "${serve[@]}" >"$scratch/out" 2>"$scratch/err" &
    server=$!
    started+=("$server")
    for _ in $(seq 600); do
        site=$(sed -n 's/.*listening on \(http[^,]*\),.*/\1/p' "$scratch/out")
        [ -z "$site" ] || break
        sleep 0.1
    done
    answers "$site/healthz"
}
serve_start
kill "$server" && wait "$server"
python3 tests/bench/http_rows.py "$scratch/data/bout.db" 10000
serve_start
admin=$(cat "$scratch/data/admin.token")
port=$(free_port)
"$out/plain_http" "$port" &
plain=$!
started+=("$plain")
answers "http://127.0.0.1:$port/"
nginx_port=$(free_port)
cat >"$scratch/nginx.conf" <<CONF
worker_processes 2;
daemon off;
pid $scratch/nginx.pid;
error_log $scratch/nginx.log;
events { worker_connections 1024; }
http {
    access_log off;
    keepalive_requests 1000000000;
    default_type application/json;
    server { listen 127.0.0.1:$nginx_port; location / { return 200 '{"status":"ok"}\n'; } }
}
CONF
nginx -p "$scratch" -c "$scratch/nginx.conf" 2>/dev/null &
nginx=$!
started+=("$nginx")
answers "http://127.0.0.1:$nginx_port/"

for _ in $(seq "$rounds"); do
    load "$server" "$site/healthz" alone >>"$scratch/ours"
    load "$plain" "http://127.0.0.1:$port/" >>"$scratch/plain"
    load "$nginx" "http://127.0.0.1:$nginx_port/" >>"$scratch/nginx"
    load "$server" "$site/v1/leaderboard?game=tron" alone >>"$scratch/leaders"
done
row() { # NAME UNIT OURS [PEER NUMBER]...
    jq -cn --arg name "$1" --arg unit "$2" --argjson ours "$3" \
        '{group: "http", name: $name, unit: $unit, ours: $ours,
          peers: ($ARGS.positional | [range(0; length; 2) as $i | {(.[$i]): (.[$i + 1] | tonumber)}] | add // {})}' \
        --args "${@:4}"
}
peers=("libmicrohttpd alone" "$(median <"$scratch/plain")"
    "nginx return 200" "$(median <"$scratch/nginx")")
row "GET /healthz" "us of the server" "$(median <"$scratch/ours")" "${peers[@]}"
row "leaderboard of 10,000 bots" "us of the server" "$(median <"$scratch/leaders")"

# ---- 8 MB up --------------------------------------------------------------------
memory() { # FIELD: kB
    awk -v field="$1:" '$1 == field {print $2}' "/proc/$server/status"
}
user=$(curl -fsS -H "Authorization: Bearer $admin" -H 'Content-Type: application/json' \
    -d '{"name":"uploader"}' "$site/v1/users" | jq -r .token)
{
    cat runner/games/tron/sample_wall.c
    head -c 8000000 /dev/zero | tr '\0' '\n'
} >"$scratch/big.c"
upload() {
    curl -fsS -o /dev/null -H "Authorization: Bearer $user" -F "name=b$1" \
        -F game=tron -F "source=@$scratch/big.c" "$site/v1/bots"
}
upload 0
peak=0 before=$(memory VmRSS)
for n in 1 2 3 4 5; do
    upload "$n"
done
peak=$(memory VmHWM) after=$(memory VmRSS)
row "five uploads of 8 MB: peak memory" MB "$((peak / 1024))"
row "memory that stays after them" MB "$(((after - before) / 1024))"

# ---- 1,000 open event streams -----------------------------------------------------
python3 tests/bench/http_streams.py "$site" 1000 "$server" |
    while read -r name value unit; do
        row "1,000 event streams: ${name//_/ }" "${unit//_/ }" "$value"
    done
