/* source: caps of a submission (contract section 5) and names. The functions on
 * struct build_source are in build.h. */
#pragma once

#include "runner/build/build.h"

#define SOURCE_MAX_BYTES 8388608u /* of all files together */
#define SOURCE_MAX_FILES 1000u

/* The last part of a path, "/" at its end ignored. To be freed. */
char *source_base_name(const char *path);
