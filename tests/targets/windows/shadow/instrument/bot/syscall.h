/* syscall: what instrument/bot/turn.c asks of the kernel, under Windows; found
 * in place of the file of this name in instrument/bot. There are no words to
 * share with a runner: what they would tell goes through pipes (turns.c). */
#pragma once

#include <stdint.h>

/* The runner's side wakes who waits. */
static inline void futex_wake(_Atomic uint32_t *word)
{
    (void)word;
}

/* Tells how the turn ended, and returns when another one is granted. */
void futex_wait(_Atomic uint32_t *word, uint32_t expected);

/* Tells how the last turn ended, and leaves. */
_Noreturn void exit_group(int code);
