/* health: GET /healthz (the process answers) and /readyz (work gets done). */
#include "api/http/resources.h"
#include "db/jobs.h"

#include <microhttpd.h>

int health_live(struct request *request, struct db *db, struct err *err)
{
    (void)db;
    (void)err;
    return reply_json(&request->reply, MHD_HTTP_OK,
                      json_pack("{s:s}", "status", "ok"));
}

int health_ready(struct request *request, struct db *db, struct err *err)
{
    struct dispatch_state state = {0};
    struct job_counts counts;

    if (request->service->dispatch)
        dispatch_state(request->service->dispatch, &state);
    if (job_count(db, &counts, err) < 0)
        return -1;
    if (state.workers == 0) {
        request->reply.retry_after_s = 1;
        return reply_problem(&request->reply, MHD_HTTP_SERVICE_UNAVAILABLE,
                             "no_workers", "no worker is alive yet");
    }
    return reply_json(&request->reply, MHD_HTTP_OK,
                      json_pack("{s:s, s:i, s:i}", "status", "ok", "workers",
                                (int)state.workers, "busy", (int)state.busy));
}
