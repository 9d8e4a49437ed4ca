/* csv: RFC 4180, one line a turn and place. A field that a spreadsheet could
 * take for a formula gets a leading apostrophe. */
#include "profiler/report/model_internal.h"
#include "runner/base/cleanup.h"

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

/* What is the same at every mention of a place, written once. */
static char **place_fields(const struct profile *profile)
{
    char **fields = mem_calloc(profile->place_count + 1, sizeof *fields);

    for (size_t i = 0; i < profile->place_count; i++) {
        const struct place *place = &profile->place[i];
        struct buf field = {0};

        csv_field(&field, place_function(profile, place));
        buf_add_char(&field, ',');
        csv_field(&field, place->file);
        buf_add_format(&field, ",%u,", place->line);
        fields[i] = buf_take(&field);
    }
    return fields;
}

static void add_turn(const struct profile *profile,
                     const struct profile_turn *turn, char *const *fields,
                     struct buf *out)
{
    auto_free struct place_cost *costs = NULL;
    auto_free char *head = mem_format("%u,%u,", turn->turn, turn->slot);
    size_t count = profile_costs(profile, turn, &costs);

    for (size_t i = 0; i < count; i++) {
        buf_add_str(out, head);
        buf_add_str(out, fields[costs[i].place]);
        report_add_number(out, costs[i].executions);
        buf_add_char(out, ',');
        report_add_number(out, costs[i].instructions);
        buf_add_str(out, "\r\n");
    }
}

int format_csv(const struct profile *profile, struct buf *out, struct err *err)
{
    char **fields = place_fields(profile);

    (void)err;
    buf_add_str(out,
                "turn,slot,function,file,line,executions,instructions\r\n");
    for (size_t t = 0; t < profile->turn_count; t++)
        add_turn(profile, &profile->turn[t], fields, out);
    for (size_t i = 0; i < profile->place_count; i++)
        free(fields[i]);
    free(fields);
    return 0;
}
