#include "runner/jail/filter.h"
#include "instrument/bot/page.h"
#include "runner/base/cleanup.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

static void context_free(scmp_filter_ctx *context)
{
    if (*context)
        seccomp_release(*context);
}

static int add_futex(scmp_filter_ctx context, int operation, uint64_t address)
{
    return seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(futex), 3,
                            SCMP_A0(SCMP_CMP_EQ, address),
                            SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t)operation),
                            SCMP_A3(SCMP_CMP_EQ, 0));
}

/* Of libseccomp; 0 for an architecture that bots do not run on. */
static uint32_t token_of(unsigned arch)
{
    switch (arch) {
    case AUDIT_ARCH_X86_64:
        return SCMP_ARCH_X86_64;
    case AUDIT_ARCH_AARCH64:
        return SCMP_ARCH_AARCH64;
    default:
        return 0;
    }
}

/* For that architecture alone, whatever this machine is. */
static int set_arch(scmp_filter_ctx context, uint32_t token)
{
    if (token == seccomp_arch_native())
        return 0;
    int result = seccomp_arch_add(context, token);
    return result ? result : seccomp_arch_remove(context, SCMP_ARCH_NATIVE);
}

/* 0, or libseccomp's negative errno. */
static int add_rules(scmp_filter_ctx context, unsigned arch)
{
    int result =
        seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_TRAP);
    if (result == 0)
        result = set_arch(context, token_of(arch));

#define ALLOW(call)  \
    if (result == 0) \
        result = seccomp_rule_add(context, SCMP_ACT_ALLOW, SCMP_SYS(call), 0);
#define ALLOW_FUTEX(operation, address) \
    if (result == 0)                    \
        result = add_futex(context, operation, address);
#include "runner/jail/syscalls.def"
    return result;
}

int filter_compile(struct filter *filter, unsigned arch, struct err *err)
{
    __attribute__((cleanup(context_free))) scmp_filter_ctx context =
        seccomp_init(SCMP_ACT_TRAP);
    auto_fd int fd = memfd_create("filter", MFD_CLOEXEC);

    if (!context || fd < 0)
        return err_sys(err, errno, "filter: libseccomp");
    int result = add_rules(context, arch);
    if (result == 0)
        result = seccomp_export_bpf(context, fd);
    if (result < 0)
        return err_sys(err, -result, "filter: compile syscalls.def");

    ssize_t size = pread(fd, filter->code, sizeof filter->code, 0);
    if (size <= 0 || (size_t)size == sizeof filter->code)
        return err_set(err, ERR_SYSTEM, "filter: %zd bytes of code", size);
    filter->count = (size_t)size / sizeof *filter->code;
    return 0;
}

void filter_call_name(int number, unsigned arch, char *name, size_t size)
{
    uint32_t token = token_of(arch);

    if (!token) {
        snprintf(name, size, "32-bit system call");
        return;
    }
    char *known = seccomp_syscall_resolve_num_arch(token, number);
    if (known)
        snprintf(name, size, "%s", known);
    else
        snprintf(name, size, "system call %d", number);
    free(known);
}
