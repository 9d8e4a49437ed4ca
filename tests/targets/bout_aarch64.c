/* bout_aarch64: `bout` on a machine that is an aarch64 one, as far as bots are
 * concerned. The whole program but for what the linker wraps here: the host's
 * target, and the zygote, for which qemu's user mode starts the executable,
 * without a jail. The turns are the real runner's, over the same shared memory.
 */
#include "runner/base/buf.h"
#include "runner/jail/zygote.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#define QEMU "qemu-aarch64"
#define ELF_PATH "/proc/self/fd/4"
#define ELF_FD 4
#define MEMORY_FD 3 /* PAGE_FD */

const char *__wrap_toolchain_host_target(void);
struct zygote *__wrap_zygote_start(int cpu, struct err *err);
void __wrap_zygote_stop(struct zygote *zygote);
enum jail_level __wrap_zygote_level(const struct zygote *zygote);
int __wrap_zygote_ask(struct zygote *zygote, const struct child_spec *spec,
                      const int fds[3], uint32_t *start, struct err *err);
int __wrap_zygote_pid(struct zygote *zygote, uint32_t start, pid_t *pid,
                      struct err *err);

const char *__wrap_toolchain_host_target(void)
{
    return "aarch64";
}

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

static _Noreturn void run(const int fds[2])
{
    char *const argv[] = {(char[]){QEMU}, (char[]){ELF_PATH}, NULL};
    int elf = fcntl(fds[0], F_DUPFD_CLOEXEC, 0);
    int memory = fcntl(fds[1], F_DUPFD_CLOEXEC, 0);

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (elf >= 0 && memory >= 0 && dup2(elf, 60) >= 0 &&
        dup2(memory, 61) >= 0 && dup2(60, ELF_FD) >= 0 &&
        dup2(61, MEMORY_FD) >= 0)
        execvp(QEMU, argv);
    _exit(1);
}

int __wrap_zygote_ask(struct zygote *zygote, const struct child_spec *spec,
                      const int fds[3], uint32_t *start, struct err *err)
{
    (void)spec;
    *start = zygote->asked++;
    pid_t pid = fork();
    if (pid == 0)
        run(fds);
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
