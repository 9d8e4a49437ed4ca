/* profile_stream: see `bout profile --stream`. */
#pragma once

/* Prints the tree of the stream in `path` ("-": standard input) to `out_path`,
 * or standard output where that is NULL. Returns the exit code. */
int cli_profile_stream(const char *path, const char *out_path);
