/* fault: exceptions of the processor, noted as the signals that Linux makes of
 * them on x86-64, so that the runner reads both alike. */
#include "instrument/bot/inside.h"
#include "tests/targets/windows/kernel32.h"
#include "tests/targets/windows/windows.h"

/* Linux's numbers: asm/signal.h, asm-generic/siginfo.h. */
#define LINUX_SIGILL 4
#define LINUX_SIGTRAP 5
#define LINUX_SIGFPE 8
#define LINUX_SIGSEGV 11
#define LINUX_SI_KERNEL 0x80
#define LINUX_SEGV_MAPERR 1

static int signal_of(uint32_t code)
{
    switch (code) {
    case EXCEPTION_BREAKPOINT:
        return LINUX_SIGTRAP;
    case EXCEPTION_ILLEGAL_INSTRUCTION:
        return LINUX_SIGILL;
    case EXCEPTION_INT_DIVIDE_BY_ZERO:
    case EXCEPTION_INT_OVERFLOW:
        return LINUX_SIGFPE;
    default:
        return LINUX_SIGSEGV;
    }
}

static int on_exception(struct exception_pointers *exception)
{
    const struct exception_record *record = exception->record;
    int signal = signal_of(record->code);

    bot_hidden.end_detail = LINUX_SEGV_MAPERR;
    bot_hidden.end_address = record->address;
    if (signal == LINUX_SIGSEGV) {
        bot_hidden.end_address = record->information[1];
        /* An address that is none: no kernel knows which. */
        if (bot_hidden.end_address == UINT64_MAX) {
            bot_hidden.end_address = 0;
            bot_hidden.end_detail = LINUX_SI_KERNEL;
        }
    }
    bot_leave(PAGE_END_FAULT, signal, record->address);
}

int windows_catch_faults(void)
{
    return AddVectoredExceptionHandler(1, on_exception) ? 0 : -1;
}
