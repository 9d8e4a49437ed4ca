/* exec_line: what a referee in any language says, from JSON to a frame. Types
 * are checked here, everything else by frame.c. */
#include "runner/match/exec.h"

#include <jansson.h>
#include <string.h>

/* What is read of a line; the first thing that does not fit is in `bad`. */
struct line {
    json_t *document;
    char bad[120];
};

static void line_fail(struct line *line, const char *key, const char *what)
{
    if (!line->bad[0])
        snprintf(line->bad, sizeof line->bad, "\"%.40s\" %s", key, what);
}

static uint64_t get_number(struct line *line, const json_t *object,
                           const char *key, uint64_t most)
{
    const json_t *value = json_object_get(object, key);
    json_int_t number = json_integer_value(value);

    if (!json_is_integer(value) || number < 0 || (uint64_t)number > most)
        line_fail(line, key, "is no whole number in its range");
    return (uint64_t)number;
}

static uint64_t get_optional(struct line *line, const json_t *object,
                             const char *key, uint64_t most)
{
    return json_object_get(object, key) ? get_number(line, object, key, most)
                                        : 0;
}

static const json_t *get_array(struct line *line, const char *key)
{
    const json_t *array = json_object_get(line->document, key);

    if (!json_is_array(array) || json_array_size(array) > FRAME_MAX_SLOTS)
        line_fail(line, key, "is no list of at most 8");
    return array;
}

static const json_t *get_string(struct line *line, const json_t *object,
                                const char *key)
{
    const json_t *text = json_object_get(object, key);

    if (!json_is_string(text))
        line_fail(line, key, "is no text");
    return text;
}

static void put_text(struct buf *frame, const json_t *text)
{
    frame_put_text(frame, json_is_string(text) ? json_string_value(text) : "",
                   json_string_length(text));
}

static int line_open(struct line *line, const char *text, size_t size,
                     const char *kind, struct err *err)
{
    json_error_t fault;

    *line = (struct line){.document =
                              json_loadb(text, size, JSON_ALLOW_NUL, &fault)};
    if (!json_is_object(line->document)) {
        int failed = err_set(err, ERR_SYSTEM,
                             "the game failed: its line is no JSON object%s%s: "
                             "%.60s",
                             line->document ? "" : ": ",
                             line->document ? "" : fault.text, text);
        json_decref(line->document);
        return failed;
    }
    const char *said =
        json_string_value(json_object_get(line->document, "kind"));
    if (!said || strcmp(said, kind) != 0)
        snprintf(line->bad, sizeof line->bad, "\"kind\" is not \"%s\"", kind);
    return 0;
}

static int line_close(struct line *line, struct err *err)
{
    json_decref(line->document);
    if (!line->bad[0])
        return 0;
    return err_set(err, ERR_SYSTEM, "the game failed: its line: %s", line->bad);
}

int exec_line_hello(const char *text, size_t size, struct buf *frame,
                    struct err *err)
{
    struct line line;

    if (line_open(&line, text, size, "hello", err) < 0)
        return -1;
    const json_t *hello = line.document;
    size_t start = frame_open(frame, FRAME_HELLO);
    frame_put_u32(frame, (uint32_t)get_number(&line, hello, "min_slots", 8));
    frame_put_u32(frame, (uint32_t)get_number(&line, hello, "max_slots", 8));
    frame_put_u64(frame, get_optional(&line, hello, "turn_soft", INT64_MAX));
    frame_put_u32(frame,
                  (uint32_t)get_number(&line, hello, "turns", UINT32_MAX));
    frame_put_u64(frame, get_optional(&line, hello, "view_bytes", UINT32_MAX));
    frame_put_u64(frame, get_optional(&line, hello, "turn_bank", INT64_MAX));
    put_text(frame, get_string(&line, hello, "name"));
    put_text(frame, get_string(&line, hello, "label"));
    frame_close(frame, start);
    return line_close(&line, err);
}

/* ---- report -----------------------------------------------------------------
 */

static void put_judgements(struct line *line, struct buf *frame)
{
    const json_t *moves = get_array(line, "moves");

    frame_put_u32(frame, (uint32_t)json_array_size(moves));
    for (size_t i = 0; i < json_array_size(moves); i++) {
        const json_t *move = json_array_get(moves, i);
        const json_t *legal = json_object_get(move, "legal");
        if (!json_is_boolean(legal))
            line_fail(line, "legal", "is neither true nor false");
        frame_put_u32(frame, json_is_true(legal));
        put_text(frame, json_object_get(move, "reason"));
    }
}

static void put_over(struct line *line, struct buf *frame)
{
    static const char *const text[] = {"no", "ended", "left"};
    const char *over =
        json_string_value(json_object_get(line->document, "over"));

    for (uint32_t i = 0; over && i < 3; i++) {
        if (!strcmp(over, text[i])) {
            frame_put_u32(frame, i);
            return;
        }
    }
    line_fail(line, "over", "is none of \"no\", \"ended\", \"left\"");
}

static void put_scores(struct line *line, struct buf *frame)
{
    const json_t *scores = get_array(line, "scores");

    frame_put_u32(frame, (uint32_t)json_array_size(scores));
    for (size_t i = 0; i < json_array_size(scores); i++) {
        const json_t *score = json_array_get(scores, i);
        if (!json_is_integer(score))
            line_fail(line, "scores", "holds what is no whole number");
        frame_put_u64(frame, (uint64_t)json_integer_value(score));
    }
}

static void put_state(struct line *line, struct buf *frame)
{
    const json_t *state = json_object_get(line->document, "state");
    char *text = json_is_object(state) ? json_dumps(state, JSON_COMPACT) : NULL;

    if (!text)
        line_fail(line, "state", "is no object");
    frame_put_text(frame, text ? text : "", text ? strlen(text) : 0);
    free(text);
}

static void put_asks(struct line *line, struct buf *frame)
{
    const json_t *asks = get_array(line, "asks");

    frame_put_u32(frame, (uint32_t)json_array_size(asks));
    for (size_t i = 0; i < json_array_size(asks); i++) {
        const json_t *ask = json_array_get(asks, i);
        frame_put_u32(frame, (uint32_t)get_number(line, ask, "slot", 7));
        put_text(frame, get_string(line, ask, "view"));
    }
}

int exec_line_report(const char *text, size_t size, struct buf *frame,
                     struct err *err)
{
    struct line line;

    if (line_open(&line, text, size, "report", err) < 0)
        return -1;
    size_t start = frame_open(frame, FRAME_REPORT);
    put_judgements(&line, frame);
    put_over(&line, frame);
    put_scores(&line, frame);
    put_state(&line, frame);
    put_asks(&line, frame);
    frame_close(frame, start);
    return line_close(&line, err);
}
