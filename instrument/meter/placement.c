#include "instrument/meter/placement.h"

#include <string.h>

static const char *const names[] = {
#define PLACEMENT(NAME, name, text) name,
#include "instrument/placement.def"
};

const char *placement_name(enum placement placement)
{
    return names[placement];
}

int placement_parse(const char *name, enum placement *placement,
                    struct err *err)
{
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], name) != 0)
            continue;
        *placement = (enum placement)i;
        return 0;
    }
    return err_set(err, ERR_INPUT, "no placement %s", name);
}

bool placement_has_chords(enum placement placement)
{
    return placement == PLACEMENT_CHORDS || placement == PLACEMENT_BOTH;
}

bool placement_has_blocks(enum placement placement)
{
    return placement == PLACEMENT_REFERENCE || placement == PLACEMENT_BOTH;
}
