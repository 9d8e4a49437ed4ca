/* csv: RFC 4180, one line a turn and place. A field that a spreadsheet could
 * take for a formula gets a leading apostrophe. */
#include "profiler/report/model_internal.h"
#include "runner/base/cleanup.h"

#include <inttypes.h>
#include <string.h>

static void csv_field(struct buf *out, const char *text)
{
    buf_add_char(out, '"');
    if (*text && strchr("=+-@\t\r", *text))
        buf_add_char(out, '\'');
    for (; *text; text++) {
        if (*text == '"')
            buf_add_char(out, '"');
        buf_add_char(out, *text);
    }
    buf_add_char(out, '"');
}

int format_csv(const struct profile *profile, struct buf *out, struct err *err)
{
    (void)err;
    buf_add_str(out,
                "turn,slot,function,file,line,executions,instructions\r\n");
    for (size_t t = 0; t < profile->turn_count; t++) {
        const struct profile_turn *turn = &profile->turn[t];
        auto_free struct place_cost *costs = NULL;
        size_t count = profile_costs(profile, turn, &costs);

        for (size_t i = 0; i < count; i++) {
            const struct place *place = &profile->place[costs[i].place];
            buf_add_format(out, "%u,%u,", turn->turn, turn->slot);
            csv_field(out, place_function(profile, place));
            buf_add_char(out, ',');
            csv_field(out, place->file);
            buf_add_format(out, ",%u,%" PRIu64 ",%" PRIu64 "\r\n", place->line,
                           costs[i].executions, costs[i].instructions);
        }
    }
    return 0;
}
