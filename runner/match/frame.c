#include "runner/match/frame.h"

#include <assert.h>
#include <string.h>

#define NAME_MAX_BYTES 63
#define VIEW_DEFAULT_BYTES 1048576u /* as the limit of that name */
#define SCORE_MOST 9007199254740991 /* 2^53 - 1 */

/* ---- writing ----------------------------------------------------------------
 */

static void put_number(struct buf *to, uint64_t number, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        buf_add_char(to, (char)(number >> (8 * i) & 0xff));
}

void frame_put_u32(struct buf *to, uint32_t number)
{
    put_number(to, number, 4);
}

void frame_put_u64(struct buf *to, uint64_t number)
{
    put_number(to, number, 8);
}

void frame_put_text(struct buf *to, const char *bytes, size_t size)
{
    assert(size < UINT32_MAX / FRAME_MAX_SLOTS - 64);
    frame_put_u32(to, (uint32_t)size);
    buf_add(to, bytes, size);
}

size_t frame_open(struct buf *to, enum frame_kind kind)
{
    size_t start = to->size;

    frame_put_u32(to, 0);
    frame_put_u32(to, kind);
    return start;
}

/* The size goes in front once the frame is whole. */
void frame_close(struct buf *to, size_t start)
{
    size_t size = to->size - start - 4;

    assert(size <= UINT32_MAX);
    for (unsigned i = 0; i < 4; i++)
        to->data[start + i] = (char)(size >> (8 * i) & 0xff);
}

void frame_start(struct buf *to, uint64_t seed, unsigned slots, unsigned out,
                 uint32_t turns)
{
    size_t start = frame_open(to, FRAME_START);

    frame_put_u64(to, seed);
    frame_put_u32(to, slots);
    frame_put_u32(to, out);
    frame_put_u32(to, turns);
    frame_close(to, start);
}

void frame_step(struct buf *to, const struct frame_move *move, size_t count)
{
    size_t start = frame_open(to, FRAME_STEP);

    assert(count <= FRAME_MAX_SLOTS);
    frame_put_u32(to, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        frame_put_u32(to, move[i].slot);
        frame_put_u32(to, move[i].act);
        frame_put_text(to, move[i].reply.bytes, move[i].reply.size);
    }
    frame_close(to, start);
}

/* ---- reading ----------------------------------------------------------------
 */

/* What is left of a frame. After the first thing that does not fit `bad` names
 * it, and all that is read from there on is 0 and empty. */
struct cursor {
    const uint8_t *at;
    size_t left;
    const char *bad;
};

static void cursor_fail(struct cursor *cursor, const char *what)
{
    if (!cursor->bad)
        cursor->bad = what;
    cursor->left = 0;
}

static uint64_t get_number(struct cursor *cursor, unsigned bytes)
{
    uint64_t number = 0;

    if (cursor->left < bytes) {
        cursor_fail(cursor, "it ends too early");
        return 0;
    }
    for (unsigned i = 0; i < bytes; i++)
        number |= (uint64_t)cursor->at[i] << (8 * i);
    cursor->at += bytes;
    cursor->left -= bytes;
    return number;
}

static uint32_t get_u32(struct cursor *cursor)
{
    return (uint32_t)get_number(cursor, 4);
}

/* A number of at most `most`, else `what` is the complaint. */
static unsigned get_most(struct cursor *cursor, unsigned most, const char *what)
{
    uint32_t number = get_u32(cursor);

    if (number <= most)
        return number;
    cursor_fail(cursor, what);
    return 0;
}

static struct frame_text get_text(struct cursor *cursor)
{
    size_t size = get_u32(cursor);

    if (size > cursor->left) {
        cursor_fail(cursor, "a text is longer than the frame");
        return (struct frame_text){"", 0};
    }
    struct frame_text text = {(const char *)cursor->at, size};
    cursor->at += size;
    cursor->left -= size;
    return text;
}

static struct cursor cursor_open(const void *bytes, size_t size,
                                 enum frame_kind kind)
{
    struct cursor cursor = {bytes, size, NULL};

    if (!size)
        cursor_fail(&cursor, "there is none");
    if (get_u32(&cursor) != cursor.left)
        cursor_fail(&cursor, "its size is not that of what was printed "
                             "(does the game print by itself?)");
    if (get_u32(&cursor) != kind)
        cursor_fail(&cursor, "it is of the wrong kind");
    return cursor;
}

static int cursor_close(struct cursor *cursor, const char *name,
                        struct err *err)
{
    if (cursor->left)
        cursor_fail(cursor, "something follows its end");
    if (cursor->bad)
        return err_set(err, ERR_SYSTEM, "bad %s frame: %s", name, cursor->bad);
    return 0;
}

static bool text_is_name(struct frame_text text)
{
    for (size_t i = 0; i < text.size; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789-", text.bytes[i]) ||
            !text.bytes[i])
            return false;
    return text.size > 0 && text.size <= NAME_MAX_BYTES;
}

static bool text_is_label(struct frame_text text)
{
    for (size_t i = 0; i < text.size; i++)
        if ((unsigned char)text.bytes[i] < ' ' || text.bytes[i] == 127)
            return false;
    return text.size > 0 && text.size <= NAME_MAX_BYTES;
}

int frame_parse_hello(const void *bytes, size_t size, struct frame_hello *hello,
                      struct err *err)
{
    struct cursor cursor = cursor_open(bytes, size, FRAME_HELLO);
    struct frame_hello got = {0};

    got.min_slots = get_most(&cursor, FRAME_MAX_SLOTS, "too many slots");
    got.max_slots = get_most(&cursor, FRAME_MAX_SLOTS, "too many slots");
    got.turn_soft = get_number(&cursor, 8);
    got.turns = get_u32(&cursor);
    got.view_bytes = get_number(&cursor, 8);
    if (!got.view_bytes)
        got.view_bytes = VIEW_DEFAULT_BYTES;
    got.turn_bank = get_number(&cursor, 8);
    got.name = get_text(&cursor);
    got.label = get_text(&cursor);
    if (!got.min_slots || got.min_slots > got.max_slots)
        cursor_fail(&cursor, "the numbers of slots make no sense");
    if (!got.turns)
        cursor_fail(&cursor, "the game has no most number of turns");
    if (!text_is_name(got.name) || !text_is_label(got.label))
        cursor_fail(&cursor, "bad name or label");
    if (cursor_close(&cursor, "hello", err) < 0)
        return -1;
    *hello = got;
    return 0;
}

/* Returns the slots that are gone from now on, as a bit mask. */
static unsigned get_judgements(struct cursor *cursor,
                               const struct frame_context *context,
                               struct frame_report *report)
{
    unsigned out = context->out;

    if (get_u32(cursor) != context->moves)
        cursor_fail(cursor, "it does not judge every reply");
    report->judged = cursor->bad ? 0 : context->moves;
    for (unsigned i = 0; i < report->judged; i++) {
        enum frame_act act = context->move[i].act;

        report->judge[i].legal =
            get_most(cursor, 1, "a judgement is neither 0 nor 1");
        report->judge[i].reason = get_text(cursor);
        if (!report->judge[i].legal && act != FRAME_REPLY &&
            act != FRAME_LAST_REPLY)
            cursor_fail(cursor, "it refuses what was no reply");
        if (!report->judge[i].legal || act == FRAME_OUT ||
            act == FRAME_LAST_REPLY)
            out |= 1u << context->move[i].slot;
    }
    return out;
}

static void get_scores(struct cursor *cursor, unsigned slots,
                       struct frame_report *report)
{
    if (get_u32(cursor) != slots)
        cursor_fail(cursor, "it has not one score a slot");
    report->slots = cursor->bad ? 0 : slots;
    for (unsigned i = 0; i < report->slots; i++) {
        report->score[i] = (int64_t)get_number(cursor, 8);
        if (report->score[i] < -SCORE_MOST || report->score[i] > SCORE_MOST)
            cursor_fail(cursor, "a score is over 2^53-1");
    }
}

static void get_asks(struct cursor *cursor, const struct frame_context *context,
                     unsigned out, struct frame_report *report)
{
    unsigned next = 0; /* the lowest slot that may still come */

    report->asked = get_most(cursor, context->slots, "it asks too many slots");
    if ((report->over != FRAME_GOES_ON) != (report->asked == 0))
        cursor_fail(cursor, report->asked ? "it is over and still asks"
                                          : "it goes on and asks nobody");
    for (unsigned i = 0; i < report->asked && !cursor->bad; i++) {
        unsigned slot = get_most(cursor, context->slots - 1, "no such slot");
        struct frame_text view = get_text(cursor);

        if (slot < next || out >> slot & 1)
            cursor_fail(cursor, "it asks a slot twice, or one that is gone");
        if (view.size > context->view_bytes)
            cursor_fail(cursor, "a view is over view_bytes");
        if (!view.size || view.bytes[view.size - 1] != '\n')
            cursor_fail(cursor, "a view does not end with a newline");
        report->ask[i].slot = slot;
        report->ask[i].view = view;
        next = slot + 1;
    }
}

int frame_parse_report(const void *bytes, size_t size,
                       const struct frame_context *context,
                       struct frame_report *report, struct err *err)
{
    struct cursor cursor = cursor_open(bytes, size, FRAME_REPORT);
    struct frame_report got = {0};

    assert(context->slots > 0 && context->slots <= FRAME_MAX_SLOTS);
    assert(context->moves <= context->slots);
    unsigned out = get_judgements(&cursor, context, &got);
    got.over = get_most(&cursor, FRAME_LEFT, "its end is of no known kind");
    get_scores(&cursor, context->slots, &got);
    got.state = get_text(&cursor);
    get_asks(&cursor, context, out, &got);
    if (cursor_close(&cursor, "report", err) < 0)
        return -1;
    *report = got;
    return 0;
}
