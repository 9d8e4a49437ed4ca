/* runtime: the trusted native symbols that charged code may refer to.
 *
 * They are defined by instrument/bot/ (compiled natively, one object a target)
 * or, where noted, are names that bout-meter replaces and nobody defines. A bot
 * that declares or defines a name starting with `__bout_` is refused; the
 * metered library's sources include this header.
 *
 * Each native is uncounted: whoever calls it has paid, or it pays by itself.
 * "Stops" means: notes a page_end and leaves the process; it does not return.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define _Noreturn [[noreturn]]
extern "C" {
#endif

/* Called by charged code that bout-meter wrote. */
_Noreturn void __bout_stop(void); /* remaining < 0: PAGE_END_BUDGET */
_Noreturn void __bout_trap(uint32_t page_trap);
/* The check or site whose stop's address is in `__bout_check` has used up what
 * it was given: gives it more, or stops (PAGE_END_BUDGET). Keeps the registers
 * of LLVM's preserve_all convention. */
void __bout_refuel(void);
/* --placement classic: takes n off what remains, or stops. */
void __bout_increment(uint64_t n);
/* The linear stack pointer is about to become `wanted`, below stack_floor:
 * hands out whole pages and pays [page] for them, or stops (PAGE_END_STACK). */
void __bout_stack(uint64_t wanted);
/* setjmp and longjmp by ticket: the jmp_buf's first word holds a ticket, the
 * registers stay in hidden memory. A frame that calls setjmp is bracketed by
 * mark (entry) and release (every return): tickets taken in between die. */
int __bout_setjmp(void *env) __attribute__((returns_twice));
_Noreturn void __bout_longjmp(void *env, int value);
uint64_t __bout_jump_mark(void);
void __bout_jump_release(uint64_t mark);

/* Called by the metered library. */
/* Bytes read, 0 at the end of input. Ends the turn when the view is used up.
 * Pays [read]. */
long __bout_read(void *to, size_t size);
/* fd 1: the reply (over reply_bytes stops, PAGE_END_OUTPUT); fd 2: the log (the
 * excess is dropped and counted). Pays [write] for all `size` bytes before the
 * work is done. Returns size. */
long __bout_write(int fd, const void *from, size_t size);
_Noreturn void __bout_exit(int code);
/* Grows the arena by `size` bytes (rounded up to 4 KiB) and returns the start
 * of the new part; pays [page]; over the limit stops (PAGE_END_MEMORY). */
void *__bout_heap(size_t size);
/* Instructions since turn 0 began, exact at the call. Unpaid. */
uint64_t __bout_clock(void);
/* What a bot says of itself (page.h, enum page_event_kind): kept for the runner
 * where it asked for that. Unpaid; returns what __bout_clock does. */
uint64_t __bout_event(uint32_t kind, const char *text, size_t size,
                      uint64_t number);
/* The 32-byte key of the slot's ChaCha20 stream. */
void __bout_seed(uint8_t key[32]);
/* Pieces of at most 4,096 bytes, unpaid: the caller pays with __bout_charge. */
size_t __bout_strnlen(const char *text, size_t most);
const void *__bout_memchr(const void *from, int byte, size_t size);
int __bout_memcmp(const void *a, const void *b, size_t size);
/* Index of the first difference, or size. */
size_t __bout_mismatch(const void *a, const void *b, size_t size);

/* Replaced by bout-meter, defined by nobody: charges `instructions` at this
 * call site (a counter of its own in the block table) and stops if that was
 * more than remained. In library code only. */
void __bout_charge(uint64_t instructions);

/* memcpy, memmove and memset are natives too, under their own names: code
 * generation emits calls to them. bout-meter prices each use before the call
 * (1 + ceil(bytes / 8)) and turns direct calls into the intrinsic. */

#ifdef __cplusplus
}
#undef _Noreturn
#endif
