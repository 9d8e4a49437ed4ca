/* fault: signals of the bot's own making. The handler runs on hidden memory,
 * notes what the kernel says and leaves; it never returns, so rt_sigreturn is
 * not needed and not allowed. */
#include "instrument/bot/inside.h"
#include "instrument/bot/syscall.h"

#include <asm/sigcontext.h>
#include <asm/siginfo.h>
#include <asm/signal.h>
#include <asm/ucontext.h>
#include <linux/audit.h>

/* The kernel's form of an action: signal.h has the C library's. */
struct fault_action {
    void (*handler)(int, siginfo_t *, const struct ucontext *);
    uint64_t flags;
    void (*restorer)(void);
    uint64_t mask;
};

#ifndef SA_RESTORER
#define SA_RESTORER 0x04000000
#endif

static const int fault_signals[] = {SIGSEGV, SIGBUS,  SIGFPE,
                                    SIGILL,  SIGTRAP, SIGSYS};

#if defined(__x86_64__)
/* `int $0x80` on a kernel that has 32-bit calls switched off: a general
 * protection fault at the instruction, not SIGSYS. It is the same deed. */
static int is_call_32(int signal, const siginfo_t *info,
                      const struct ucontext *context)
{
    static const unsigned char int_80[] = {0xcd, 0x80};
    const unsigned char *at = (const unsigned char *)context->uc_mcontext.rip;

    /* What was fetched as code can be read; a wild jump's target cannot. */
    return signal == SIGSEGV && info->si_code == SI_KERNEL &&
           context->uc_mcontext.rip >= PAGE_TEXT_ADDRESS &&
           context->uc_mcontext.rip < PAGE_DATA_ADDRESS && at[0] == int_80[0] &&
           at[1] == int_80[1];
}
#endif

static uint64_t faulting_ip(const struct ucontext *context)
{
#if defined(__x86_64__)
    return context->uc_mcontext.rip;
#elif defined(__aarch64__)
    return context->uc_mcontext.pc;
#endif
}

static void on_fault(int signal, siginfo_t *info,
                     const struct ucontext *context)
{
    bot_hidden.end_detail = info->si_code;
    if (signal == SIGSYS) {
        bot_hidden.end_address = (uint64_t)info->si_arch;
        bot_leave(PAGE_END_SYSCALL, info->si_syscall, faulting_ip(context));
    }
#if defined(__x86_64__)
    if (is_call_32(signal, info, context)) {
        bot_hidden.end_address = AUDIT_ARCH_I386;
        bot_leave(PAGE_END_SYSCALL, (int)context->uc_mcontext.rax,
                  context->uc_mcontext.rip);
    }
#endif
    bot_hidden.end_address = (uint64_t)info->si_addr;
    bot_leave(PAGE_END_FAULT, signal, faulting_ip(context));
}

static void never(void)
{
    __builtin_trap();
}

long bot_catch_faults(uint64_t stack, uint64_t bytes)
{
    const stack_t alternate = {.ss_sp = (void *)stack, .ss_size = bytes};
    const struct fault_action action = {
        .handler = on_fault,
        .flags = SA_SIGINFO | SA_ONSTACK | SA_RESTORER,
        .restorer = never,
        .mask = ~(uint64_t)0,
    };
    long result = SYSCALL(__NR_sigaltstack, (uint64_t)&alternate, 0);

    for (size_t i = 0; i < sizeof fault_signals / sizeof *fault_signals; i++)
        if (result >= 0)
            result = SYSCALL(__NR_rt_sigaction, (uint64_t)fault_signals[i],
                             (uint64_t)&action, 0, sizeof action.mask);
    return result;
}
