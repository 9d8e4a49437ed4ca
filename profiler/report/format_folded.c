/* folded: "function;file:line COUNT", for flame graphs (Gregg's stackcollapse
 * form). The readers split at ';' and at the last space. */
#include "profiler/report/model_internal.h"
#include "runner/base/cleanup.h"

#include <inttypes.h>

int format_folded(const struct profile *profile, struct buf *out,
                  struct err *err)
{
    auto_free struct place_cost *costs = NULL;
    size_t count = profile_costs(profile, NULL, &costs);

    (void)err;
    for (size_t i = 0; i < count; i++) {
        const struct place *place = &profile->place[costs[i].place];

        if (!costs[i].instructions)
            continue;
        report_add_plain(out, place_function(profile, place), "; ");
        if (place->file[0]) {
            buf_add_char(out, ';');
            report_add_plain(out, place->file, "; ");
            buf_add_format(out, ":%u", place->line);
        }
        buf_add_format(out, " %" PRIu64 "\n", costs[i].instructions);
    }
    return 0;
}
