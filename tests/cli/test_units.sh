#!/usr/bin/env bash
# The shipped ways to run and watch the service: the systemd unit and the compose file are
# well formed, and `bout serve` takes what they give it and answers.
cd "$(dirname "$0")/../.." && . tests/tap.sh
unit=packaging/bout.service
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT

# The command's options, a line each; of the compose file the health check too.
python3 - >"$scratch/said" 2>&1 <<'P'
import configparser, yaml
unit = configparser.ConfigParser(strict=False, interpolation=None)
unit.optionxform = str
unit.read("packaging/bout.service")
print("unit", *unit["Service"]["ExecStart"].split()[1:])
compose = yaml.safe_load(open("docker/compose.yaml"))
bout = compose["services"]["bout"]
print("compose", *bout["command"])
for volume in bout["volumes"]:
    assert volume.split(":")[0] in compose["volumes"], volume
for network in bout["networks"]:
    assert network in compose["networks"], network
assert all(isinstance(word, str) for word in bout["command"])
print("check", bout["healthcheck"]["test"][3].replace("\r\n", "\\r\\n"))
P
is "both files can be read" 'unit compose check' \
    "$(cut -d' ' -f1 "$scratch/said" | xargs)"
help=$("$bout" serve --help)
for kind in unit compose; do
    read -r -a words <<<"$(sed -n "s/^$kind //p" "$scratch/said")"
    is "$kind: runs the service" serve "${words[0]}"
    unknown=
    for word in "${words[@]:1}"; do
        case $word in
        --*) grep -q -- "^ *$word " <<<"$help" || unknown+=" $word" ;;
        esac
    done
    is "$kind: every option is one of bout serve's" '' "$unknown"
    # As it is there, but for the places, and the jail that this machine grants.
    args=()
    for ((i = 1; i < ${#words[@]}; i++)); do
        case ${words[i]} in
        --data) args+=(--data "$scratch/$kind") && i=$((i + 1)) ;;
        --listen) args+=(--listen 127.0.0.1:0) && i=$((i + 1)) ;;
        --jail-level) i=$((i + 1)) ;;
        *) args+=("${words[i]}") ;;
        esac
    done
    "$bout" serve "${args[@]}" >"$scratch/$kind.out" 2>"$scratch/$kind.err" &
    server=$!
    for _ in $(seq 1200); do
        port=$(sed -n 's/.*http:[^,]*:\([0-9]*\),.*/\1/p' "$scratch/$kind.out")
        [ -z "$port" ] && kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    check=$(sed -n 's/^check //p' "$scratch/said")
    for _ in $(seq 300); do # its workers come a moment later
        timeout 10 bash -c "${check//8080/${port:-1}}" 2>"$scratch/check.err" &&
            break
        sleep 0.1
    done
    timeout 10 bash -c "${check//8080/${port:-1}}"
    started=$?
    curl -sS "http://127.0.0.1:${port:-1}/metrics" >"$scratch/metrics" 2>&1
    tap_report $started "$kind: it starts, and the health check says so" \
        "$(tail -n 5 "$scratch/$kind.err" "$scratch/check.err")"
    kill "$server"
    wait "$server"
    is "$kind: and stops" 0 $?
    server=
done
timeout 10 bash -c "${check//8080/${port:-1}}" 2>/dev/null
is "the health check of what is stopped fails" 1 $?
like "the container's user owns the volumes" 'install -d -o player .*/data /cache' \
    "$(cat docker/Dockerfile)"

# Prometheus's functions and words are no metrics; `up` is its own.
python3 - >"$scratch/alerts" <<'P'
import re, yaml
for group in yaml.safe_load(open("packaging/alerts.yml"))["groups"]:
    for rule in group["rules"]:
        print(rule["alert"], *set(re.findall(r"\bbout_\w+", rule["expr"])))
        assert rule["labels"]["severity"] and rule["annotations"]["summary"]
P
ok "there are alert rules" [ -s "$scratch/alerts" ]
is "every metric that they look at is there" '' "$(cut -sd' ' -f2- "$scratch/alerts" |
    tr ' ' '\n' | grep . | sort -u | while read -r metric; do
        grep -qE "^$metric[ {]" "$scratch/metrics" || echo "$metric"
    done)"
is "and the guide says for each what to do" "$(cut -d' ' -f1 "$scratch/alerts")" \
    "$(sed -n 's/^| \(Bout[A-Za-z]*\) |.*/\1/p' docs/organiser.md)"

if command -v systemd-analyze >/dev/null; then
    sed "s|^ExecStart=/usr/bin/bout|ExecStart=$bout|" "$unit" >"$scratch/bout.service"
    is "systemd finds nothing wrong with the unit" '' \
        "$(systemd-analyze verify --man=no "$scratch/bout.service" 2>&1 | grep bout.service)"
else
    skip "systemd finds nothing wrong with the unit" "no systemd-analyze here"
fi
tap_done
