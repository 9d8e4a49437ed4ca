/* alone: what count and profile share: one program, its input and limits. */
#pragma once

#include "api/cli/cli.h"
#include "runner/match/alone.h"

struct cli_alone {
    const char *name;  /* of the command, for messages */
    const char *path;  /* a .bot, a source or a folder */
    const char *input; /* a file, "-", or NULL for nothing */
    const struct cli_list *limits;
    bool profile;
};

/* Builds or opens, and runs: 0, -1, or CLI_USAGE after a message. *build
 * (build_free) and *alone (alone_release) are filled as far as it got, and
 * belong to the caller in any case. */
int cli_alone_run(struct zygote *zygote, const struct cli_alone *what,
                  struct build **build, struct alone *alone, struct err *err);
