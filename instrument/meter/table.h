/* table: function pointers become numbers, on the closed module of a link.
 *
 * `__bout_table` has POINTER_TABLE_ENTRIES entries {code, type id} and is read
 * only. An entry is filled for each `I.f` that the link brought in, at the
 * index that it holds. All other entries have type 0, which no call expects.
 */
#pragma once

#include "runner/base/err.h"

#include <llvm-c/Core.h>

#define TABLE_SECTION ".bout.table"

int table_fill(LLVMModuleRef module, struct err *err);

/* For the library's code alone: `I.f` become numbers, the table stays external.
 */
void table_number(LLVMModuleRef module);
