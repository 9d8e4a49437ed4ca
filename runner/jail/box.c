#include "runner/jail/box.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/jail/box_internal.h"
#include "runner/jail/zygote.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where the hidden mappings may lie: above everything that has a fixed address
 * and below everything that the kernel places (its stack, the vDSO). */
#define BOX_HIDDEN_FIRST 0x10000000000u /* 1 TiB */
#define BOX_HIDDEN_END 0x600000000000u  /* 96 TiB */
#define BOX_HIDDEN_STEP 0x200000u       /* 2 MiB: 512 pages */
#define BOX_HIDDEN_PAGES 64u /* on either side, at least, in the same step */

/* Address space beside what is counted: the executable's code, exec's stack,
 * the vDSO. */
#define BOX_SPACE_BYTES (64u << 20)

/* What a slot allows beyond that: page tables, the kernel's own. */
#define BOX_SLOT_BYTES (16u << 20)
#define BOX_SLOT_PART 128u

/* ---- the shared memory ------------------------------------------------- */

/* The hidden part begins where the native stack ends, somewhere in the middle
 * of a step, which one page of page tables covers: so both share it. */
static int draw_places(struct page_start *start, struct err *err)
{
    uint64_t bytes = start->native_bytes + page_hidden_bytes(start);
    uint64_t steps =
        (BOX_HIDDEN_END - BOX_HIDDEN_FIRST - bytes) / BOX_HIDDEN_STEP - 1;
    uint64_t random[2];

    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return err_sys(err, errno, "getrandom");

    uint64_t step = BOX_HIDDEN_FIRST / BOX_HIDDEN_STEP +
                    start->native_bytes / BOX_HIDDEN_STEP + 1 +
                    random[0] % steps;
    uint64_t page =
        BOX_HIDDEN_PAGES + random[1] % (uint64_t)(6 * BOX_HIDDEN_PAGES);
    start->hidden_address = step * BOX_HIDDEN_STEP + page * PAGE_BYTES;
    start->native_address = start->hidden_address - start->native_bytes;
    return 0;
}

static int fill_start(struct page_start *start, const struct box_spec *spec,
                      struct err *err)
{
    *start = (struct page_start){
        .native_bytes = page_round(PAGE_NATIVE_STACK_BYTES(spec->stack_bytes)),
        .counters_bytes = page_round(spec->counters_count * PAGE_COUNTER_BYTES),
        .data_bytes = spec->data_bytes,
        .memory_bytes = spec->memory_bytes,
        .stack_bytes = spec->stack_bytes,
        .view_bytes = spec->view_bytes,
        .reply_bytes = spec->reply_bytes,
        .log_bytes = spec->log_bytes,
        .profile_bytes = spec->profile_bytes,
    };
    memcpy(start->seed, spec->seed, sizeof start->seed);
    return draw_places(start, err);
}

/* A fresh, zeroed memfd of the right size that nobody can resize. */
static int make_memory(const struct page_start *start, struct err *err)
{
    auto_fd int fd = memfd_create("bout-box", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    uint64_t bytes = page_areas_bytes(start) + page_hidden_bytes(start);

    if (fd < 0)
        return err_sys(err, errno, "memfd_create");
    if (ftruncate(fd, (off_t)bytes) < 0)
        return err_sys(err, errno, "memfd of %lu bytes", (unsigned long)bytes);
    if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
        return err_sys(err, errno, "seal the memfd");
    return take_fd(&fd);
}

static int map_events(struct box *box, int memory_fd,
                      const struct page_start *start, struct err *err)
{
    uint64_t bytes = page_round(start->profile_bytes);
    uint64_t end = page_areas_bytes(start) + page_hidden_bytes(start);

    if (bytes == 0)
        return 0;
    char *events = mmap(NULL, bytes, PROT_READ, MAP_SHARED, memory_fd,
                        (off_t)(end - bytes));
    if (events == MAP_FAILED)
        return err_sys(err, errno, "map the events");
    box->events = events;
    box->events_bytes = bytes;
    return 0;
}

/* The areas, the hidden page and the counters, the events; not the jump table
 * between. */
static int map_memory(struct box *box, int memory_fd,
                      const struct page_start *start, struct err *err)
{
    box->io_bytes = page_areas_bytes(start);
    box->hidden_bytes = PAGE_HIDDEN_COUNTERS + start->counters_bytes;

    char *base = mmap(NULL, box->io_bytes + box->hidden_bytes,
                      PROT_READ | PROT_WRITE, MAP_SHARED, memory_fd, 0);
    if (base == MAP_FAILED)
        return err_sys(err, errno, "map the shared memory");
    box->io = (struct page_io *)base;
    box->hidden = (struct page_hidden *)(base + box->io_bytes);
    /* Without faults, where the kernel knows how: the I/O page, a first view.
     */
    (void)madvise(base, (size_t)(2 * PAGE_BYTES), MADV_POPULATE_WRITE);
    box->io->request = PAGE_TURN_NONE;
    box->io->answer = PAGE_TURN_NONE;
    box->io->version = PAGE_VERSION;
    box->io->start = *start;
    box->hidden->granted = PAGE_TURN_NONE;
    box->hidden->answered = PAGE_TURN_LOADING;
    return map_events(box, memory_fd, start, err);
}

static void unmap_memory(struct box *box)
{
    if (box->io)
        munmap(box->io, box->io_bytes + box->hidden_bytes);
    if (box->events)
        munmap(box->events, box->events_bytes);
    box->io = NULL;
    box->hidden = NULL;
    box->events = NULL;
}

/* ---- start ------------------------------------------------------------- */

static int address_space(const struct box_spec *spec,
                         const struct page_start *start, uint64_t *bytes,
                         struct err *err)
{
    struct stat file;

    if (fstat(spec->elf_fd, &file) < 0)
        return err_sys(err, errno, "the executable");
    *bytes = (uint64_t)file.st_size + spec->data_bytes + spec->memory_bytes +
             start->native_bytes + page_areas_bytes(start) +
             page_hidden_bytes(start) + BOX_SPACE_BYTES;
    return 0;
}

static int start_process(struct zygote *zygote, const struct box_spec *spec,
                         struct box *box, struct err *err)
{
    struct page_start start;
    struct child_spec child = {.cpu_s = spec->cpu_s};
    auto_fd int memory_fd = -1;

    if (fill_start(&start, spec, err) < 0)
        return -1;
    memory_fd = make_memory(&start, err);
    if (memory_fd < 0 || map_memory(box, memory_fd, &start, err) < 0 ||
        address_space(spec, &start, &child.address_space_bytes, err) < 0)
        return -1;

    uint64_t bytes = child.address_space_bytes;
    if (slot_take(zygote->slots, bytes + bytes / BOX_SLOT_PART + BOX_SLOT_BYTES,
                  &box->slot, err) < 0)
        return -1;
    if (box->slot != SLOT_NONE)
        child.slot = zygote->slots->way;
    int fds[3] = {spec->elf_fd, memory_fd, slot_fd(zygote->slots, box->slot)};
    return zygote_ask(zygote, &child, fds, &box->start, err);
}

int box_await_start(struct box *box, struct err *err)
{
    if (box->started)
        return 0;
    box->started = true;
    if (zygote_pid(box->zygote, box->start, &box->pid, err) < 0)
        return -1;
    box->pid_fd = (int)syscall(SYS_pidfd_open, box->pid, 0);
    if (box->pid_fd < 0)
        return err_sys(err, errno, "pidfd_open");
    return 0;
}

static const char *setup_step_text(uint32_t step)
{
    static const char *const text[] = {
        [PAGE_STEP_AREAS] = "map the shared areas",
        [PAGE_STEP_HIDDEN] = "map the counters",
        [PAGE_STEP_SEGMENT] = "set the segment base",
        [PAGE_STEP_NATIVE] = "map the native stack",
        [PAGE_STEP_ARENA] = "map heap and stack",
        [PAGE_STEP_UNMAP] = "drop the kernel's mappings",
        [PAGE_STEP_SIGNALS] = "install fault handlers",
        [PAGE_STEP_FILTER] = "load the system-call filter",
    };

    return step < sizeof text / sizeof *text && text[step] ? text[step] : "?";
}

int box_start_failed(const struct box *box, const siginfo_t *status,
                     struct err *err)
{
    uint32_t step = box->io->setup_step;
    int sys_errno = (int)box->io->setup_errno;

    if (step == PAGE_STEP_VERSION)
        return err_set(err, ERR_INPUT,
                       "start: the executable was made by "
                       "another version of bout: build it again");
    if (step)
        return err_sys(err, sys_errno, "start: %s", setup_step_text(step));
    return err_set(
        err, ERR_SYSTEM, "start: the process %s %d before it was set up",
        status->si_code == CLD_EXITED ? "ended with code" : "died of signal",
        status->si_status);
}

int box_spawn(struct zygote *zygote, const struct box_spec *spec,
              struct box *box, struct err *err)
{
    struct box made = {
        .zygote = zygote,
        .pid_fd = -1,
        .slot = SLOT_NONE,
        .turn = PAGE_TURN_NONE,
        .counters_count = spec->counters_count,
        .view_cap = spec->view_bytes,
        .reply_cap = spec->reply_bytes,
        .log_cap = spec->log_bytes,
    };

    assert(spec->stack_bytes <= PAGE_STACK_MAX_BYTES);
    assert(spec->memory_bytes <= PAGE_HEAP_MAX_BYTES);
    assert(spec->data_bytes <= PAGE_DATA_MAX_BYTES);
    snprintf(made.name, sizeof made.name, "%s", spec->name);
    if (start_process(zygote, spec, &made, err) < 0) {
        unmap_memory(&made);
        slot_give_back(zygote->slots, made.slot);
        return err_wrap(err, "%s", spec->name);
    }
    *box = made;
    return 0;
}

/* ---- end --------------------------------------------------------------- */

void box_reap(struct box *box, siginfo_t *status)
{
    *status = (siginfo_t){.si_code = CLD_KILLED};
    if (box->ended || box->pid <= 0)
        return;
    if (box->pid_fd >= 0)
        syscall(SYS_pidfd_send_signal, box->pid_fd, SIGKILL, NULL, 0);
    else
        kill(box->pid, SIGKILL);
    while (waitid(P_PID, (id_t)box->pid, status, WEXITED) < 0 && errno == EINTR)
        ;
    box->ended = true;
}

const uint64_t *box_counters(const struct box *box)
{
    return (const uint64_t *)((const char *)box->hidden + PAGE_HIDDEN_COUNTERS);
}

const char *box_events(const struct box *box, size_t *size, uint64_t *lost)
{
    uint64_t used = box->hidden->event_size;

    *size = used < box->events_bytes ? used : box->events_bytes;
    *lost = box->hidden->event_lost;
    return box->events;
}

void box_end(struct box *box)
{
    siginfo_t status;
    struct err ignored;

    if (box->io)
        (void)box_await_start(box, &ignored);
    box_reap(box, &status);
    fd_close(&box->pid_fd);
    unmap_memory(box);
    if (box->zygote)
        slot_give_back(box->zygote->slots, box->slot);
    free(box->copy);
    *box = (struct box){.pid_fd = -1, .slot = SLOT_NONE, .ended = true};
}
