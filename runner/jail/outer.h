/* outer: what stands around the jail: the memory that this process and all that
 * it starts may use together, whatever limit a bot has of its own.
 * Source: cgroups(7), /proc/self/cgroup, proc(5). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The least of the host's memory and the limits of the control groups above
 * this process, of either version. *by_group: it is a group's. */
uint64_t outer_memory_bytes(bool *by_group);
