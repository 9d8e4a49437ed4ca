#include "profiler/decode.h"

#include "runner/base/cleanup.h"

#include <string.h>

void decoder_init(struct decoder *decoder,
                  void (*take)(void *user, const struct decode_item *item),
                  void *user)
{
    *decoder = (struct decoder){.take = take, .user = user};
}

void decoder_release(struct decoder *decoder)
{
    buf_release(&decoder->text);
    free(decoder->identifier);
    *decoder = (struct decoder){0};
}

/* ---- records ------------------------------------------------------------- */

static void swap_record(struct record *record)
{
#define RECORD_FIELD(type, name, count) SWAP_##type(record->name)
#define SWAP_uint32_t(field) (field) = __builtin_bswap32(field);
#define SWAP_uint64_t(field) (field) = __builtin_bswap64(field);
#define SWAP_char(field) (void)(field);
#include "profiler/record.def"
}

static bool is_head(const struct record *record)
{
    return record->kind == RECORD_HEAD && record->start == RECORD_MAGIC &&
           record->parent == RECORD_BYTE_ORDER && record->id == RECORD_VERSION;
}

/* What a reader that looks for its place accepts: a head, in either order. */
static bool find_head(struct decoder *decoder, struct record *record)
{
    memcpy(record, decoder->window, sizeof *record);
    decoder->is_swapped = false;
    if (is_head(record))
        return true;
    swap_record(record);
    decoder->is_swapped = true;
    return is_head(record);
}

static void lose_place(struct decoder *decoder)
{
    decoder->is_joined = false;
    decoder->missing = 0;
    decoder->damages++;
    buf_clear(&decoder->text);
}

static bool is_sound(const struct record *record)
{
    if (record->more > DECODE_TEXT_RECORDS_MAX)
        return false;
    switch (record->kind) {
    case RECORD_HEAD:
        return is_head(record);
    case RECORD_BLOCK:
        return record->end >= record->start && record->parent < record->id;
    case RECORD_FRAME:
    case RECORD_LOG:
    case RECORD_TRYLOCK:
    case RECORD_LOCK:
    case RECORD_UNLOCK:
    case RECORD_WAIT:
    case RECORD_SIGNAL:
    case RECORD_END:
        return true;
    default:
        return false; /* more text, where none is missing; unknown */
    }
}

/* The record and its whole text are there. */
static void finish(struct decoder *decoder)
{
    const struct record *record = &decoder->record;
    const char *text = decoder->text.data ? decoder->text.data : "";

    if (record->kind == RECORD_HEAD) {
        free(decoder->identifier);
        decoder->identifier = mem_dup_str(text);
        decoder->ticks_per_second = record->end;
    } else if (record->kind == RECORD_END) {
        decoder->has_ended = true;
        decoder->lost = record->start;
    } else if (decoder->take) {
        decoder->take(decoder->user, &(struct decode_item){
                                         .kind = record->kind,
                                         .id = record->id,
                                         .parent = record->parent,
                                         .thread = record->thread,
                                         .processor = record->processor,
                                         .start = record->start,
                                         .end = record->end,
                                         .text = text,
                                     });
    }
    buf_clear(&decoder->text);
}

static void add_text(struct decoder *decoder, const struct record *record)
{
    buf_add(&decoder->text, record->text, strnlen(record->text, RECORD_TEXT));
}

static void read_record(struct decoder *decoder, const struct record *record)
{
    if (decoder->missing) {
        if (record->kind != RECORD_MORE) {
            lose_place(decoder);
            return;
        }
        add_text(decoder, record);
        if (--decoder->missing == 0)
            finish(decoder);
        return;
    }
    if (!is_sound(record)) {
        lose_place(decoder);
        return;
    }
    decoder->record = *record;
    decoder->missing = record->more;
    add_text(decoder, record);
    if (!decoder->missing)
        finish(decoder);
}

/* ---- bytes --------------------------------------------------------------- */

static void read_window(struct decoder *decoder)
{
    struct record record;

    if (decoder->is_joined) {
        memcpy(&record, decoder->window, sizeof record);
        if (decoder->is_swapped)
            swap_record(&record);
        read_record(decoder, &record);
        if (decoder->is_joined) {
            decoder->window_size = 0;
            return;
        }
    }
    if (find_head(decoder, &record)) {
        decoder->is_joined = true;
        read_record(decoder, &record);
        decoder->window_size = 0;
        return;
    }
    decoder->window_size--;
    decoder->bytes_left++;
    memmove(decoder->window, decoder->window + 1, decoder->window_size);
}

void decoder_feed(struct decoder *decoder, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;

    while (size) {
        size_t room = sizeof decoder->window - decoder->window_size;
        size_t part = size < room ? size : room;
        memcpy(decoder->window + decoder->window_size, at, part);
        decoder->window_size += part;
        at += part;
        size -= part;
        if (decoder->window_size == sizeof decoder->window)
            read_window(decoder);
    }
}

void decoder_end(struct decoder *decoder)
{
    if (decoder->is_joined && (decoder->window_size || decoder->missing))
        decoder->damages++;
    decoder->bytes_left += decoder->window_size;
    decoder->window_size = 0;
}
