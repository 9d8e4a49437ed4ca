/* cmd: the subcommands of bout-meter. Each gets its own arguments, its name as
 * argv[0], and returns the exit code (contract 6); 1 is for what the
 * contestant's source is to blame for, 3 for faults of ours. */
#pragma once

#include "runner/base/err.h"

int cmd_library(int argc, char **argv);
int cmd_bot(int argc, char **argv);
int cmd_link(int argc, char **argv);
int cmd_scan(int argc, char **argv);

/* Prints the message on standard error; returns the error's exit code. */
int cmd_fail(const char *command, const struct err *err);

/* Prints how the command is used; returns 2. */
int cmd_usage(const char *text);
