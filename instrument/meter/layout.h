/* layout: where a linked bot's data and counters are (contract 2.1).
 *
 * All data is one image from PAGE_DATA_ADDRESS on: initialised data first, the
 * bot's and then the library's, then what starts as zeros in the same order,
 * each object aligned to at least 16 bytes. Addresses depend on the linked
 * module alone and are constants in the code that is generated; the library's
 * precompiled code gets its own by the linker script.
 */
#pragma once

#include "instrument/meter/placement.h"
#include "runner/base/buf.h"
#include "runner/base/err.h"

#include <llvm-c/Core.h>
#include <stddef.h>
#include <stdint.h>

#define LAYOUT_DATA_SECTION ".bout.data"
#define LAYOUT_ZERO_SECTION ".bss.bout"
#define LAYOUT_ZEROS "__bout_zeros" /* what is in the latter */

/* A symbol of the library whose address is decided here. */
struct layout_symbol {
    char *name;
    uint64_t address;
};

struct layout {
    uint64_t data_bytes;
    uint64_t counter_count;        /* words of all groups (plan.h) */
    struct layout_symbol *symbols; /* data; then counter arrays, as offsets */
    size_t symbol_count, symbol_capacity;
    struct buf functions; /* JSON members of layout.json's list */
};

void layout_release(struct layout *layout);
#define auto_layout __attribute__((cleanup(layout_release)))

/* Moves all data of the closed module into the image. Data over
 * PAGE_DATA_MAX_BYTES: ERR_INPUT, a sentence for the contestant. */
int layout_data(struct layout *layout, LLVMModuleRef module, struct err *err);

/* Numbers the counters of all functions with a body, group by group (plan.h),
 * the bot's first, and defines what the runtime must know of them as
 * `__bout_plan` (instrument/bot/plan.h). */
void layout_counters(struct layout *layout, LLVMModuleRef module,
                     enum placement placement);

/* Puts the offsets of hidden words in place of their names, for a target that
 * has no linker script. */
void layout_pin_hidden(const struct layout *layout, LLVMModuleRef module);

/* layout.json. */
void layout_format(const struct layout *layout, struct buf *out);

/* The linker script: the executable's segments, and the symbols. */
void layout_format_script(const struct layout *layout, struct buf *out);
