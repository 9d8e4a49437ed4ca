/* place: puts charges into a lowered module (contract 2.2, 2.5).
 *
 * Function by function, callees first: body.h splits the blocks into pieces and
 * prices them; frequency.h, bound.h and tree.h decide which edges count and
 * where what remains is checked, hold.h which counters loops keep in registers;
 * chord.h puts that into the code, plan.h on the function what the link needs,
 * blockmap.h into blocks.json what a profile needs. The other placements of
 * placement.def are reference.h's.
 *
 * Nothing but pointer_check may change the module afterwards.
 */
#pragma once

#include "instrument/meter/blockmap.h"
#include "instrument/meter/manifest.h"
#include "instrument/meter/placement.h"
#include "runner/base/err.h"

#include <llvm-c/Core.h>

/* All functions with a body. `library` holds what is known of functions that
 * the module calls and does not define: NULL for the library itself. */
struct place_spec {
    enum placement placement;
    struct manifest *library;
    struct blockmap *map;
};

int place_module(LLVMModuleRef module, const struct place_spec *spec,
                 struct err *err);
