#!/usr/bin/env bash
# kill -9 of server and workers in mid-match: after the restart each match is
# finished exactly once, and nothing is left running.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/tap.sh

data=$scratch/data
server=
trap 'kill -9 $server 2>/dev/null; rm -rf "$scratch"' EXIT

# A bot that thinks for some milliseconds, so that a kill falls into a match.
cat >"$scratch/slow.c" <<'C'
#include <stdio.h>
int main(void)
{
    char line[4096];
    int width, height, slots, self, turn;
    volatile unsigned work;

    while (scanf("%d", &turn) == 1) {
        scanf("%4095[^\n]", line);
        for (work = 0; work < 1000000; work++)
            ;
        puts("U");
    }
    (void)width, (void)height, (void)slots, (void)self;
    return 0;
}
C

start() { # the server, on any free port; sets server and url
    : >"$scratch/out"
    "$bout" serve --data "$data" --listen 127.0.0.1:0 --registration open \
        --ladder-rate 60 >>"$scratch/out" 2>>"$scratch/log" &
    server=$!
    for _ in $(seq 200); do
        url=$(sed -nE 's/.*listening on (http:[^ ,]*).*/\1/p' "$scratch/out" \
            "$scratch/log" | tail -1)
        [ -n "$url" ] && curl -fs "$url/healthz" >/dev/null && return 0
        sleep 0.1
    done
    return 1
}

below() { # all processes below the server, and its own
    local all=$1 found=$1
    while [ -n "$found" ]; do
        found=$(pgrep -P "$(echo $found | tr ' ' ',')" | tr '\n' ' ')
        all="$all $found"
    done
    echo $all
}

gone() { # PID...: within two seconds
    for _ in $(seq 40); do
        kill -0 "$@" 2>/dev/null || return 0
        sleep 0.05
    done
    ps -o pid,ppid,stat,args -p "$(echo "$@" | tr ' ' ',')"
    return 1
}
