/* filter: the system-call filter of a bot, from syscalls.def by libseccomp.
 *
 * The in-bot runtime holds it as a table, instrument/bot/filter.h, so that a
 * start costs one system call; tests/unit/test_filter.c compares the table with
 * what is compiled here. Source: seccomp(2), seccomp_export_bpf(3). */
#pragma once

#include "runner/base/err.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <stddef.h>

#define FILTER_MAX 64

/* This machine's. */
#if defined(__aarch64__)
#define FILTER_HOST_ARCH AUDIT_ARCH_AARCH64
#else
#define FILTER_HOST_ARCH AUDIT_ARCH_X86_64
#endif

struct filter {
    struct sock_filter code[FILTER_MAX];
    size_t count;
};

/* Compiles syscalls.def for the audit architecture `arch`, a target of ours. */
int filter_compile(struct filter *filter, unsigned arch, struct err *err);

/* The name of call `number` as the audit architecture `arch` numbers it:
 * "socket", "32-bit system call", or "system call 12345". Cut to `size`. */
void filter_call_name(int number, unsigned arch, char *name, size_t size);
