/* source: caps of a submission (contract section 5) and names. The functions on
 * struct build_source are in build.h. */
#pragma once

#include "runner/build/build.h"

#define SOURCE_MAX_BYTES 8388608u /* of all files together */
#define SOURCE_MAX_FILES 1000u

/* ERR_INPUT says what is odd about the path of a file. */
int source_check_path(const char *path, struct err *err);

/* Whether any part of the path is what systems and editors leave behind
 * (__MACOSX, .DS_Store, .git): passed over everywhere but where one file alone
 * is named. */
bool source_is_leftover(const char *path);
/* Likewise for the folders of build tools (build, cmake-build-debug, x64). */
bool source_is_built(const char *path);

/* By its name: ".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst". */
bool source_is_archive(const char *path);

/* The last part of a path, "/" at its end ignored. To be freed. */
char *source_base_name(const char *path);
