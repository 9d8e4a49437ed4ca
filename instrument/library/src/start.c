/* start: from the trusted runtime's call to the program's main and out again.
 *
 * Charged like anything else: it is part of turn 0. */
#include <stdlib.h>
#include <unistd.h>

#include "instrument/bot/runtime.h"
#include "libc.h"

/* bout-meter makes these from the constructors of the library and the program,
 * in their fixed order. */
void __lib_ctors(void) __attribute__((nothrow));
void __bot_ctors(void) __attribute__((nothrow));

/* The program's; bout-meter gives it this type. nothrow: an exception that
 * leaves it is looked for here, not passed on. */
int main(int count, char **argument, char **environment)
    __attribute__((nothrow));

/* Called once by the runtime. */
void __bout_main(void);

void __funcs_on_exit(void) __attribute__((nothrow));
void __stdio_exit(void);

static char name[] = "bot";
static char *argument[] = {name, NULL};
static char *environment[] = {NULL};
static size_t auxiliary[2]; /* AT_NULL: no host fact */

/* The exception on its way (instrument/meter/lower_unwind.c), and what the C++
 * library wants done with one that nobody caught. */
void *__bout_exception;
void (*__bout_uncaught)(void);

static void check_exception(void)
{
    if (__bout_exception)
        __bout_uncaught();
}

void __bout_main(void)
{
    __environ = environment;
    __progname = name;
    __progname_full = name;
    libc.auxv = auxiliary;
    libc.page_size = 4096;
    __lib_ctors();
    __bot_ctors();
    check_exception();

    int code = main(1, argument, environment);
    check_exception();
    exit(code);
}

_Noreturn void exit(int code)
{
    __funcs_on_exit();
    check_exception();
    __stdio_exit();
    _Exit(code);
}
