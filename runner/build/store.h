/* store: what build.c and store.c know of a build that others need not. */
#pragma once

#include "runner/build/build.h"

/* An empty build; build_free it. */
struct build *build_new(void);
