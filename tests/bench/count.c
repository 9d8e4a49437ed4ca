/* What the runtime's counting takes (instrument/bot/count.c): the exact count
 * of 2,000 counters; a slow path, over turns of the default budgets of a
 * program with 500 checks, a few of them hot; and what of the turns' time that
 * is, if an instruction takes a third of a nanosecond. */
#include "tests/unit/count_fixture.h"

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double readout(void)
{
    double best = 1e18;
    uint64_t sum = 0;

    count_open(500, 1500);
    for (int round = 0; round < 200; round++) {
        double start = now();

        for (int i = 0; i < 100; i++)
            sum += bot_count();
        double each = (now() - start) / 100;
        best = each < best ? each : best;
    }
    count_release();
    return sum ? 0 : best;
}

struct slow {
    double paths, share, each;
};

static uint32_t which[4000000];
static double sample[1000000];

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The mean, but for the dearest hundredth: there the host took the core. */
static double usual(size_t count)
{
    double sum = 0;
    size_t kept = count - count / 100;

    qsort(sample, count, sizeof *sample, by_value);
    for (size_t i = 0; i < kept; i++)
        sum += sample[i];
    return sum / (double)kept;
}

/* Checks as they come, drawn before: only the slow path is timed. */
static struct slow slow_path(void)
{
    struct slow slow = {0};
    uint64_t executed = 0;
    size_t count = 0;
    const int turns = 20;

    count_open(500, 1500);
    for (uint64_t k = 0; k < 500; k++)
        count_set(k, 1 + k * 7 % 40, 9 + k * 7 % 40);
    for (int turn = 0; turn < turns; turn++) {
        uint64_t before = executed;
        size_t passes = 0;
        bool slow_way = false;

        for (size_t i = 0; i < sizeof which / sizeof *which; i++) {
            uint64_t of = count_draw(100) ? 1 + count_draw(20) : 500;

            which[i] = (uint32_t)count_draw(of);
        }
        bot_hidden.budget = 30000000;
        bot_count_open();
        while (executed - before < 10000000 &&
               passes < sizeof which / sizeof *which) {
            double start = now();

            executed += weight(which[passes]);
            slow_way = count_pass(which[passes++]);
            if (slow_way) {
                sample[count++] = now() - start;
            }
        }
        bot_count_close();
    }
    count_release();
    double clock = now();
    clock = now() - clock;
    slow.each = usual(count) - clock;
    slow.paths = (double)count;
    slow.share = slow.paths * slow.each / ((double)executed / 3);
    slow.paths /= turns;
    return slow;
}

int main(void)
{
    double each = readout();
    struct slow slow;

    if (setjmp(count_left))
        return 3;
    slow = slow_path();
    printf("{\"group\":\"count\",\"name\":\"readout_2000_counters_ns\","
           "\"unit\":\"ns\",\"ours\":%.0f}\n",
           each);
    printf("{\"group\":\"count\",\"name\":\"slow_path_ns\",\"unit\":\"ns\","
           "\"ours\":%.0f}\n",
           slow.each);
    printf("{\"group\":\"count\",\"name\":\"slow_paths_a_turn\",\"unit\":\"\","
           "\"ours\":%.0f}\n",
           slow.paths);
    printf("{\"group\":\"count\",\"name\":\"slow_path_share\","
           "\"unit\":\"percent\",\"ours\":%.2f}\n",
           100 * slow.share);
}
