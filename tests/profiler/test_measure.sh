#!/usr/bin/env bash
# bout measure: what a command and its descendants took, in three formats.
cd "$(dirname "$0")/../.." && . tests/tap.sh
top=$PWD

measure() { # OPTION... -- COMMAND...: the document
    timeout 120 "$bout" measure --format json -o "$scratch/m.json" "$@" \
        2>"$scratch/err"
    code=$?
}
value() { # NAME
    jq ".$1" "$scratch/m.json"
}
# Burns a second of processor time and says how much it took itself by then, its
# own start included.
cat >"$scratch/burn.py" <<'PYTHON'
import resource, sys, time
while time.process_time() < 1: pass
used = resource.getrusage(resource.RUSAGE_SELF)
open(sys.argv[1], "w").write(str(int(1000 * (used.ru_utime + used.ru_stime))))
PYTHON
near() { # TEXT: what was measured is what the burner says, and a little more
    local spent said
    spent=$(jq '.TIME_ELAPSED_USER_MS + .TIME_ELAPSED_SYSTEM_MS' "$scratch/m.json")
    said=$(cat "$scratch/said")
    ok "$1 ($spent ms, it says $said)" test "$said" -ge 990 -a \
        "$spent" -ge "$said" -a "$spent" -le $((said + 900))
}

# ---- whose time -------------------------------------------------------------------
measure -- sh -c "sh -c 'python3 $scratch/burn.py $scratch/said'; exit 7"
is "the command's exit code is passed on" 7 "$code"
is "and is a result" 7 "$(value EXIT_CODE)"
near "a grandchild that burns a second shows a second"
mkfifo "$scratch/done"
measure -- sh -c "(setsid sh -c 'python3 $scratch/burn.py $scratch/said; echo >$scratch/done' &) ; cat $scratch/done"
near "so does one whose parent ended"
measure --source system -- python3 -c 'import threading, hashlib
def work():
    for _ in range(60): hashlib.sha256(bytes(1 << 21)).digest()
all = [threading.Thread(target=work) for _ in range(4)]
[t.start() for t in all]; [t.join() for t in all]'
ok "a load of several threads is not cut at 100 or 255 %" \
    jq -e '.CPU_USED_PROCESS_PERCENT.max > 0' "$scratch/m.json"
ok "a series has at most 300 points, its times rising" jq -e \
    '.RAM_USED_PROCESS_KB.timeseries | (.values | length) <= 300 and
     (.timestamps | map(rtrimstr("ms") | tonumber)) == (.timestamps | map(rtrimstr("ms") | tonumber) | sort)' \
    "$scratch/m.json"
measure -- sh -c 'kill -9 $$'
is "a command ended by signal 9 is 137" 137 "$code"
is "and the signal is a result" 9 "$(value EXIT_SIGNAL)"
is "without an exit code there is null" null "$(value EXIT_CODE)"
measure -- nosuchcommand
is "no such command: 127, as env(1)" 127 "$code"
like "with a reason" 'nosuchcommand: No such file' "$(cat "$scratch/err")"

# ---- what is there ------------------------------------------------------------------
measure -- true
is "wall clock time is a number" number "$(jq -r '.TIME_ELAPSED_WALL_CLOCK_MS | type' "$scratch/m.json")"
like "start is a time of day in UTC" '^"20[0-9-]+T[0-9:.]+Z"$' "$(value TIME_START)"
is "a machine without an energy counter has null, not 0" \
    "$([ -r /sys/class/powercap/intel-rapl:0/energy_uj ] && echo number || echo null)" \
    "$(jq -r '.CPU_ENERGY_SYSTEM_JOULES | type' "$scratch/m.json")"
is "names are the table's" 0 "$(jq -r 'keys[]' "$scratch/m.json" |
    grep -cvxF -f <("$bout" measure --list | awk -F' *\\| *' '{ print $2 }'))"
cc -shared -fPIC -o "$scratch/libnvidia-ml.so.1" tests/profiler/nvml.c
LD_LIBRARY_PATH=$scratch measure --source gpu -- true
is "a GPU is seen by its library" '[true,"Test GPU",6912,40960,55,120.5]' \
    "$(jq -c '[.GPU_SUPPORTED, .GPU_MODEL_NAME, .GPU_NUM_CORES, .GPU_VRAM_AVAILABLE_SYSTEM_MB,
        .GPU_USED_SYSTEM_PERCENT.max, .GPU_ENERGY_SYSTEM_JOULES]' "$scratch/m.json")"
is "what others have on it is not ours" 0 "$(value GPU_VRAM_USED_PROCESS_MB.max)"

# ---- git -------------------------------------------------------------------------------
git init -q -b trunk "$scratch/repo"
cd "$scratch/repo" || exit 1
git config user.name test && git config user.email test@example.org
echo one >file && git add file && git commit -qm first && git tag v1
measure --source git -- true
is "git: commit, branch, tags" "[\"$(git rev-parse HEAD)\",\"trunk\",[\"v1\"],false,false]" \
    "$(jq -c '[.GIT_LAST_COMMIT_HASH, .GIT_BRANCH, .GIT_TAGS, .GIT_UNCOMMITTED_CHANGES, .GIT_UNCHECKED_FILES]' "$scratch/m.json")"
before=$(value GIT_HASH)
is "git: no remote is null" null "$(value GIT_REMOTE_ORIGIN)"
echo two >>file && echo new >other
measure --source git -- true
is "git: a change and a new file" '[true,true]' \
    "$(jq -c '[.GIT_UNCOMMITTED_CHANGES, .GIT_UNCHECKED_FILES]' "$scratch/m.json")"
ok "git: the hash of all files differs" test "$before" != "$(value GIT_HASH)"
mkdir .devcontainer && echo '{}' >.devcontainer/devcontainer.json
measure --source devcontainer -- true
is "devcontainer: its description is found" '[".devcontainer/devcontainer.json"]' \
    "$(jq -c .DEVCONTAINER_CONF_PATHS "$scratch/m.json")"
cd "$scratch" || exit 1
measure --source git -- true
is "git: outside a tree it says so" false "$(value GIT_IS_REPO)"
is "git: nothing is left in the temporary folder" 0 \
    "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'bout-measure*' -newer "$scratch/repo/file" | wc -l)"

# ---- options and formats ----------------------------------------------------------------
"$bout" measure --source system,git --format irmetadata -o "$scratch/m.yaml" -- true
is "irmetadata is YAML with the fields of ir_metadata 0.2" \
    'True 0.2 implementation platform resources' \
    "$(python3 -c 'import sys, yaml
d = yaml.safe_load(open(sys.argv[1]))
r = d["resources"]["runtime"]
print(r["wallclock"].endswith(" ms") and "kernel" in d["platform"]["operating system"],
      d["schema version"], *sorted(k for k in d if k != "schema version"))' "$scratch/m.yaml")"
like "simple is a line a measure, behind the command's own output" \
    '^hello TIME_ELAPSED_WALL_CLOCK_MS: [0-9]+ $' \
    "$("$bout" measure --source TIME_ELAPSED_WALL_CLOCK_MS -- echo hello | tr '\n' ' ')"
is "a poll interval is honoured" 1 "$("$bout" measure --source RAM_USED_SYSTEM_MB \
    --poll-interval 100000 --format json -- sleep 0.5 |
    jq '.RAM_USED_SYSTEM_MB.timeseries.values | length == 2 | if . then 1 else 0 end')"
"$bout" measure --source frob -- true 2>"$scratch/err"
is "an unknown source is a usage error" 2 $?
like "that names the sources" 'git,system,energy' "$(cat "$scratch/err")"
"$bout" measure --format frob -- true 2>/dev/null
is "so is an unknown format" 2 $?
"$bout" measure 2>/dev/null
is "so is no command" 2 $?
like "--list has every measure" 'CPU_TEMPERATURE_CELSIUS \| temperature \| series' \
    "$("$bout" measure --list)"
cd "$top" || exit 1
ok "the table in profiler/README.md is the code's" diff \
    <("$bout" measure --list) <(sed -n '/^| measure | provider/,/^$/p' profiler/README.md | grep '^|')
"$bout" measure --quiet -o "$scratch/no/such/file" -- true 2>/dev/null
is "a file that cannot be written is a failure" 1 "$(($? == 1 || $? == 3))"

tap_done
