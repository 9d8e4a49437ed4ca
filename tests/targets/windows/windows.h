/* windows: what the files of the runtime under Windows share; in place of
 * instrument/bot's start.c, fault.c, seal.c and its assembly. All else of that
 * runtime is compiled as it is. */
#pragma once

#include <stdint.h>

/* turns.c: so many bytes of stdin, or the end of the process. */
void windows_receive(volatile void *to, uint64_t bytes);

/* fault.c: faults become the signals that they are elsewhere. 0, or -1. */
int windows_catch_faults(void);
