#include "instrument/meter/native.h"

#include <stddef.h>
#include <string.h>

static const struct native natives[] = {
#define NATIVE(name, stops, returns) {name, stops, returns},
#include "instrument/meter/native.def"
};

const struct native *native_find(const char *name)
{
    for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
        if (!strcmp(name, natives[i].name))
            return &natives[i];
    return NULL;
}
