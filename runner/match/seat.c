#include "runner/match/seat.h"

#include "runner/match/match.h"

#include <stdio.h>

int seat_spawn(struct zygote *zygote, const struct seat *seat, struct box *box,
               struct err *err)
{
    const struct limits *limits = seat->limits;
    char name[16];
    int elf_fd = build_elf_fd(seat->build, err);

    snprintf(name, sizeof name, "slot %u", seat->slot);
    if (elf_fd < 0)
        return err_wrap(err, "%s", name);
    struct box_spec spec = {
        .name = name,
        .elf_fd = elf_fd,
        .counters_count = seat->build->counters_count,
        .data_bytes = seat->build->data_bytes,
        .memory_bytes = limits->memory_bytes,
        .stack_bytes = limits->stack_bytes,
        .view_bytes = limits->view_bytes,
        .reply_bytes = limits->reply_bytes,
        .log_bytes = limits->log_bytes,
        .profile_bytes = seat->profile_bytes,
        .cpu_s = limits_cpu_s(limits),
    };
    match_stream_key(seat->seed, "slot", seat->slot, spec.seed);
    if (box_spawn(zygote, &spec, box, err) < 0)
        return err_wrap(err, "%s", name);
    return 0;
}
