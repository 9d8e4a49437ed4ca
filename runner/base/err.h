/* err: why a call of ours failed.
 *
 * A `struct err` belongs to the caller, goes last in a parameter list, never
 * allocates and is written only on failure. Functions that fail return -1 (or
 * NULL) after one of the setters below, each of which returns -1, so failing is
 * one line. A bot's crash or overrun is a verdict and never an err.
 */
#pragma once

/* What a caller can act on; mapped to HTTP and to exit codes once. */
enum err_kind {
    ERR_NONE,
    ERR_INPUT,    /* the request or file is wrong: 400, exit 1 */
    ERR_MISSING,  /* no such thing: 404, exit 1 */
    ERR_CONFLICT, /* the state forbids it: 409, exit 1 */
    ERR_TOO_BIG,  /* over a stated cap: 413, exit 1 */
    ERR_BUSY,     /* try again later: 503, exit 3 */
    ERR_FULL,     /* no room on the disk: 507, exit 3 */
    ERR_DISK,     /* the disk takes no writes, or fails: 503, exit 3 */
    ERR_SYSTEM,   /* the machine or the service failed: 500, exit 3 */
};

struct err {
    enum err_kind kind;
    int sys_errno; /* 0 where no system call was at fault */
    char msg[512]; /* for a person; cut, never overflowing */
};

/* Fills *err. Always returns -1. */
int err_set(struct err *err, enum err_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As err_set with ERR_SYSTEM, ": " and strerror(sys_errno) appended. */
int err_sys(struct err *err, int sys_errno, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "context: " before the message that is there. Always returns -1. */
int err_wrap(struct err *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#ifdef __clang_analyzer__ /* sees a file at a time, so is told what they \
                             return */
#define err_set(...) (err_set(__VA_ARGS__), -1)
#define err_sys(...) (err_sys(__VA_ARGS__), -1)
#define err_wrap(...) (err_wrap(__VA_ARGS__), -1)
#endif

/* The exit code that contract section 6 gives to this kind: 0, 1 or 3. */
int err_exit_code(const struct err *err);
