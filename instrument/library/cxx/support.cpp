/* What libc++abi expects of its surroundings, for one thread and one module. */
#include "abort_message.h"

#include "instrument/bot/page.h"
#include "instrument/bot/runtime.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

extern "C" {

int __cxa_atexit(void (*call)(void *), void *object, void *module);

/* Clang names it in each registration of a destructor. */
extern void *__dso_handle;
void *__dso_handle = nullptr;

/* The program's own operator new and delete, or null; see lower_alias.c. */
extern void *(*__bout_new)(size_t);
extern void (*__bout_delete)(void *);
void *(*__bout_new)(size_t);
void (*__bout_delete)(void *);

int __cxa_thread_atexit(void (*call)(void *), void *object,
                        void *module) noexcept
{
    return __cxa_atexit(call, object, module);
}

/* terminate says "terminating ..."; the rest are broken promises (a pure
 * virtual call, an assertion of the library). */
void abort_message(const char *format, ...)
{
    va_list arguments;
    bool uncaught = strncmp(format, "terminating", 11) == 0;

    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    __bout_trap(uncaught ? PAGE_TRAP_EXCEPTION : PAGE_TRAP_ABORT);
}

}
