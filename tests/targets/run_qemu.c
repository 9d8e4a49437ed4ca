/* run_qemu: build/tests/bout_aarch64, `bout` on a machine that is an aarch64
 * one as far as bots are concerned: qemu's user mode starts the executable,
 * whose runtime has no seal (unsealed.c). */
#include "tests/targets/foreign.h"

#include <fcntl.h>
#include <unistd.h>

#define QEMU "qemu-aarch64"
#define ELF_PATH "/proc/self/fd/4"
#define ELF_FD 4
#define MEMORY_FD 3 /* PAGE_FD */

const char *__wrap_toolchain_host_target(void);

const char *__wrap_toolchain_host_target(void)
{
    return "aarch64";
}

_Noreturn void foreign_run(const int fds[2])
{
    char *const argv[] = {(char[]){QEMU}, (char[]){ELF_PATH}, NULL};
    int elf = fcntl(fds[0], F_DUPFD_CLOEXEC, 0);
    int memory = fcntl(fds[1], F_DUPFD_CLOEXEC, 0);

    if (elf >= 0 && memory >= 0 && dup2(elf, 60) >= 0 &&
        dup2(memory, 61) >= 0 && dup2(60, ELF_FD) >= 0 &&
        dup2(61, MEMORY_FD) >= 0)
        execvp(QEMU, argv);
    _exit(1);
}
