#!/usr/bin/env bash
# The steps of docker/Dockerfile in a bare Debian 12 of its own, without Docker:
# each FROM is a copy of a fresh root (debootstrap), each RUN a shell in it. Then
# the kit is used there by the unprivileged user that the image has. Wants root,
# the network and 3 GB; ROOT=DIR names a root that debootstrap made before,
# PACKAGE=FILE takes that package and leaves the stage that makes it out.
cd "$(dirname "$0")/../.." && . tests/tap.sh

root=${ROOT:-$scratch/bare}
tree=$PWD
stage=
user=root
folder=/
n=0

# within COMMAND...: in the stage, with a private /proc, /dev of its own, as $user.
within() {
    # shellcheck disable=SC2016
    unshare -m --propagation private sh -c '
        mount --rbind "$1" "$1" && mkdir -p "$1/proc" "$1/dev" && mount -t proc proc "$1/proc" &&
        mount --rbind /dev "$1/dev" && mkdir -p "$1/.old" && cd "$1" && pivot_root . .old &&
        umount -l /.old && shift &&
        user=$1 folder=$2 && shift 2 && cd "$folder" &&
        export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive &&
        exec setpriv --reuid "$user" --regid "$(id -g "$user")" --clear-groups \
            env -i PATH="$PATH" HOME="$(getent passwd "$user" | cut -d: -f6)" DEBIAN_FRONTEND=noninteractive "$@"' \
        sh "$stage" "$user" "$folder" "$@" </dev/null
}

step() { # INSTRUCTION REST
    case $1 in
    FROM)
        n=$((n + 1)) stage=$scratch/stage$n user=root folder=/
        cp -a "$root" "$stage"
        cp /etc/resolv.conf "$stage/etc/resolv.conf"
        ;;
    COPY)
        case $2 in
        '. /src') mkdir -p "$stage/src" && git archive HEAD | tar -C "$stage/src" -x ;;
        *) cp "${PACKAGE:-$scratch/stage1/bout.deb}" "$stage/bout.deb" ;;
        esac
        ;;
    RUN) timeout 3000 bash -c "$(declare -f within); $(declare -p stage user folder); within sh -c $(printf %q "$2")" ;;
    USER) user=$2 ;;
    WORKDIR) folder=$2 && mkdir -p "$stage$folder" ;;
    ENTRYPOINT) entry=$(jq -r '.[0]' <<<"$2") ;;
    *) return 1 ;;
    esac
}

if [ "$(id -u)" != 0 ]; then
    skip "the steps of docker/Dockerfile" "a root of its own wants root"
    tap_done
    exit
fi
[ -n "${ROOT:-}" ] || ok "a bare Debian 12" timeout 1800 debootstrap --variant=minbase bookworm "$root"
while read -r instruction rest; do
    case $instruction in '' | '#'*) continue ;; esac
    [ "$instruction" != FROM ] || stages=$((${stages:-0} + 1))
    if [ -n "${PACKAGE:-}" ] && [ "$stages" = 1 ]; then continue; fi
    step "$instruction" "$rest" >"$scratch/said" 2>&1
    tap_report $? "$instruction $rest" "$(tail -15 "$scratch/said")"
done <docker/Dockerfile

# ---- as the image's user ----------------------------------------------------------
kit() { timeout 600 bash -c "$(declare -f within); $(declare -p stage user folder); within $entry $(printf '%q ' "$@")"; }
is "the user is not root" player "$user"
ok "the tree is not there" test ! -e "$stage/src" -a ! -e "$stage$tree"
like "doctor tells the level" '^level [1-4] of 4' "$(kit doctor 2>&1)"
is "a first bot" 0 "$(kit new connect4 --lang c++ mybot >/dev/null 2>&1; echo $?)"
said=$(kit play connect4 mybot /usr/lib/bout/games/connect4/sample_random.c --seed 3 --replay a.log --json 2>&1)
is "plays a sample" 'ok ok' "$(jq -r '[.results[].verdict] | join(" ")' <<<"$said" 2>&1)"
is "with this machine's fingerprint" "$("$bout" fingerprint)" "$(kit fingerprint 2>&1)"
timeout 200 "$bout" play connect4 "$stage$folder/mybot" runner/games/connect4/sample_random.c --seed 3 \
    --replay "$scratch/here.log" >/dev/null 2>&1
ok "and every byte of the log as here" cmp "$scratch/here.log" "$stage$folder/a.log"
like "why tells how it ended" 'connect4' "$(kit why a.log 2>&1)"

tap_done
