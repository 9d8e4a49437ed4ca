/* placement: how charges are put into code (placement.def). The metered
 * library's manifest says its own, and the bots linked with it take that. */
#pragma once

#include "runner/base/err.h"

#include <stdbool.h>

enum placement {
#define PLACEMENT(NAME, name, text) PLACEMENT_##NAME,
#include "instrument/placement.def"
};

const char *placement_name(enum placement placement);
/* ERR_INPUT for an unknown name. */
int placement_parse(const char *name, enum placement *placement,
                    struct err *err);

/* Counters stand on chords; each block has its own. Both may be. */
bool placement_has_chords(enum placement placement);
bool placement_has_blocks(enum placement placement);
