#include "tests/targets/foreign.h"

#include "runner/base/buf.h"
#include "runner/jail/zygote.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

struct zygote *__wrap_zygote_start(int cpu, struct err *err);
void __wrap_zygote_stop(struct zygote *zygote);
enum jail_level __wrap_zygote_level(const struct zygote *zygote);
int __wrap_zygote_ask(struct zygote *zygote, const struct child_spec *spec,
                      const int fds[3], uint32_t *start, struct err *err);
int __wrap_zygote_pid(struct zygote *zygote, uint32_t start, pid_t *pid,
                      struct err *err);

struct zygote *__wrap_zygote_start(int cpu, struct err *err)
{
    (void)cpu;
    (void)err;
    return mem_calloc(1, sizeof(struct zygote));
}

void __wrap_zygote_stop(struct zygote *zygote)
{
    free(zygote);
}

enum jail_level __wrap_zygote_level(const struct zygote *zygote)
{
    (void)zygote;
    return JAIL_LIMITS;
}

int __wrap_zygote_ask(struct zygote *zygote, const struct child_spec *spec,
                      const int fds[3], uint32_t *start, struct err *err)
{
    (void)spec;
    *start = zygote->asked++;
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        foreign_run(fds);
    }
    zygote->reply[*start % ZYGOTE_STARTS_MAX].pid = pid;
    return pid < 0 ? err_sys(err, errno, "fork") : 0;
}

int __wrap_zygote_pid(struct zygote *zygote, uint32_t start, pid_t *pid,
                      struct err *err)
{
    (void)err;
    *pid = zygote->reply[start % ZYGOTE_STARTS_MAX].pid;
    return 0;
}
