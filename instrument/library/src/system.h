/* system: agreements between the library's own sources. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Writes out what the program printed so far: a read may end the turn. */
void __bout_flush(void);

/* The instruction clock, paid for. */
uint64_t __bout_now(void);

/* The next bytes of the slot's random stream. */
void __bout_random(void *to, size_t size);
