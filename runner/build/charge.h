/* charge: from bitcode to a charged module, and from that to an executable for
 * one target: bout-meter, ld.lld and the scan, each in its own box.
 */
#pragma once

#include "runner/build/build.h"
#include "runner/build/compile.h"

/* Fills build->hash, module, blocks. 1 done, 0 rejected, -1 error. */
int charge_module(struct making *making, const struct bitcode *bitcode,
                  struct build *build, struct err *err);

/* From build->module: fills layout, elf and what follows from them. 1 done,
 * 0 rejected (code that must not be in a bot was found), -1 error. */
int charge_link(struct making *making, struct build *build, struct err *err);
