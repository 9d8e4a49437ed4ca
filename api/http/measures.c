/* measures: GET /v1/matches/{id}/measures, what a match took of the machine
 * that played it. */
#include "api/http/matches.h"
#include "api/http/resources.h"
#include "db/measures.h"

#include <microhttpd.h>

int measures_show(struct request *request, struct db *db, struct err *err)
{
    struct match_row match = {0};
    struct measures_row row = {0};
    int found = matches_get_finished(request, db, &match, err);

    if (found <= 0)
        return found;
    match_row_release(&match);
    found = measures_find(db, request->id, &row, err);
    if (found < 0)
        return -1;
    json_t *host = row.host ? json_loads(row.host, 0, NULL) : NULL;
    json_t *measures = found ? json_loads(row.match, 0, NULL) : NULL;
    measures_row_release(&row);
    return reply_json(&request->reply, MHD_HTTP_OK,
                      json_pack("{s:I, s:o?, s:o?}", "match",
                                (json_int_t)request->id, "host", host,
                                "measures", measures));
}
