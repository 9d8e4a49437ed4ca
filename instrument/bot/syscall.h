/* syscall: raw system calls of the in-bot runtime. After its filter is loaded
 * only exit_group and the two futex forms below are left; anything else traps.
 * Results are the kernel's: a negative errno on failure. */
#pragma once

#include <asm/unistd.h>
#include <linux/futex.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
static inline long syscall_6(long number, const uint64_t arg[6])
{
    register uint64_t r10 __asm__("r10");
    register uint64_t r8 __asm__("r8");
    register uint64_t r9 __asm__("r9");
    long result;

    r10 = arg[3];
    r8 = arg[4];
    r9 = arg[5];
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(arg[0]), "S"(arg[1]), "d"(arg[2]),
                       "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
static inline long syscall_6(long number, const uint64_t arg[6])
{
    register uint64_t x8 __asm__("x8") = (uint64_t)number;
    register uint64_t x0 __asm__("x0") = arg[0];
    register uint64_t x1 __asm__("x1") = arg[1];
    register uint64_t x2 __asm__("x2") = arg[2];
    register uint64_t x3 __asm__("x3") = arg[3];
    register uint64_t x4 __asm__("x4") = arg[4];
    register uint64_t x5 __asm__("x5") = arg[5];

    __asm__ volatile("svc #0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return (long)x0;
}
#endif

#define SYSCALL(number, ...) syscall_6(number, (const uint64_t[6]){__VA_ARGS__})

static inline void futex_wake(_Atomic uint32_t *word)
{
    (void)SYSCALL(__NR_futex, (uint64_t)word, FUTEX_WAKE, 1);
}

/* Returns at once unless *word == expected; may return early. */
static inline void futex_wait(_Atomic uint32_t *word, uint32_t expected)
{
    (void)SYSCALL(__NR_futex, (uint64_t)word, FUTEX_WAIT, expected);
}

static inline _Noreturn void exit_group(int code)
{
    for (;;)
        (void)SYSCALL(__NR_exit_group, (uint64_t)(unsigned)code);
}
