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

/* Could it take a bot now? Answers 503 otherwise, with why. */
static bool health_has_room(struct request *request,
                            const struct disk_state *disk)
{
    if (disk->level < DISK_FULL)
        return true;
    request->reply.retry_after_s = REPLY_DISK_S;
    reply_problem(&request->reply, MHD_HTTP_SERVICE_UNAVAILABLE,
                  disk->takes_none ? "disk_fails" : "disk_full", "%s",
                  disk->reason);
    return false;
}

int health_ready(struct request *request, struct db *db, struct err *err)
{
    struct dispatch_state state = {0};
    struct disk_state disk;
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
    disk_state(request->service->disk, &disk);
    if (!health_has_room(request, &disk))
        return HANDLED_REPLY;
    return reply_json(&request->reply, MHD_HTTP_OK,
                      json_pack("{s:s, s:o, s:i, s:i}", "status",
                                disk.reason ? "degraded" : "ok", "reason",
                                reply_string(disk.reason), "workers",
                                (int)state.workers, "busy", (int)state.busy));
}
