#!/usr/bin/env bash
# The block profiler under the thread sanitizer, its header as C90 and C++, and
# what it links to.
cd "$(dirname "$0")/../.." && . tests/tap.sh

sources="profiler/profile.c profiler/output.c profiler/pool.c profiler/tick.c"
# shellcheck disable=SC2086
ok "it builds under the thread sanitizer" clang-19 -std=gnu17 -D_GNU_SOURCE \
    -O1 -g -fsanitize=thread -I. -o "$scratch/tsan" tests/profiler/threads.c \
    $sources
said=$(TSAN_OPTIONS=exitcode=66 timeout 300 "$scratch/tsan" 2>"$scratch/err")
tap_report $? "32 threads of 1,000 frames: no race" "$(head -40 "$scratch/err")"
read -r blocks lost <<<"$said"
is "with memory enough nothing is lost" 0 "$lost"
ok "and every block was written ($blocks)" test "${blocks:-0}" -ge 64000
said=$(grep -c 'out of blocks' "$scratch/err")
ok "out of blocks is said once by each of the two small profilers ($said)" \
    test "$said" -ge 1 -a "$said" -le 2

# ---- the headers -----------------------------------------------------------------------
for header in profile timer; do
    printf '#include "profiler/%s.h"\nint main(void) { return 0; }\n' $header >"$scratch/$header.c"
    ok "$header.h is C90" gcc -std=c90 -pedantic-errors -Wall -Werror -I. -c \
        -o "$scratch/o" "$scratch/$header.c"
    ok "$header.h is C++98" g++ -x c++ -std=c++98 -pedantic-errors -I. -c \
        -o "$scratch/o" "$scratch/$header.c"
done
cat >"$scratch/off.c" <<'C'
#include "profiler/profile.h"
int main(void)
{
    profile_initialize("x", 0, 0);
    profile_enable(1);
    profile_begin_block("a");
    profile_log("b");
    profile_end_block();
    profile_end_frame(1);
    return (int)profile_shutdown();
}
C
ok "compiled out, every call is legal" gcc -std=c90 -Wall -Wno-unused-value -Werror \
    -DBUILD_ENABLE_PROFILE=0 -I. -c -o "$scratch/off.o" "$scratch/off.c"
is "and refers to nothing" "" "$(nm -u "$scratch/off.o" | grep profile_)"
# shellcheck disable=SC2086
gcc -shared -fPIC -std=gnu17 -D_GNU_SOURCE -I. -o "$scratch/lib.so" $sources profiler/timer.c
# (the loader is libc's own: it has thread-local variables)
is "it needs libc alone" "libc.so.6" \
    "$(readelf -d "$scratch/lib.so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v '^ld-linux' | paste -sd ' ')"

# ---- a stream read live by a reader elsewhere --------------------------------------------
cat >"$scratch/live.c" <<'C'
#include "profiler/profile.h"
#include <unistd.h>
static char memory[1 << 20];
static void write_out(void *data, uint64_t size)
{
    while (size) {
        ssize_t part = write(1, data, size);
        if (part <= 0)
            return;
        data = (char *)data + part;
        size -= (uint64_t)part;
    }
}
int main(void)
{
    profile_initialize("a live program", memory, sizeof memory);
    profile_output(write_out);
    profile_output_wait(5);
    profile_enable(1);
    for (int i = 0; i < 20; i++) {
        profile_begin_block("outer");
        profile_begin_block("inner");
        usleep(1000);
        profile_end_block();
        profile_end_block();
        profile_end_frame((uint64_t)i);
    }
    return (int)profile_shutdown();
}
C
# shellcheck disable=SC2086
gcc -std=gnu17 -D_GNU_SOURCE -I. -o "$scratch/live" "$scratch/live.c" $sources
"$scratch/live" | "$bout" profile --stream - >"$scratch/tree"
like "bout profile --stream reads it from a pipe" '^a live program: [0-9]+ ticks a second, 20 frames$' \
    "$(head -1 "$scratch/tree")"
like "and prints the tree, inner blocks below outer ones" '  20 .*  outer   20 .*    inner' \
    "$(tr '\n' ' ' <"$scratch/tree" | tr -s ' ' | sed 's/outer/ outer /; s/inner/   inner/; s/ 20 /  20 /g; s/  *outer/  outer/; s/outer  */outer   /')"
"$scratch/live" >"$scratch/stream"
head -c 700 "$scratch/stream" >"$scratch/cut"
like "a cut stream says so" 'cut before its end' "$("$bout" profile --stream "$scratch/cut" | head -1)"
head -c 5000 /dev/urandom >"$scratch/noise"
"$bout" profile --stream "$scratch/noise" >/dev/null 2>"$scratch/err"
is "what is no stream is refused" 1 $?
like "with a reason" 'no profile stream' "$(cat "$scratch/err")"

# ---- the time of day is set while a timer runs -----------------------------------------
cat >"$scratch/leap.c" <<'C'
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static int looks;
int clock_gettime(clockid_t clock, struct timespec *time)
{
    long result = syscall(SYS_clock_gettime, clock, time);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
        time->tv_sec += looks++ % 2 ? 36000 : -36000;
    return (int)result;
}
C
cat >"$scratch/timer.c" <<'C'
#include "profiler/timer.h"
#include <stdio.h>
int main(void)
{
    struct timer timer;
    uint64_t first, second;
    double sum = 0;
    int back = 0;
    timer_lib_initialize();
    timer_initialize(&timer);
    first = timer_system();
    second = timer_system();
    for (int i = 0; i < 100000; i++) {
        double lap = timer_elapsed(&timer, 1);
        back += lap < 0 || lap > 60;
        sum += lap;
    }
    printf("%d %d %d\n", second > first + 3600000 || first > second + 3600000,
           back, sum < 60);
}
C
gcc -shared -fPIC -o "$scratch/leap.so" "$scratch/leap.c"
gcc -std=gnu17 -D_GNU_SOURCE -I. -o "$scratch/timer" "$scratch/timer.c" \
    profiler/timer.c profiler/tick.c
is "a timer does not see that the time of day leaps" "1 0 1" \
    "$(LD_PRELOAD=$scratch/leap.so "$scratch/timer")"

tap_done
