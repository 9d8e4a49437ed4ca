#include "api/cli/alone.h"

#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <string.h>
#include <unistd.h>

#define ALONE_LIMIT 1000000000u    /* instructions of turns 0 and 1 */
#define ALONE_BYTES (1024u << 20u) /* memory, reply, log and view */

/* A number alone is the limit of both turns; else KEY=VALUE. */
static int read_limits(const struct cli_list *given, struct limits *limits,
                       struct err *err)
{
    json_t *object = json_object();
    int result = 0;

    limits_init(limits, 0, 0, 0);
    limits->turn_hard = ALONE_LIMIT;
    limits->startup = LIMITS_MAX_NUMBER; /* turn_hard is for both turns */
    limits->match_total = LIMITS_MAX_NUMBER;
    limits->memory_bytes = ALONE_BYTES;
    limits->reply_bytes = ALONE_BYTES;
    limits->view_bytes = ALONE_BYTES;
    limits->log_bytes = ALONE_BYTES;
    limits->log_match_bytes = ALONE_BYTES;
    for (size_t i = 0; i < given->count && result == 0; i++) {
        uint64_t number;
        if (cli_number(given->item[i], &number))
            json_object_set_new(object, "turn_hard",
                                json_integer((json_int_t)number));
        else
            result = limits_parse(object, given->item[i], err);
    }
    if (result == 0)
        result = limits_apply(limits, object, false, err);
    json_decref(object);
    return result;
}

/* No input unless it is asked for: "-" is standard input. */
static int read_input(const char *path, struct buf *input, struct err *err)
{
    if (!path)
        return 0;
    if (!strcmp(path, "-"))
        return io_read_all(STDIN_FILENO, ALONE_BYTES, input, err);
    return io_read_file(path, ALONE_BYTES, input, err);
}

int cli_alone_run(struct zygote *zygote, const struct cli_alone *what,
                  struct build **build, struct alone *alone, struct err *err)
{
    auto_buf struct buf input = {0};
    struct alone_spec spec = {.seed = "0", .profile = what->profile};

    if (read_limits(what->limits, &spec.limits, err) < 0)
        return cli_usage(what->name, "--limit: %s", err->msg);
    if (read_input(what->input, &input, err) < 0)
        return -1;
    *build = build_open_or_make(what->path, err);
    if (!*build)
        return -1;
    spec.build = *build;
    spec.input = input.data ? input.data : "";
    spec.input_size = input.size;
    return alone_run(zygote, &spec, alone, err);
}
