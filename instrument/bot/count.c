/* count: the exact count from counters on chords, and their fuel.
 *
 * Theory of operation. A function counts on some of its edges only; the sum of
 * weight * counter over all functions is the exact count wherever it is asked
 * for (instrument/meter/tree.h). Adding up takes about a microsecond, so checks
 * do not do it. Each check has a counter that starts `fuel` passes below zero
 * and comes here when it reaches it. A pass has a price such that what is
 * executed never exceeds the prices passed by more than BOUND_MAX (bound.h).
 *
 * `pool` is what may still be given away. It is filled from an exact count:
 *
 *     pool + allowance + sum of fuel * price <= remaining - held
 *
 * so with fuel alone nobody gets beyond what remains. A check is given a small
 * share of the pool at first and twice as much each time it comes back, up to a
 * 64th: hot ones come seldom, and many of them fit in the pool together. When
 * half the pool is gone the count is taken again, and where the checks hold
 * more than half of what remains, all fuel is halved. Prices known at run time
 * come out of `allowance` in the same way; BOUND_MAX is held back for their
 * sake, so that a price is never granted that what remains does not cover. Near
 * the end nothing is held and prices take the slow path each; then checks get
 * passes one by one, until the count is over the limit: at most BOUND_MAX late.
 * All this depends on counters and budget alone: equal on every run and host.
 *
 * A counter without fuel holds the true count. One with fuel holds minus the
 * passes left; the rest is in its `base`, and `correction` is what is missing
 * in the sum for that. Between turns the counters are true ("parked").
 */
#include "instrument/bot/inside.h"

#define COUNT_BOUND 4096u /* BOUND_MAX */
#define COUNT_NEAR (4ul * COUNT_BOUND)
#define COUNT_FIRST_SHARE 1024u
#define COUNT_MOST_SHARE 64u

typedef uint64_t HIDDEN *count_word;

static inline count_word words(void)
{
    // cppcheck-suppress CastIntegerToAddressAtReturn
    return (count_word)bot_hidden_at(PAGE_HIDDEN_COUNTERS);
}

static inline uint64_t summed(void)
{
    return __bout_plan.fuel + __bout_plan.counters;
}

static inline uint64_t weight(uint64_t word)
{
    return __bout_plan.word[word];
}

/* Of a stop: the fuel counter of its check, and the price of a pass. */
static inline uint64_t check_of(uint64_t stop)
{
    return __bout_plan.word[summed() + __bout_plan.stops + stop];
}

/* Behind the counters: for each fuel counter its base, its last grant, and the
 * list of those that have fuel. */
static inline count_word bases(void)
{
    return words() + summed() + __bout_plan.stops + __bout_plan.reference;
}

static inline count_word grants(void)
{
    return bases() + __bout_plan.fuel;
}

static inline count_word list(void)
{
    return grants() + __bout_plan.fuel;
}

static int has_chords(void)
{
    return __bout_plan.placement == PLAN_CHORDS ||
           __bout_plan.placement == PLAN_BOTH;
}

uint64_t bot_count(void)
{
    const count_word counter = words();
    const uint64_t *factor = __bout_plan.word;
    uint64_t count = summed();
    uint64_t a = 0, b = 0, c = 0, d = 0;
    uint64_t i = 0;

    if (!has_chords())
        return bot_hidden.counted +
               (uint64_t)(bot_hidden.budget - bot_hidden.remaining);
    for (; i + 4 <= count; i += 4) {
        a += counter[i] * factor[i];
        b += counter[i + 1] * factor[i + 1];
        c += counter[i + 2] * factor[i + 2];
        d += counter[i + 3] * factor[i + 3];
    }
    for (; i < count; i++)
        a += counter[i] * factor[i];
    return a + b + c + d + bot_hidden.correction + bot_hidden.read_charge +
           bot_hidden.write_charge + bot_hidden.page_charge;
}

/* ---- fuel ----------------------------------------------------------------
 */

/* Of a check: stops are in the order of the fuel counters only within a
 * function, so the list holds stops. */
static uint64_t fuel_of(uint64_t stop)
{
    return check_of(stop) & PLAN_SITE;
}

static uint64_t price_of(uint64_t stop)
{
    return check_of(stop) >> 32;
}

/* The counter's true value stays; `passes` of at most 1 are none: the next one
 * comes here. */
static void set_fuel(uint64_t fuel, uint64_t passes)
{
    uint64_t was = bases()[fuel];
    uint64_t now = words()[fuel] + was;
    uint64_t base = 0;

    if (passes > 1)
        base = now + passes;
    words()[fuel] = now - base;
    bases()[fuel] = base;
    bot_hidden.correction += weight(fuel) * (base - was);
}

static uint64_t passes_left(uint64_t fuel)
{
    return bases()[fuel] ? -words()[fuel] : 0;
}

/* Divides all fuel by 2^shift and drops those that have none from the list.
 * Returns what is still held. */
static uint64_t shrink(unsigned shift)
{
    uint64_t held = 0;
    uint64_t kept = 0;

    for (uint64_t i = 0; i < bot_hidden.fuelled; i++) {
        uint64_t stop = list()[i];
        uint64_t fuel = fuel_of(stop);
        uint64_t passes = shift < 64 ? passes_left(fuel) >> shift : 0;

        if (shift)
            set_fuel(fuel, passes);
        if (passes > 1) {
            held += passes * price_of(stop);
            list()[kept++] = stop;
        } else {
            set_fuel(fuel, 0);
            grants()[fuel] = 0;
        }
    }
    bot_hidden.fuelled = kept;
    return held;
}

/* Puts what remains into the pool, but for what the checks hold. */
static void settle(uint64_t remaining)
{
    uint64_t free = remaining;
    uint64_t held = shrink(0);
    unsigned shift = 0;

    if (remaining >= COUNT_NEAR)
        free -= COUNT_BOUND;
    while (held >> shift > free / 2)
        shift++;
    if (shift)
        held = shrink(shift);
    free -= held;
    bot_hidden.allowance = 0;
    if (remaining >= COUNT_NEAR) {
        bot_hidden.allowance = (int64_t)(free / COUNT_MOST_SHARE);
        free -= free / COUNT_MOST_SHARE;
    }
    bot_hidden.pool = free;
    bot_hidden.pool_start = free;
}

/* `stop`'s weight belongs to the sum at its check or site. */
static void take_count(uint64_t stop, uint64_t ip)
{
    uint64_t extra = weight(summed() + stop);
    uint64_t spent = bot_count() + extra - bot_hidden.counted;
    int64_t remaining = bot_hidden.budget - (int64_t)spent;

    if (remaining < 0) {
        words()[summed() + stop]++;
        bot_hidden.correction += extra;
        bot_leave(PAGE_END_BUDGET, 0, ip);
    }
    settle((uint64_t)remaining);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static void give(uint64_t stop)
{
    uint64_t fuel = fuel_of(stop);
    uint64_t price = price_of(stop);
    uint64_t last = grants()[fuel];
    uint64_t share =
        last ? 2 * last : bot_hidden.pool / COUNT_FIRST_SHARE + 2 * price;
    uint64_t passes = least(share, bot_hidden.pool / COUNT_MOST_SHARE) / price;

    if (passes <= 1) {
        /* Not covered by the pool, so nobody else may run on either. */
        if (price > bot_hidden.pool)
            shrink(64);
        bot_hidden.pool -= least(price, bot_hidden.pool);
        return;
    }
    bot_hidden.pool -= passes * price;
    if (!last)
        list()[bot_hidden.fuelled++] = stop;
    grants()[fuel] = passes * price;
    set_fuel(fuel, passes);
}

void bot_refuel(uint64_t ip)
{
    uint64_t first = PAGE_HIDDEN_COUNTERS + 8 * summed();
    uint64_t stop = (bot_hidden.check - first) / 8;
    uint64_t fuel = fuel_of(stop);

    if (fuel == PLAN_SITE) {
        take_count(stop, ip);
        return;
    }
    set_fuel(fuel, 0);
    if (bot_hidden.pool <= bot_hidden.pool_start / 2 ||
        price_of(stop) > bot_hidden.pool)
        take_count(stop, ip);
    give(stop);
}

/* ---- prices -------------------------------------------------------------- */

void bot_pay(uint64_t price, bot_charge charge, uint64_t ip)
{
    *charge += price;
    bot_hidden.remaining -= (int64_t)price;
    if (!has_chords()) {
        if (bot_hidden.remaining < 0)
            bot_leave(PAGE_END_BUDGET, 0, ip);
        return;
    }
    bot_hidden.allowance -= (int64_t)price;
    if (bot_hidden.allowance >= 0)
        return;

    int64_t remaining =
        bot_hidden.budget - (int64_t)(bot_count() - bot_hidden.counted);
    if (remaining < 0)
        bot_leave(PAGE_END_BUDGET, 0, ip);
    settle((uint64_t)remaining);
}

void __bout_increment(uint64_t n)
{
    bot_hidden.remaining -= (int64_t)n;
    if (bot_hidden.remaining < 0)
        bot_leave(PAGE_END_BUDGET, 0, BOT_CALLER);
}

/* ---- turns ---------------------------------------------------------------
 */

/* Fuel that is left serves the next turn too: put aside in the bases. */
static void park(void)
{
    for (uint64_t i = 0; i < bot_hidden.fuelled; i++) {
        uint64_t fuel = fuel_of(list()[i]);
        uint64_t passes = passes_left(fuel);

        set_fuel(fuel, 0);
        bases()[fuel] = passes;
    }
}

static void unpark(void)
{
    for (uint64_t i = 0; i < bot_hidden.fuelled; i++) {
        uint64_t fuel = fuel_of(list()[i]);
        uint64_t passes = bases()[fuel];

        bases()[fuel] = 0;
        set_fuel(fuel, passes);
    }
}

void bot_count_open(void)
{
    bot_hidden.parked = 0;
    if (!has_chords()) {
        bot_hidden.counted = 0;
        return;
    }
    unpark();
    settle((uint64_t)bot_hidden.budget);
}

void bot_count_close(void)
{
    if (bot_hidden.parked || !has_chords())
        return;

    uint64_t count = bot_count();

    bot_hidden.remaining =
        bot_hidden.budget - (int64_t)(count - bot_hidden.counted);
    bot_hidden.counted = count;
    park();
    bot_hidden.parked = 1;
}

void bot_count_compare(uint64_t ip)
{
    if (__bout_plan.placement != PLAN_BOTH || bot_hidden.parked)
        return;
    if (bot_hidden.budget - (int64_t)(bot_count() - bot_hidden.counted) !=
        bot_hidden.remaining)
        bot_leave(PAGE_END_METER, 0, ip);
}
