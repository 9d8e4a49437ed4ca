/* profile: <bout/profile.h> in bots, where a tick is an instruction.
 *
 * Every call reads the exact count and pays for that, whoever listens: the
 * runner, which is told by __bout_event and keeps it where the turn is
 * profiled, and the bot's own writer, which gets the stream of
 * profiler/record.def. A frame is a turn: the runner parts the turns itself.
 *
 * One thread, so nothing is queued. In the caller's buffer stand the open
 * blocks, each in front of those that it contains, and, if there is a writer,
 * what has ended since the outermost one began. `end` of a block that is open
 * is its parent's place. */
#include <string.h>

#include "instrument/bot/page.h"
#include "instrument/library/src/price.h"
#include "profiler/profile.h"
#include "profiler/record.h"

#define TICKS_PER_SECOND 1000000000u
#define WRITES_A_HEAD 12
#define LOG 2
#define NOWHERE UINT64_MAX

static struct {
    const char *identifier; /* NULL: not initialized */
    int is_enabled;
    profile_write_fn writer;
    struct record *record;
    uint64_t capacity, count;
    uint64_t current; /* place of the innermost open block, or NOWHERE */
    uint64_t skipped; /* blocks that have begun, were left out, and are open */
    uint64_t lost;
    uint64_t ground;
    uint64_t writes;
    uint32_t last_id;
} profiler;

static int is_on(void)
{
    return profiler.identifier && profiler.is_enabled;
}

static uint64_t tell(enum page_event_kind kind, const char *text, size_t size,
                     uint64_t number)
{
    return __bout_event(kind, text, size, number) - profiler.ground;
}

static void pay(size_t text_bytes)
{
    __bout_charge(COST_CLOCK);
    __bout_charge((text_bytes + 7) / 8 * COST_PROFILE_WORD);
}

/* ---- records ------------------------------------------------------------- */

static void record_fill(struct record *record, const char *text, size_t size)
{
    memset(record, 0, sizeof *record);
    memcpy(record->text, text, size < RECORD_TEXT ? size : RECORD_TEXT);
    record->more = (uint32_t)(((size > RECORD_TEXT ? size - RECORD_TEXT : 0) +
                               RECORD_TEXT - 1) /
                              RECORD_TEXT);
}

static void lose(void)
{
    static const char hint[] = "profile: no block is left: a larger buffer?\n";

    if (profiler.lost++ == 0)
        __bout_write(LOG, hint, sizeof hint - 1);
}

/* NULL where the buffer has no room for it and its text. */
static struct record *record_add(enum record_kind kind, const char *text,
                                 size_t size)
{
    struct record *record = profiler.record + profiler.count;
    uint64_t records = 1 + (size ? size - 1 : 0) / RECORD_TEXT;

    if (records > profiler.capacity - profiler.count) {
        lose();
        return NULL;
    }
    record_fill(record, text, size);
    record->kind = kind;
    record->id = ++profiler.last_id;
    record->parent =
        profiler.current == NOWHERE ? 0 : profiler.record[profiler.current].id;
    record->thread = 1;
    for (uint32_t i = 1; i <= record->more; i++) {
        size_t done = (size_t)RECORD_TEXT * i;
        record_fill(record + i, text + done, size - done);
        record[i].kind = RECORD_MORE;
        record[i].more = 0;
    }
    profiler.count += 1 + record->more;
    return record;
}

static void write_head(void)
{
    size_t size = strlen(profiler.identifier);
    const char *text = profiler.identifier;
    struct record record;

    record_fill(&record, text, size);
    record.kind = RECORD_HEAD;
    record.id = RECORD_VERSION;
    record.parent = RECORD_BYTE_ORDER;
    record.start = RECORD_MAGIC;
    record.end = TICKS_PER_SECOND;
    profiler.writer(&record, sizeof record);
    for (uint32_t left = record.more; left; left--) {
        text += RECORD_TEXT;
        size -= RECORD_TEXT;
        record_fill(&record, text, size);
        record.kind = RECORD_MORE;
        record.more = 0;
        profiler.writer(&record, sizeof record);
    }
}

/* Where no block is open: all there is. */
static void write_out(void)
{
    if (profiler.current != NOWHERE)
        return;
    if (profiler.writer && profiler.count) {
        if (profiler.writes++ % WRITES_A_HEAD == 0)
            write_head();
        profiler.writer(profiler.record,
                        profiler.count * sizeof *profiler.record);
    }
    profiler.count = 0;
}

/* ---- the calls ----------------------------------------------------------- */

void profile_begin_block(const char *name)
{
    if (!is_on() || profiler.skipped) {
        profiler.skipped += profiler.identifier != NULL;
        return;
    }

    size_t size = strlen(name);

    pay(size);
    struct record *record = record_add(RECORD_BLOCK, name, size);
    if (!record) {
        profiler.skipped++;
        return;
    }
    record->end = profiler.current;
    profiler.current = (uint64_t)(record - profiler.record);
    record->start = tell(PAGE_EVENT_BEGIN, name, size, 0);
}

void profile_end_block(void)
{
    if (profiler.skipped) {
        profiler.skipped--;
        return;
    }
    if (!profiler.identifier || profiler.current == NOWHERE)
        return;

    uint64_t now = tell(PAGE_EVENT_END, "", 0, 0);
    struct record *record = profiler.record + profiler.current;
    uint64_t parent = record->end;

    pay(0);
    record->end = now;
    if (!profiler.writer)
        profiler.count = profiler.current; /* and all that was in it */
    profiler.current = parent;
    write_out();
}

void profile_update_block(void)
{
}

static void message(enum record_kind kind, enum page_event_kind event,
                    const char *text, uint64_t number)
{
    size_t size = strlen(text);

    pay(size);
    uint64_t now = tell(event, text, size, number);
    if (!profiler.writer)
        return;

    uint64_t current = profiler.current;
    if (kind == RECORD_FRAME)
        profiler.current = NOWHERE; /* in no block */
    struct record *record = record_add(kind, text, size);
    profiler.current = current;
    if (!record)
        return;
    record->start = now;
    record->end = number;
    write_out();
}

void profile_end_frame(uint64_t number)
{
    if (is_on())
        message(RECORD_FRAME, PAGE_EVENT_FRAME, "", number);
}

void profile_log(const char *text)
{
    if (!is_on())
        return;
    __bout_write(LOG, text, strlen(text));
    __bout_write(LOG, "\n", 1);
    message(RECORD_LOG, PAGE_EVENT_LOG, text, 0);
}

#define MESSAGE(function, KIND)                                 \
    void function(const char *name)                             \
    {                                                           \
        if (is_on())                                            \
            message(RECORD_##KIND, PAGE_EVENT_##KIND, name, 0); \
    }

MESSAGE(profile_trylock, TRYLOCK)
MESSAGE(profile_lock, LOCK)
MESSAGE(profile_unlock, UNLOCK)
MESSAGE(profile_wait, WAIT)
MESSAGE(profile_signal, SIGNAL)

/* ---- life ---------------------------------------------------------------- */

int profile_initialize(const char *identifier, void *buffer, uint64_t size)
{
    uint64_t unaligned = -(uintptr_t)buffer % _Alignof(struct record);

    if (profiler.identifier || size < unaligned + sizeof(struct record))
        return -1;
    memset(&profiler, 0, sizeof profiler);
    profiler.identifier = identifier;
    profiler.record = (struct record *)((char *)buffer + unaligned);
    profiler.capacity = (size - unaligned) / sizeof(struct record);
    profiler.current = NOWHERE;
    __bout_charge(COST_CLOCK);
    profiler.ground = __bout_clock();
    return 0;
}

uint64_t profile_shutdown(void)
{
    static const char hint[] = "profile: blocks were never ended\n";
    struct record end = {.kind = RECORD_END};
    uint64_t open = 0;

    if (!profiler.identifier)
        return 0;
    for (; profiler.current != NOWHERE; open++) {
        profiler.skipped = 0;
        profile_end_block();
    }
    if (open)
        __bout_write(LOG, hint, sizeof hint - 1);
    end.start = profiler.lost;
    if (profiler.writer) {
        if (profiler.writes++ == 0)
            write_head();
        profiler.writer(&end, sizeof end);
    }
    profiler.identifier = NULL;
    profiler.is_enabled = 0;
    return profiler.lost + open;
}

void profile_enable(int enabled)
{
    if (profiler.identifier)
        profiler.is_enabled = enabled != 0;
}

void profile_output(profile_write_fn writer)
{
    profiler.writer = writer;
}

void profile_output_wait(uint64_t milliseconds)
{
    (void)milliseconds;
}

const char *profile_identifier(void)
{
    return profiler.identifier ? profiler.identifier : "";
}
