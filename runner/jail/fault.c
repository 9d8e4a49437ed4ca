/* fault: from the runtime's note and the kernel's wait status to a turn's end.
 */
#include "runner/jail/box.h"
#include "runner/jail/box_internal.h"
#include "runner/jail/filter.h"
#include "runner/jail/zygote.h"

#include <stdio.h>
#include <string.h>

/* An address below this is a null pointer with an offset. */
#define FAULT_NULL_BYTES 65536u

/* Numbers of verdict.def's CRASH list that come from signals. */
enum {
    FAULT_TRAP = PAGE_TRAP_UNREACHABLE,
    FAULT_DIVIDE = PAGE_TRAP_DIVIDE,
    FAULT_NULL = 16,
    FAULT_ADDRESS = 17,
};

static const char *crash_reason(int code)
{
    switch (code) {
#define CRASH(number, text) \
    case number:            \
        return text;
#include "runner/verdict.def"
    default:
        return "trap";
    }
}

static void crashed(struct turn *turn, int code)
{
    turn->end = TURN_CRASH;
    turn->code = code;
    snprintf(turn->detail, sizeof turn->detail, "%s", crash_reason(code));
}

static void forbidden(struct turn *turn, const char *what)
{
    turn->end = TURN_FORBIDDEN;
    snprintf(turn->detail, sizeof turn->detail, "%s", what);
}

/* The page under the native stack, which no honest build reaches: its linear
 * stack is used up first. */
static bool in_guard(const struct page_hidden *hidden, uint64_t address)
{
    uint64_t native = hidden->start.native_address;

    return address - native < PAGE_NATIVE_GUARD_END;
}

static void explain_signal(const struct page_hidden *hidden, int signal,
                           struct turn *turn)
{
    turn->counted = false;
    if (signal == SIGFPE)
        crashed(turn, FAULT_DIVIDE);
    else if (signal == SIGILL || signal == SIGTRAP)
        crashed(turn, FAULT_TRAP);
    else if (in_guard(hidden, hidden->end_address))
        turn->end = TURN_STACK;
    else if (hidden->end_detail != SI_KERNEL &&
             hidden->end_address < FAULT_NULL_BYTES)
        crashed(turn, FAULT_NULL);
    else
        crashed(turn, FAULT_ADDRESS);
}

static void explain_call(const struct page_hidden *hidden, struct turn *turn)
{
    char name[64];

    filter_call_name(hidden->end_code, (unsigned)hidden->end_address, name,
                     sizeof name);
    forbidden(turn, name);
    turn->counted = false;
}

/* No note: the kernel ended it before the runtime could write one. */
static void explain_status(const siginfo_t *status, struct turn *turn)
{
    turn->counted = false;
    if (status->si_code == CLD_EXITED)
        forbidden(turn, "turn protocol");
    else if (status->si_status == SIGKILL || status->si_status == 0)
        turn->end = TURN_KILLED;
    else
        crashed(turn, FAULT_ADDRESS);
}

/* SI_USER and the like: somebody sent the signal. */
static void explain_fault(const struct page_hidden *hidden, struct turn *turn)
{
    if (hidden->end_detail > 0) {
        explain_signal(hidden, hidden->end_code, turn);
        return;
    }
    turn->end = TURN_KILLED;
    turn->counted = false;
}

static int explain_note(const struct page_hidden *hidden, struct turn *turn,
                        struct err *err)
{
    turn->fault_ip = hidden->end_ip;
    turn->code = hidden->end_code;
    switch ((enum page_end)hidden->end) {
    case PAGE_END_EXIT:
        turn->end = TURN_EXITED;
        turn->code &= 255;
        return 0;
    case PAGE_END_BUDGET:
        turn->end = TURN_BUDGET;
        return 0;
    case PAGE_END_STACK:
        turn->end = TURN_STACK;
        return 0;
    case PAGE_END_MEMORY:
        turn->end = TURN_MEMORY;
        return 0;
    case PAGE_END_OUTPUT:
        turn->end = TURN_OUTPUT;
        return 0;
    case PAGE_END_TRAP:
        crashed(turn, hidden->end_code);
        return 0;
    case PAGE_END_FAULT:
        explain_fault(hidden, turn);
        return 0;
    case PAGE_END_SYSCALL:
        explain_call(hidden, turn);
        return 0;
    case PAGE_END_METER:
        return err_set(err, ERR_SYSTEM,
                       "two placements of the counters do not agree, at "
                       "address 0x%llx",
                       (unsigned long long)hidden->end_ip);
    case PAGE_END_PROTOCOL:
    case PAGE_END_NONE:
        break;
    }
    forbidden(turn, "turn protocol");
    return 0;
}

/* Who killed it, where that can be known: it changes no verdict. */
static void explain_killer(const struct box *box, struct turn *turn)
{
    if (slot_ran_out(box->zygote->slots, box->slot))
        snprintf(turn->detail, sizeof turn->detail,
                 "by the kernel, for want of memory");
}

int fault_explain(const struct box *box, const siginfo_t *status,
                  struct turn *turn, struct err *err)
{
    if (box_count_is_forged(box)) {
        forbidden(turn, "turn protocol");
        turn->counted = false;
        return 0;
    }
    if (box->hidden->end != PAGE_END_NONE) {
        if (explain_note(box->hidden, turn, err) < 0)
            return -1;
    } else {
        explain_status(status, turn);
    }
    if (turn->end == TURN_KILLED)
        explain_killer(box, turn);
    return 0;
}
