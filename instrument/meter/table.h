/* table: function pointers become numbers, on the closed module of a link.
 *
 * `__bout_table` has POINTER_TABLE_ENTRIES entries {code, type id} and is read
 * only. An entry is filled for each `I.f` that the link brought in; a library
 * function's index is in its `I.f`, a bot's functions follow in the module's
 * order. All other entries have type 0, which no call expects.
 */
#pragma once

#include "runner/base/err.h"

#include <llvm-c/Core.h>
#include <stdint.h>

#define TABLE_SECTION ".bout.table"

/* `first` is the first index that is not the library's. More functions than
 * entries: ERR_INPUT, a sentence for the contestant. */
int table_fill(LLVMModuleRef module, uint32_t first, struct err *err);

/* For the library's code alone: `I.f` become numbers, the table stays external. */
void table_number(LLVMModuleRef module);
