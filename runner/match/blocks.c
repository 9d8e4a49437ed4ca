#include "runner/match/blocks.h"

#include "instrument/bot/page.h"
#include "profiler/decode.h"

#include <stdlib.h>
#include <string.h>

#define TICKS_PER_SECOND 1000000000u
#define IDENTIFIER "turn"
/* Kept of one text. */
#define TEXT_BYTES ((size_t)DECODE_TEXT_RECORDS_MAX * RECORD_TEXT)

/* Kinds of messages, by page_event_kind. */
static const enum record_kind message_kind[] = {
    [PAGE_EVENT_FRAME] = RECORD_FRAME,     [PAGE_EVENT_LOG] = RECORD_LOG,
    [PAGE_EVENT_TRYLOCK] = RECORD_TRYLOCK, [PAGE_EVENT_LOCK] = RECORD_LOCK,
    [PAGE_EVENT_UNLOCK] = RECORD_UNLOCK,   [PAGE_EVENT_WAIT] = RECORD_WAIT,
    [PAGE_EVENT_SIGNAL] = RECORD_SIGNAL,
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static struct record *record_at(struct blocks *blocks, size_t at)
{
    return (struct record *)(void *)(blocks->out->data + at);
}

/* Returns where the record stands. */
static size_t add(struct blocks *blocks, enum record_kind kind,
                  const char *text, size_t size)
{
    size_t at = blocks->out->size;
    size_t depth = blocks->open_count;
    size = least(size, TEXT_BYTES);
    struct record record = {
        .kind = kind,
        .id = ++blocks->last_id,
        .thread = 1,
        .more = size > RECORD_TEXT ? (uint32_t)((size - 1) / RECORD_TEXT) : 0,
    };

    if (depth && kind != RECORD_FRAME)
        record.parent = record_at(blocks, blocks->open[depth - 1].at)->id;
    memcpy(record.text, text, least(size, RECORD_TEXT));
    buf_add(blocks->out, &record, sizeof record);
    for (size_t from = RECORD_TEXT; from < size; from += RECORD_TEXT) {
        struct record more = {.kind = RECORD_MORE};

        memcpy(more.text, text + from, least(size - from, RECORD_TEXT));
        buf_add(blocks->out, &more, sizeof more);
    }
    return at;
}

static void add_head(struct blocks *blocks)
{
    struct record head = {
        .kind = RECORD_HEAD,
        .id = RECORD_VERSION,
        .parent = RECORD_BYTE_ORDER,
        .start = RECORD_MAGIC,
        .end = TICKS_PER_SECOND,
        .text = IDENTIFIER,
    };

    buf_add(blocks->out, &head, sizeof head);
}

static void begin(struct blocks *blocks, const char *name, size_t size,
                  uint64_t tick)
{
    size_t depth = blocks->open_count;
    size_t at = add(blocks, RECORD_BLOCK, name, size);

    record_at(blocks, at)->start = tick;
    if ((depth & (depth - 1)) == 0) /* doubles at each power of two */
        blocks->open = mem_realloc(blocks->open, (depth ? 2 * depth : 1) *
                                                     sizeof *blocks->open);
    blocks->open[blocks->open_count++] =
        (struct blocks_open){.name = mem_dup(name, size), .at = at};
}

static void end(struct blocks *blocks, uint64_t tick)
{
    if (!blocks->open_count)
        return;

    struct blocks_open *last = &blocks->open[--blocks->open_count];

    record_at(blocks, last->at)->end = tick;
    free(last->name);
}

static void take_event(struct blocks *blocks, const struct page_event *event,
                       const char *text)
{
    uint64_t tick = event->tick;

    if (event->kind == PAGE_EVENT_BEGIN) {
        begin(blocks, text, event->text_bytes, tick);
    } else if (event->kind == PAGE_EVENT_END) {
        end(blocks, tick);
    } else if (event->kind <= PAGE_EVENT_SIGNAL) {
        size_t at =
            add(blocks, message_kind[event->kind], text, event->text_bytes);
        record_at(blocks, at)->start = tick;
        record_at(blocks, at)->end = event->number;
    }
}

/* Blocks of the turn before that are still open, and back again. */
static void reopen(struct blocks *blocks)
{
    size_t count = blocks->open_count;

    for (blocks->open_count = 0; blocks->open_count < count;) {
        struct blocks_open *open = &blocks->open[blocks->open_count];

        open->at = add(blocks, RECORD_BLOCK, open->name, strlen(open->name));
        blocks->open_count++;
    }
}

static void close_open(struct blocks *blocks, uint64_t tick)
{
    for (size_t i = 0; i < blocks->open_count; i++)
        record_at(blocks, blocks->open[i].at)->end = tick;
}

/* Everything that was said is left out, but for the count. */
static void drop(struct blocks *blocks, size_t from, uint64_t *lost)
{
    *lost += blocks->last_id;
    blocks->out->size = from;
    add_head(blocks);
}

void blocks_take(struct blocks *blocks, const struct box *box,
                 const struct turn *turn, struct buf *out)
{
    size_t size;
    uint64_t lost;
    const char *bytes = box_events(box, &size, &lost);
    size_t from = out->size;
    struct page_event event = {0};

    if (!size && !blocks->open_count && !lost)
        return;
    blocks->out = out;
    blocks->last_id = 0;
    add_head(blocks);
    reopen(blocks);
    for (size_t at = 0; size - at >= sizeof event;) {
        memcpy(&event, bytes + at, sizeof event);
        at += sizeof event;
        if (event.text_bytes > size - at)
            break;
        take_event(blocks, &event, bytes + at);
        at += least(((size_t)event.text_bytes + 7) / 8 * 8, size - at);
    }
    /* A fault's count means nothing: its last event's is known. */
    close_open(blocks, turn->counted ? turn->instructions : event.tick);
    if (out->size - from > BLOCKS_MATCH_BYTES - blocks->kept_bytes)
        drop(blocks, from, &lost);
    else
        blocks->kept_bytes += out->size - from;

    struct record last = {.kind = RECORD_END, .start = lost};
    buf_add(out, &last, sizeof last);
}

void blocks_release(struct blocks *blocks)
{
    for (size_t i = 0; i < blocks->open_count; i++)
        free(blocks->open[i].name);
    free(blocks->open);
    *blocks = (struct blocks){0};
}
