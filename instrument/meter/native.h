/* native: what charged code may call of the trusted runtime (native.def). */
#pragma once

#include <stdbool.h>

struct native {
    const char *name;
    bool stops;
    bool returns;
};

/* NULL if it is none. */
const struct native *native_find(const char *name);
