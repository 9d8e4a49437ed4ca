#include "api/http/quota.h"

#include "runner/base/clock.h"

#include <inttypes.h>
#include <microhttpd.h>

/* Where nobody knows when there is room: matches are over in seconds. */
#define QUOTA_RETRY_S 10
#define SECOND_NS 1000000000

int quota_must(struct request *request, struct db *db, enum quota quota,
               int64_t amount, struct err *err)
{
    struct quota_state state;

    if (request_is_admin(request))
        return 1;
    if (quota_find(db, request->user.id, quota, clock_wall_ns(), &state, err) <
        0)
        return -1;
    if (state.used + amount <= state.most)
        return 1;
    if (amount > state.most) { /* waiting does not help */
        reply_problem(&request->reply, MHD_HTTP_CONFLICT, "quota",
                      "your quota %s (%s) is %" PRId64
                      ", and this would take %" PRId64
                      " at once: %san admin may give you more",
                      quota_word(quota), quota_sentence(quota), state.most,
                      amount, state.most > 0 ? "ask for less, or " : "");
        return 0;
    }
    request->reply.retry_after_s =
        state.retry_ns > 0
            ? (unsigned)((state.retry_ns + SECOND_NS - 1) / SECOND_NS)
            : QUOTA_RETRY_S;
    reply_problem(&request->reply, MHD_HTTP_TOO_MANY_REQUESTS, "quota",
                  "your quota %s (%s) is %" PRId64 ", %" PRId64
                  " of it used; this would take %" PRId64
                  " more; try again in %u s",
                  quota_word(quota), quota_sentence(quota), state.most,
                  state.used, amount, request->reply.retry_after_s);
    return 0;
}

json_t *quota_document(struct db *db, int64_t user_id, struct err *err)
{
    json_t *document = json_object();
    struct quota_state state;

    for (int q = 0; q < QUOTA_COUNT; q++) {
        if (quota_find(db, user_id, (enum quota)q, clock_wall_ns(), &state,
                       err) < 0) {
            json_decref(document);
            return NULL;
        }
        json_object_set_new(document, quota_word((enum quota)q),
                            json_pack("{s:I, s:I}", "most",
                                      (json_int_t)state.most, "used",
                                      (json_int_t)state.used));
    }
    return document;
}

json_t *quota_defaults(void)
{
    json_t *document = json_object();

    for (int q = 0; q < QUOTA_COUNT; q++)
        json_object_set_new(document, quota_word((enum quota)q),
                            json_integer(quota_default((enum quota)q)));
    return document;
}
