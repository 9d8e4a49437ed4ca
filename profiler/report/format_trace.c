/* trace: the Trace Event Format of Chrome (a slot is a thread, a turn a
 * complete event), for Perfetto, chrome://tracing and speedscope. Its clock is
 * the instruction clock: 1 instruction = 1 ns since turn 0 began, each slot by
 * its own. The program's own blocks lie in the turn, its messages beside.
 * `args` of a turn has its instructions exactly and its dearest functions; a
 * counter shows the instructions of each turn. */
#include "profiler/report/model_internal.h"
#include "runner/base/cleanup.h"

#include <inttypes.h>

#define TRACE_FUNCTIONS_MAX 10

/* Microseconds with three decimals. */
static void add_time(struct buf *out, const char *key, uint64_t ns)
{
    buf_add_format(out, ",\"%s\":%" PRIu64 ".%03u", key, ns / 1000,
                   (unsigned)(ns % 1000));
}

struct function_cost {
    uint32_t function;
    uint64_t instructions;
};

static int dearest_first(const void *left, const void *right)
{
    const struct function_cost *a = left;
    const struct function_cost *b = right;

    if (a->instructions != b->instructions)
        return a->instructions < b->instructions ? 1 : -1;
    return (a->function > b->function) - (a->function < b->function);
}

static void add_functions(const struct profile *profile,
                          const struct profile_turn *turn, struct buf *out)
{
    auto_free struct function_cost *sum =
        mem_calloc(profile->function_count + 1, sizeof *sum);

    for (size_t i = 0; i < profile->function_count; i++)
        sum[i].function = (uint32_t)i;
    for (size_t i = 0; i < profile->share_count; i++) {
        const struct share *share = &profile->share[i];
        sum[profile->place[share->place].owner].instructions +=
            turn->moved[share->word] * share->instructions;
    }
    qsort(sum, profile->function_count, sizeof *sum, dearest_first);
    for (size_t i = 0; i < profile->function_count && i < TRACE_FUNCTIONS_MAX &&
                       sum[i].instructions;
         i++) {
        buf_add_char(out, ',');
        report_add_json(out, profile->function[sum[i].function].name);
        buf_add_format(out, ":%" PRIu64, sum[i].instructions);
    }
}

struct trace_turn {
    struct buf *out;
    unsigned slot;
    uint64_t start; /* of the turn */
};

static void add_named(void *user, const struct decode_item *item)
{
    const struct trace_turn *turn = user;
    bool is_block = item->kind == RECORD_BLOCK;
    auto_free char *name = decode_clean(item->text);

    if (!is_block && item->kind != RECORD_LOG)
        return;
    buf_add_str(turn->out, is_block ? ",\n{\"ph\":\"X\",\"cat\":\"block\""
                                    : ",\n{\"ph\":\"i\",\"s\":\"t\","
                                      "\"cat\":\"log\"");
    buf_add_str(turn->out, ",\"name\":");
    report_add_json(turn->out, name);
    buf_add_format(turn->out, ",\"pid\":1,\"tid\":%u", turn->slot);
    add_time(turn->out, "ts", turn->start + item->start);
    if (is_block) {
        add_time(turn->out, "dur", item->end - item->start);
        buf_add_format(turn->out, ",\"args\":{\"instructions\":%" PRIu64 "}",
                       item->end - item->start);
    }
    buf_add_char(turn->out, '}');
}

static void add_slot(const struct profile *profile, unsigned slot,
                     struct buf *out)
{
    uint64_t now = 0;

    buf_add_format(out,
                   ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,"
                   "\"tid\":%u,\"args\":{\"name\":\"slot %u\"}}",
                   slot, slot);
    for (size_t t = 0; t < profile->turn_count; t++) {
        const struct profile_turn *turn = &profile->turn[t];
        uint64_t total = profile_turn_total(profile, turn);
        if (turn->slot != slot)
            continue;
        buf_add_format(out,
                       ",\n{\"ph\":\"X\",\"cat\":\"turn\",\"name\":\"turn %u\","
                       "\"pid\":1,\"tid\":%u",
                       turn->turn, slot);
        add_time(out, "ts", now);
        add_time(out, "dur", total);
        buf_add_format(out, ",\"args\":{\"instructions\":%" PRIu64, total);
        add_functions(profile, turn, out);
        buf_add_str(out, "}}");
        named_read(
            turn, add_named,
            &(struct trace_turn){.out = out, .slot = slot, .start = now});
        buf_add_format(out,
                       ",\n{\"ph\":\"C\",\"name\":\"slot %u\",\"pid\":1,"
                       "\"tid\":%u",
                       slot, slot);
        add_time(out, "ts", now);
        buf_add_format(out, ",\"args\":{\"instructions\":%" PRIu64 "}}", total);
        now += total;
    }
}

static unsigned last_slot(const struct profile *profile)
{
    unsigned last = 0;

    for (size_t t = 0; t < profile->turn_count; t++)
        if (profile->turn[t].slot > last)
            last = profile->turn[t].slot;
    return last;
}

static bool has_slot(const struct profile *profile, unsigned slot)
{
    for (size_t t = 0; t < profile->turn_count; t++)
        if (profile->turn[t].slot == slot)
            return true;
    return false;
}

int profile_write_trace(const struct profile *const *profile, size_t count,
                        struct buf *out)
{
    buf_add_str(out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
                     "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,"
                     "\"tid\":0,\"args\":{\"name\":\"match\"}}");
    for (size_t i = 0; i < count; i++)
        for (unsigned slot = 0; slot <= last_slot(profile[i]); slot++)
            if (has_slot(profile[i], slot))
                add_slot(profile[i], slot, out);
    buf_add_str(out, "]}\n");
    return 0;
}

int format_trace(const struct profile *profile, struct buf *out,
                 struct err *err)
{
    (void)err;
    return profile_write_trace(&profile, 1, out);
}
