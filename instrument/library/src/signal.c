/* signal: only a program's own raise and abort deliver anything.
 *
 * Handlers run inside raise. A signal without a handler whose default is to end
 * the program is the verdict `crash`, reason abort. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "instrument/bot/page.h"
#include "instrument/bot/runtime.h"
#include "libc.h"

static struct sigaction action[_NSIG];

static int is_ignored_by_default(int number)
{
    return number == SIGCHLD || number == SIGURG || number == SIGWINCH ||
           number == SIGCONT;
}

static int is_number(int number)
{
    if (number > 0 && number < _NSIG)
        return 1;
    errno = EINVAL;
    return 0;
}

int raise(int number)
{
    if (!is_number(number))
        return -1;

    struct sigaction found = action[number];
    if (found.sa_flags & (int)SA_RESETHAND)
        action[number].sa_handler = SIG_DFL;
    if (found.sa_flags & SA_SIGINFO && found.sa_sigaction) {
        siginfo_t about = {.si_signo = number, .si_code = SI_TKILL};
        found.sa_sigaction(number, &about, NULL);
    } else if (found.sa_handler == SIG_DFL) {
        if (!is_ignored_by_default(number))
            __bout_trap(PAGE_TRAP_ABORT);
    } else if (found.sa_handler != SIG_IGN) {
        found.sa_handler(number);
    }
    return 0;
}

/* A handler may leave by longjmp; if it returns, the program ends all the same.
 * It runs once: abort inside it ends at once. */
_Noreturn void abort(void)
{
    struct sigaction found = action[SIGABRT];

    action[SIGABRT] = (struct sigaction){.sa_handler = SIG_DFL};
    if (found.sa_handler != SIG_DFL && found.sa_handler != SIG_IGN &&
        !(found.sa_flags & SA_SIGINFO))
        found.sa_handler(SIGABRT);
    __bout_trap(PAGE_TRAP_ABORT);
}

int sigaction(int number, const struct sigaction *restrict wanted,
              struct sigaction *restrict before)
{
    if (!is_number(number))
        return -1;
    if (wanted && (number == SIGKILL || number == SIGSTOP)) {
        errno = EINVAL;
        return -1;
    }
    if (before)
        *before = action[number];
    if (wanted)
        action[number] = *wanted;
    return 0;
}

void (*signal(int number, void (*handler)(int)))(int)
{
    struct sigaction wanted = {.sa_handler = handler};
    struct sigaction before;

    if (sigaction(number, &wanted, &before) < 0)
        return SIG_ERR;
    return before.sa_handler;
}

/* Nothing arrives, so nothing is held back. */
int sigprocmask(int how, const sigset_t *restrict wanted,
                sigset_t *restrict before)
{
    (void)how, (void)wanted;
    if (before)
        sigemptyset(before);
    return 0;
}

int kill(pid_t pid, int number)
{
    if (pid != 1 && pid != 0) {
        errno = ESRCH;
        return -1;
    }
    return number == 0 ? 0 : raise(number);
}
