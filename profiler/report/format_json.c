/* json: {"unit":"instructions","instructions":TOTAL,"turn_soft":N or null,
 * "turns":[{"turn","slot",
 * "instructions","lines":[{"function","file","line","executions",
 * "instructions"}],"blocks":[{"name","depth","calls","instructions","own"}]}]},
 * lines dearest first; the program's own blocks each before those in it, `own`
 * without them. Written as text, since a tree of
 * objects of 500 turns would take ten times the document's size. */
#include "profiler/report/model_internal.h"
#include "runner/base/cleanup.h"

#include <inttypes.h>
#include <string.h>

/* What is the same at every mention of a place, written once. */
struct head {
    char *text;
    size_t size;
};

static struct head *place_heads(const struct profile *profile)
{
    struct head *heads = mem_calloc(profile->place_count + 1, sizeof *heads);

    for (size_t i = 0; i < profile->place_count; i++) {
        const struct place *place = &profile->place[i];
        struct buf head = {0};

        buf_add_str(&head, "{\"function\":");
        report_add_json(&head, place_function(profile, place));
        buf_add_str(&head, ",\"file\":");
        report_add_json(&head, place->file);
        buf_add_format(&head, ",\"line\":%u,\"executions\":", place->line);
        heads[i].size = head.size;
        heads[i].text = buf_take(&head);
    }
    return heads;
}

#define ROW_BYTES 64 /* of a row beside its head */

static char *put(char *to, const char *text, size_t size)
{
    memcpy(to, text, size);
    return to + size;
}

/* A profile has a million rows: room is made once for each. */
static void add_row(const struct head *head, const struct place_cost *cost,
                    bool is_first, struct buf *out)
{
    static const char between[] = ",\"instructions\":";

    buf_reserve(out, head->size + ROW_BYTES);
    char *to = out->data + out->size;
    if (!is_first)
        *to++ = ',';
    to = put(to, head->text, head->size);
    to = report_put_number(to, cost->executions);
    to = put(to, between, sizeof between - 1);
    to = report_put_number(to, cost->instructions);
    *to++ = '}';
    *to = '\0';
    out->size = (size_t)(to - out->data);
}

struct named_rows {
    struct buf *out;
    const char *comma;
};

static void add_block(void *user, const struct decode_node *node)
{
    struct named_rows *rows = user;

    buf_add_str(rows->out, rows->comma);
    buf_add_str(rows->out, "{\"name\":");
    report_add_json(rows->out, node->name);
    buf_add_format(rows->out,
                   ",\"depth\":%u,\"calls\":%" PRIu64
                   ",\"instructions\":%" PRIu64 ",\"own\":%" PRIu64 "}",
                   node->depth, node->calls, node->ticks, node->own);
    rows->comma = ",";
}

static void add_blocks(const struct profile_turn *turn, struct buf *out)
{
    struct named_rows rows = {.out = out, .comma = ""};
    struct decode_tree *tree;

    if (!turn->blocks.size)
        return;
    tree = decode_tree_new();
    named_add(turn, tree);
    decode_tree_walk(tree, add_block, &rows);
    decode_tree_free(tree);
}

static void add_turn(const struct profile *profile,
                     const struct profile_turn *turn, const struct head *heads,
                     struct buf *out)
{
    auto_free struct place_cost *costs = NULL;
    size_t count = profile_costs(profile, turn, &costs);

    buf_add_format(out,
                   "{\"turn\":%u,\"slot\":%u,\"instructions\":%" PRIu64
                   ",\"lines\":[",
                   turn->turn, turn->slot, profile_turn_total(profile, turn));
    for (size_t i = 0; i < count; i++)
        add_row(&heads[costs[i].place], &costs[i], i == 0, out);
    buf_add_str(out, "],\"blocks\":[");
    add_blocks(turn, out);
    buf_add_str(out, "]}");
}

int format_json(const struct profile *profile, struct buf *out, struct err *err)
{
    struct head *heads = place_heads(profile);

    (void)err;
    buf_add_format(out,
                   "{\"unit\":\"instructions\",\"instructions\":%" PRIu64
                   ",\"turn_soft\":",
                   profile_total(profile));
    if (profile->turn_soft)
        report_add_number(out, profile->turn_soft);
    else
        buf_add_str(out, "null");
    buf_add_str(out, ",\"turns\":[");
    for (size_t t = 0; t < profile->turn_count; t++) {
        if (t)
            buf_add_char(out, ',');
        add_turn(profile, &profile->turn[t], heads, out);
    }
    buf_add_str(out, "]}\n");
    for (size_t i = 0; i < profile->place_count; i++)
        free(heads[i].text);
    free(heads);
    return 0;
}
