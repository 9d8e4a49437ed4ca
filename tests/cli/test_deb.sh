#!/usr/bin/env bash
# The Debian package of the kit: unpacked into a folder and used from there in a
# mount namespace that has neither the tree nor its caches. That its
# dependencies are enough is for tests/soak/soak_container.sh.
cd "$(dirname "$0")/../.." && . tests/tap.sh

timeout 580 packaging/deb.sh "$BUILD" >"$scratch/name" 2>"$scratch/said"
package=$(tail -1 "$scratch/name")
ok "the package is made" test -f "$package"
like "it needs the compiler and what it is linked with" 'clang-19, lld-19, .*libseccomp2' \
    "$(dpkg-deb -f "$package" Depends)"
is "no file in it is somebody's" 'root/root' \
    "$(dpkg-deb -c "$package" | awk '{print $2}' | sort -u | xargs)"
dpkg-deb -x "$package" "$scratch/root"
ok "it has documentation, licence and the games' samples" test -f "$scratch/root/usr/share/doc/bout/docs/first-bot.md" \
    -a -f "$scratch/root/usr/share/doc/bout/copyright" \
    -a -f "$scratch/root/usr/lib/bout/games/connect4/sample_perfect/book.inc"
rm -f "$package"

# away COMMAND...: without the tree, and with an empty home. Who is not root
# becomes itself again once the mounts are made.
space=(unshare -m) self=()
[ "$(id -u)" = 0 ] || space=(unshare -rm) self=(unshare -U "--map-user=$(id -u)" "--map-group=$(id -g)")
away() {
    # shellcheck disable=SC2016
    timeout 300 "${space[@]}" sh -c 'mount -t tmpfs none "$1" && mount -t tmpfs none "$2" && cd "$3" &&
        shift 3 && exec "$@"' sh "$PWD" "${HOME:-/root}" "$scratch" \
        "${self[@]}" env -i PATH="$PATH" HOME="$scratch/home" "$@" 2>"$scratch/said"
}
mkdir "$scratch/home"
kit=$scratch/root/usr/bin/bout
is "the tree cannot be seen there" '' "$(away ls "$PWD")"
is "the kit has this machine's fingerprint" "$("$bout" fingerprint 2>&1)" "$(away "$kit" fingerprint)"
like "it has the games" 'skirmish .* 2 bots' "$(away "$kit" games)"
is "a first bot is written" 0 "$(away "$kit" new tron --lang c++ mybot >/dev/null; echo $?)"
is "and builds" ready "$(away "$kit" build mybot -o mybot.bot --json | jq -r .status)"
is "its build is the tree's" "$(timeout 100 "$bout" build "$scratch/mybot" -o "$scratch/tree.bot" --json | jq -r .build)" \
    "$(away "$kit" build mybot -o mybot.bot --json | jq -r .build)"
is "and plays a sample" 'ok ok' "$(away "$kit" play tron mybot "$scratch/root/usr/lib/bout/games/tron/sample_wall.c" \
    --seed 4 --replay first.log --json | jq -r '[.results[].verdict] | join(" ")')"
is "the log is verified" 0 "$(away "$kit" replay first.log --verify >/dev/null; echo $?)"
like "why tells how it ended" 'tron' "$(away "$kit" why first.log)"

tap_done
