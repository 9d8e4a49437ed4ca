/* scan: the last look at a linked executable (design.md 2, step 5).
 *
 * Form: a static executable of one of our targets whose segments are code,
 * read-only, data and the mark of a stack, at our addresses; none writable and
 * executable; entry inside the trusted runtime's code, which is the installed
 * runtime byte for byte (fields that the linker fills in aside).
 *
 * Code, x86-64: at no byte offset of an executable segment outside the runtime
 * stands an instruction that reads or writes a segment base; and no instruction
 * of the program is a system call, a clock, a counter, processor identity,
 * randomness, a far transfer or a segment load. Two bytes like those of
 * `syscall` also occur inside honest constants and displacements, so a match of
 * two bytes is a finding only if an instruction begins there; control flow is
 * closed (pointer.h), so nothing can jump into the middle of one.
 *
 * Code, aarch64: each 4-byte word of an executable segment outside the runtime
 * is an instruction of the base architecture; of those that call the kernel or
 * touch system registers none but traps, nop and the read of the thread
 * register (bot/hidden.h).
 */
#pragma once

#include "runner/base/buf.h"
#include "runner/base/err.h"

/* `runtime` is the installed runtime's relocatable object, or NULL: not
 * compared. A finding is -1 with ERR_INPUT and names the file offset. */
int scan_executable(const struct buf *elf, const struct buf *runtime,
                    struct err *err);
