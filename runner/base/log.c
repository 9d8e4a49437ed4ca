#include "runner/base/log.h"

#include "runner/base/buf.h"
#include "runner/base/clock.h"

#include <jansson.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static _Atomic int log_threshold = LOG_INFO;
static const char *const log_names[] = {"debug", "info", "warn", "alarm"};

void log_set_level(enum log_level level)
{
    log_threshold = (int)level;
}

void log_line(enum log_level level, const char *room, const char *format, ...)
{
    if ((int)level < log_threshold)
        return;

    struct buf text = {0};
    va_list args;
    va_start(args, format);
    buf_add_vformat(&text, format, args);
    va_end(args);

    json_t *line = json_pack(
        "{s:I,s:s,s:s,s:s}", "time_ns", (json_int_t)clock_wall_ns(), "level",
        log_names[level], "room", room, "message", text.data ? text.data : "");
    char *bytes = line ? json_dumps(line, JSON_COMPACT) : NULL;
    fprintf(stderr, "%s\n", bytes ? bytes : "{\"level\":\"alarm\"}");
    free(bytes);
    json_decref(line);
    buf_release(&text);
}
