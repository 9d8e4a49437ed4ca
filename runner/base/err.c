#include "runner/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#undef err_set
#undef err_sys
#undef err_wrap

int err_set(struct err *err, enum err_kind kind, const char *format, ...)
{
    va_list args;

    err->kind = kind;
    err->sys_errno = 0;
    va_start(args, format);
    vsnprintf(err->msg, sizeof err->msg, format, args);
    va_end(args);
    return -1;
}

int err_sys(struct err *err, int sys_errno, const char *format, ...)
{
    va_list args;

    err->kind = ERR_SYSTEM;
    err->sys_errno = sys_errno;
    va_start(args, format);
    vsnprintf(err->msg, sizeof err->msg, format, args);
    va_end(args);

    size_t used = strlen(err->msg);
    char reason[128];
    /* GNU strerror_r: returns the text, which may not be in `reason`. */
    const char *text = strerror_r(sys_errno, reason, sizeof reason);
    snprintf(err->msg + used, sizeof err->msg - used, ": %s", text);
    return -1;
}

int err_wrap(struct err *err, const char *format, ...)
{
    char cause[sizeof err->msg];
    va_list args;

    memcpy(cause, err->msg, sizeof cause);
    va_start(args, format);
    vsnprintf(err->msg, sizeof err->msg, format, args);
    va_end(args);

    size_t used = strlen(err->msg);
    snprintf(err->msg + used, sizeof err->msg - used, ": %s", cause);
    return -1;
}

int err_exit_code(const struct err *err)
{
    switch (err->kind) {
    case ERR_NONE:
        return 0;
    case ERR_INPUT:
    case ERR_MISSING:
    case ERR_CONFLICT:
    case ERR_TOO_BIG:
        return 1;
    case ERR_BUSY:
    case ERR_FULL:
    case ERR_DISK:
    case ERR_SYSTEM:
        break;
    }
    return 3;
}
