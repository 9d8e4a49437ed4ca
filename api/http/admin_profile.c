/* admin_profile: GET /v1/admin/profile, the service's own profile as it is
 * written, for `?seconds=`. */
#include "api/http/resources.h"
#include "api/http/selfprofile.h"
#include "runner/base/clock.h"

#include <microhttpd.h>

#define SECONDS_ABSENT 10
#define SECONDS_MAX 3600

int admin_profile(struct request *request, struct db *db, struct err *err)
{
    const struct uri_range range = {
        .absent = SECONDS_ABSENT, .low = 1, .high = SECONDS_MAX};
    struct selfprofile *profile = request->service->selfprofile;
    int64_t seconds;

    (void)db;
    if (uri_query_int(&request->uri, "seconds", range, &seconds, err) < 0)
        return -1;
    if (!profile)
        return reply_problem(&request->reply, MHD_HTTP_CONFLICT, "profile_off",
                             "the service was started without --profile");
    request->reply.stream = selfprofile_listen(
        profile, clock_mono_ns() + (uint64_t)seconds * 1000000000u);
    request->reply.status = MHD_HTTP_OK;
    request->reply.content_type = "application/octet-stream";
    return 0;
}
