/* clone_into: clone(2) with the descriptor of a control group that the child is
 * born in, which glibc's wrapper cannot be told. Source: clone3(2). */
#pragma once

#include <linux/sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

/* The child runs run(argument) on the stack of *args, whose flags hold CLONE_VM
 * and CLONE_VFORK, and does not come back from it. The pid, or -errno. */
static inline long clone_into(int (*run)(void *), void *argument,
                              struct clone_args *args)
{
#if defined(__x86_64__)
    long result = SYS_clone3;

    __asm__ volatile(
        "syscall\n\t"
        "test %%rax, %%rax\n\t"
        "jnz 1f\n\t"
        "xor %%ebp, %%ebp\n\t"
        "mov %[argument], %%rdi\n\t"
        "call *%[run]\n\t"
        "hlt\n"
        "1:"
        : "+a"(result)
        : "D"(args), "S"(sizeof *args), [run] "r"(run), [argument] "r"(argument)
        : "rcx", "r11", "memory", "cc");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = SYS_clone3;
    register long x0 __asm__("x0") = (long)(uintptr_t)args;
    register long x1 __asm__("x1") = (long)sizeof *args;

    __asm__ volatile("svc #0\n\t"
                     "cbnz x0, 1f\n\t"
                     "mov x29, xzr\n\t"
                     "mov x0, %[argument]\n\t"
                     "blr %[run]\n\t"
                     "brk #1\n"
                     "1:"
                     : "+r"(x0)
                     : "r"(x8),
                       "r"(x1), [run] "r"(run), [argument] "r"(argument)
                     : "memory", "cc");
    return x0;
#else
#error "clone_into: not written for this processor"
#endif
}
