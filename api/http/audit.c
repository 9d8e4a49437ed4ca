/* audit: GET /v1/admin/audit, who of the staff did what to which thing. */
#include "api/http/cursor.h"
#include "api/http/resources.h"
#include "db/settings.h"

int audit_show(struct request *request, struct db *db, struct err *err)
{
    const struct uri_range range = {.low = 1, .high = REPLY_MAX_INTEGER};
    struct audit_list list = {0};
    struct cursor cursor;
    uint32_t limit;
    int64_t user_id;

    if (uri_query_int(&request->uri, "user", range, &user_id, err) < 0 ||
        cursor_read(request, CURSOR_MOST, &cursor, &limit, err) < 0 ||
        audit_list(db, user_id, cursor.key[0], limit, &list, err) < 0)
        return -1;
    json_t *items = json_array();
    for (size_t i = 0; i < list.count; i++) {
        const struct audit_row *row = &list.row[i];
        json_array_append_new(
            items, json_pack("{s:I, s:o, s:o, s:o, s:o}", "id",
                             (json_int_t)row->id, "at", reply_time(row->at_ns),
                             "user", reply_string(row->user), "action",
                             reply_string(row->action), "subject",
                             reply_string(row->subject)));
    }
    if (list.count)
        cursor.key[0] = list.row[list.count - 1].id;
    cursor_reply(request, items, list.more ? &cursor : NULL);
    audit_list_release(&list);
    return HANDLED_REPLY;
}
