/* batches: matches asked for together, all or none: a list of orders, or one
 * order over several seeds, each also with the sides swapped. */
#include "api/http/match_order.h"
#include "api/http/quota.h"
#include "api/http/resources.h"
#include "db/batches.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"

#include <microhttpd.h>
#include <string.h>

struct batches_list {
    struct matches_order *order;
    size_t count;
};

static void batches_list_release(struct batches_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        matches_order_release(&list->order[i]);
    free(list->order);
}

static struct matches_order *batches_list_add(struct batches_list *list)
{
    list->order =
        mem_realloc(list->order, (list->count + 1) * sizeof *list->order);
    list->order[list->count] = (struct matches_order){0};
    return &list->order[list->count++];
}

/* ---- a list of orders ------------------------------------------------------
 */

static void batches_read_items(struct request *request, const json_t *items,
                               struct batches_list *list)
{
    const json_t *item;
    size_t i;

    json_array_foreach(items, i, item) {
        auto_free char *prefix = mem_format("matches/%zu/", i);
        struct fields fields;
        if (!json_is_object(item)) {
            reply_invalid(&request->reply, prefix, "must be an object");
            continue;
        }
        fields_init_at(&fields, request, item, prefix);
        matches_order_read(&fields, batches_list_add(list));
        fields_close(&fields);
    }
}

/* ---- one order, several times ----------------------------------------------
 */

/* The order with this seed (or one of its own), seats turned by `turn`. */
static void batches_add_turn(struct batches_list *list,
                             const struct matches_order *from, const char *seed,
                             size_t turn)
{
    struct matches_order *order = batches_list_add(list);

    *order = *from;
    order->seed = mem_dup_str(seed);
    order->limits = from->limits ? mem_dup_str(from->limits) : NULL;
    for (size_t i = 0; i < from->bots; i++)
        order->bot[i] = from->bot[(i + turn) % from->bots];
}

static void batches_add_seed(struct batches_list *list,
                             const struct matches_order *from, const char *seed,
                             bool swap)
{
    size_t turns = swap && from->bots ? from->bots : 1;

    for (size_t turn = 0; turn < turns; turn++)
        batches_add_turn(list, from, seed, turn);
}

/* The seeds that were given; else `rounds` of the system's generator. */
static void batches_read_seeds(struct request *request, struct fields *fields,
                               const struct matches_order *from,
                               struct batches_list *list)
{
    const struct uri_range range = {.low = 1, .high = BATCH_MAX_MATCHES};
    const json_t *seeds = fields_list(fields, "seeds");
    int64_t rounds = 1;
    bool swap = false;
    const json_t *seed;
    size_t i;

    fields_count(fields, "rounds", range, &rounds);
    fields_bool(fields, "swap", &swap);
    if (seeds && fields_has(fields, "rounds"))
        fields_invalid(fields, "rounds", "goes without seeds");
    if (json_array_size(seeds) > BATCH_MAX_MATCHES || request->reply.errors)
        return; /* the number is refused later */
    for (int64_t r = 0; !seeds && r < rounds; r++) {
        auto_free char *drawn = matches_random_seed();
        batches_add_seed(list, from, drawn, swap);
    }
    json_array_foreach(seeds, i, seed) {
        auto_free char *prefix = mem_format("seeds/%zu/", i);
        json_t *one = json_pack("{s:O}", "seed", seed);
        struct fields inner;
        fields_init_at(&inner, request, one, prefix);
        auto_free char *text = fields_seed(&inner, "seed");
        fields_close(&inner);
        json_decref(one);
        if (text)
            batches_add_seed(list, from, text, swap);
        else if (!request->reply.errors)
            reply_invalid(&request->reply, prefix, "is no seed");
    }
}

/* False: answered. */
static bool batches_read(struct request *request, struct batches_list *list)
{
    struct matches_order one = {0};
    struct fields fields;

    fields_init(&fields, request);
    bool listed = fields_has(&fields, "matches");
    const json_t *items = fields_list(&fields, "matches");
    size_t count = json_array_size(items);
    if (listed && count <= BATCH_MAX_MATCHES) {
        batches_read_items(request, items, list);
        count = list->count;
    } else if (!listed) {
        matches_order_read(&fields, &one);
        count = json_array_size(json_object_get(request->json, "seeds"));
        batches_read_seeds(request, &fields, &one, list);
        if (list->count > count)
            count = list->count;
        if (one.seed)
            fields_invalid(&fields, "seed", "is called seeds here: a list");
    }
    matches_order_release(&one);
    if (!request->reply.errors && (count == 0 || count > BATCH_MAX_MATCHES))
        reply_invalid(&request->reply, "matches",
                      "a batch has 1 to %d matches, not %zu", BATCH_MAX_MATCHES,
                      count);
    return fields_end(&fields);
}

/* ---- answering -------------------------------------------------------------
 */

static json_t *batches_standings(const struct batch *batch)
{
    json_t *list = json_array();

    for (size_t i = 0; i < batch->standings; i++) {
        const struct batch_standing *row = &batch->standing[i];
        json_array_append_new(
            list,
            json_pack("{s:I, s:o, s:I, s:I, s:I, s:I, s:I}", "bot",
                      (json_int_t)row->bot_id, "name", reply_string(row->name),
                      "games", (json_int_t)row->games, "wins",
                      (json_int_t)row->wins, "losses", (json_int_t)row->losses,
                      "ties",
                      (json_int_t)(row->games - row->wins - row->losses),
                      "score", (json_int_t)row->score));
    }
    return list;
}

static json_t *batches_document(const struct batch *batch)
{
    json_t *counts = json_object();
    json_t *matches = json_array();

    for (int s = 0; s < MATCH_STATUS_COUNT; s++)
        json_object_set_new(counts, match_status_text((enum match_status)s),
                            json_integer(batch->count[s]));
    for (size_t i = 0; i < batch->matches; i++)
        json_array_append_new(matches, json_integer(batch->match[i]));
    return json_pack("{s:I, s:o, s:o, s:b, s:o, s:o, s:o}", "id",
                     (json_int_t)batch->id, "owner", reply_string(batch->owner),
                     "created", reply_time(batch->created_ns), "over",
                     batch->open == 0, "counts", counts, "standings",
                     batches_standings(batch), "matches", matches);
}

static int batches_answer(struct request *request, struct db *db, int64_t id,
                          unsigned status, struct err *err)
{
    struct batch batch = {0};
    int result = HANDLED_REPLY;
    int found = batch_find(db, id, &batch, err);

    if (found == 0)
        reply_problem(&request->reply, MHD_HTTP_NOT_FOUND, "not_found",
                      "there is no batch %lld", (long long)id);
    if (found <= 0)
        return found;
    /* Each of its matches ends once: the one that is open wakes us. */
    if (batch.open && status == MHD_HTTP_OK)
        result = request_wait(request, batch.open);
    if (result == HANDLED_REPLY)
        reply_json(&request->reply, status, batches_document(&batch));
    if (status == MHD_HTTP_ACCEPTED)
        request->reply.location = mem_format("/v1/batches/%lld", (long long)id);
    batch_release(&batch);
    return result;
}

int batches_show(struct request *request, struct db *db, struct err *err)
{
    request->reply.cache = REPLY_REVALIDATE;
    return batches_answer(request, db, request->id, MHD_HTTP_OK, err);
}

/* All of them or none: a refusal rolls back. */
static int batches_queue(struct request *request, struct db *db,
                         const struct batches_list *list, struct err *err)
{
    int64_t batch_id;
    int64_t id;
    int fine =
        quota_must(request, db, QUOTA_MATCHES, (int64_t)list->count, err);

    if (fine <= 0)
        return fine;
    if (batch_add(db, request->user.id, clock_wall_ns(), &batch_id, err) < 0)
        return -1;
    for (size_t i = 0; i < list->count; i++) {
        auto_free char *prefix = mem_format("matches/%zu/", i);
        fine = matches_order_check(request, db, &list->order[i], prefix, err);
        if (fine <= 0)
            return fine;
        if (matches_order_queue(request, db, &list->order[i], batch_id, &id,
                                err) < 0)
            return -1;
    }
    return batches_answer(request, db, batch_id, MHD_HTTP_ACCEPTED, err);
}

int batches_add(struct request *request, struct db *db, struct err *err)
{
    struct batches_list list = {0};
    int result = HANDLED_REPLY;

    if (batches_read(request, &list))
        result = batches_queue(request, db, &list, err);
    batches_list_release(&list);
    return result;
}
