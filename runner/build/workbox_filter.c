/* workbox_filter: the system calls that no compiler, meter or linker needs.
 *
 * A deny-list, since the tools are large programs whose needs change by
 * release; the namespaces, the uid and the limits hold the rest. What would
 * start another program is denied: one box is one process (threads are fine).
 * The list is generated into BPF by libseccomp. Source: seccomp(2).
 */
#include "runner/build/workbox_internal.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>

#define FILTER_MAX_BYTES (sizeof(struct sock_filter) * BPF_MAXINSNS)

/* clang-format off */
static const int denied[] = {
    /* network */
    SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(connect), SCMP_SYS(bind),
    SCMP_SYS(listen), SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(sendto),
    SCMP_SYS(sendmsg), SCMP_SYS(sendmmsg),
    /* other processes */
    SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(kcmp),
    SCMP_SYS(pidfd_getfd), SCMP_SYS(process_madvise), SCMP_SYS(setpriority),
    SCMP_SYS(sched_setattr), SCMP_SYS(sched_setscheduler),
    /* namespaces, mounts */
    SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(mount), SCMP_SYS(umount2),
    SCMP_SYS(pivot_root), SCMP_SYS(chroot), SCMP_SYS(fsopen),
    SCMP_SYS(fsmount), SCMP_SYS(fsconfig), SCMP_SYS(fspick),
    SCMP_SYS(open_tree), SCMP_SYS(move_mount), SCMP_SYS(mount_setattr),
    SCMP_SYS(open_by_handle_at), SCMP_SYS(name_to_handle_at),
    /* kernel surfaces known for their holes */
    SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd),
    SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register), SCMP_SYS(keyctl), SCMP_SYS(add_key),
    SCMP_SYS(request_key), SCMP_SYS(fanotify_init), SCMP_SYS(vmsplice),
    SCMP_SYS(modify_ldt), SCMP_SYS(personality),
    /* the machine */
    SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load), SCMP_SYS(reboot),
    SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(acct), SCMP_SYS(quotactl),
    SCMP_SYS(syslog), SCMP_SYS(iopl), SCMP_SYS(ioperm), SCMP_SYS(settimeofday),
    SCMP_SYS(clock_settime), SCMP_SYS(adjtimex), SCMP_SYS(clock_adjtime),
    SCMP_SYS(sethostname), SCMP_SYS(setdomainname),
    /* shared memory and queues outlive a process where there is no namespace */
    SCMP_SYS(shmget), SCMP_SYS(semget), SCMP_SYS(msgget), SCMP_SYS(mq_open),
};
/* clang-format on */

static int add_rules(scmp_filter_ctx filter)
{
    for (size_t i = 0; i < sizeof denied / sizeof *denied; i++) {
        if (denied[i] < 0) /* not a call of this machine */
            continue;
        int code =
            seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), denied[i], 0);
        if (code < 0)
            return code;
    }
    /* clone3 hides its flags from a filter; ENOSYS makes libc use clone. */
    int code =
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    if (code < 0)
        return code;
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                            SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
}

static int export_bpf(scmp_filter_ctx filter, struct buf *bytes,
                      struct err *err)
{
    auto_fd int fd = memfd_create("filter", MFD_CLOEXEC);

    if (fd < 0)
        return err_sys(err, errno, "filter: memfd_create");
    int code = seccomp_export_bpf(filter, fd);
    if (code < 0)
        return err_sys(err, -code, "filter: seccomp_export_bpf");
    if (lseek(fd, 0, SEEK_SET) < 0)
        return err_sys(err, errno, "filter: lseek");
    return io_read_all(fd, FILTER_MAX_BYTES, bytes, err);
}

int workbox_filter_make(struct sock_fprog *out, struct err *err)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    auto_buf struct buf bytes = {0};

    if (!filter)
        return err_set(err, ERR_SYSTEM, "filter: seccomp_init failed");
    /* A sorted tree instead of a chain: compilers make many calls. */
    int code = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    if (code == 0)
        code = add_rules(filter);
    if (code < 0)
        err_sys(err, -code, "filter: libseccomp");
    else
        code = export_bpf(filter, &bytes, err);
    seccomp_release(filter);
    if (code < 0)
        return -1;
    out->len = (unsigned short)(bytes.size / sizeof(struct sock_filter));
    out->filter = (void *)buf_take(&bytes);
    return 0;
}
