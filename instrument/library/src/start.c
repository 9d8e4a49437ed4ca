/* start: from the trusted runtime's call to the program's main and out again.
 *
 * Charged like anything else: it is part of turn 0. */
#include <stdlib.h>
#include <unistd.h>

#include "instrument/bot/runtime.h"
#include "libc.h"

/* bout-meter makes these from the constructors of the library and the program,
 * in their fixed order. */
void __lib_ctors(void);
void __bot_ctors(void);

/* The program's; bout-meter gives it this type. */
int main(int count, char **argument, char **environment);

/* Called once by the runtime. */
void __bout_main(void);

void __funcs_on_exit(void);
void __stdio_exit(void);

static char name[] = "bot";
static char *argument[] = {name, NULL};
static char *environment[] = {NULL};
static size_t auxiliary[2]; /* AT_NULL: no host fact */

void __bout_main(void)
{
    __environ = environment;
    __progname = name;
    __progname_full = name;
    libc.auxv = auxiliary;
    libc.page_size = 4096;
    __lib_ctors();
    __bot_ctors();
    exit(main(1, argument, environment));
}

_Noreturn void exit(int code)
{
    __funcs_on_exit();
    __stdio_exit();
    _Exit(code);
}
