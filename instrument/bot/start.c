/* start: from exec to the first turn.
 *
 * On entry the process is jailed (namespaces, uid, limits, no_new_privs) but
 * unfiltered, on the kernel's stack, with the memfd of page.h as PAGE_FD. In
 * order: map the shared areas, the hidden part and its register, the native
 * stack, arena and linear stack; move to the native stack; unmap whatever else
 * the kernel put into the address space (its stack with the auxiliary vector,
 * the vDSO and its clocks); wipe the secrets; catch faults; load the filter;
 * say READY; wait for turn 0. No code of the bot runs before that.
 */
#include "instrument/bot/inside.h"
#include "instrument/bot/syscall.h"

#if defined(__x86_64__)
#include <asm/prctl.h>
#endif
#include <linux/mman.h>
#include <linux/prctl.h>

long bot_hidden_set(uint64_t address)
{
#if defined(__x86_64__)
    return SYSCALL(__NR_arch_prctl, ARCH_SET_FS, address);
#elif defined(__aarch64__)
    __asm__ volatile("msr tpidr_el0, %0" : : "r"(address) : "memory");
    return 0;
#endif
}

void bot_fail(enum page_step step, long result)
{
    if (step != PAGE_STEP_AREAS) {
        BOT_IO->setup_step = step;
        BOT_IO->setup_errno = (uint32_t)-result;
    }
    exit_group(100 + (int)step);
}

static void map(uint64_t address, uint64_t bytes, int flags, uint64_t offset,
                enum page_step step)
{
    uint64_t fd = flags & MAP_ANONYMOUS ? (uint64_t)-1 : PAGE_FD;

    if (bytes == 0)
        return;

    long result = SYSCALL(__NR_mmap, address, bytes, PROT_READ | PROT_WRITE,
                          (uint64_t)flags, fd, offset);
    if (result != (long)address)
        bot_fail(step, result);
}

static void map_shared(void)
{
    volatile struct page_start *start = &BOT_IO->start;

    map(PAGE_IO_ADDRESS, PAGE_BYTES,
        MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_POPULATE, 0, PAGE_STEP_AREAS);

    if (BOT_IO->version != PAGE_VERSION)
        bot_fail(PAGE_STEP_VERSION, 0);

    struct page_start copy = *start;
    uint64_t areas = page_areas_bytes(&copy);

    map(page_view_address(&copy), areas - PAGE_BYTES,
        MAP_SHARED | MAP_FIXED_NOREPLACE, PAGE_BYTES, PAGE_STEP_AREAS);
    map(copy.hidden_address, page_hidden_bytes(&copy),
        MAP_SHARED | MAP_FIXED_NOREPLACE, areas, PAGE_STEP_HIDDEN);

    long result = bot_hidden_set(copy.hidden_address);
    if (result < 0)
        bot_fail(PAGE_STEP_SEGMENT, result);
}

static void map_private(const struct page_start *start)
{
    int flags =
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    uint64_t stack = start->stack_bytes / PAGE_BYTES * PAGE_BYTES;

    map(start->native_address, start->native_bytes, flags | MAP_STACK, 0,
        PAGE_STEP_NATIVE);
    long result =
        SYSCALL(__NR_mprotect, start->native_address + PAGE_HANDLER_BYTES,
                PAGE_BYTES, PROT_NONE);
    if (result < 0)
        bot_fail(PAGE_STEP_NATIVE, result);

    /* The next pages of both, which touch, without two faults; a kernel that
     * does not know how leaves it to them. */
    (void)SYSCALL(__NR_madvise, start->hidden_address - PAGE_BYTES,
                  2ul * PAGE_BYTES, MADV_POPULATE_WRITE);

    map(PAGE_HEAP_ADDRESS, bot_arena_bytes(start), flags, 0, PAGE_STEP_ARENA);
    map(PAGE_STACK_TOP - stack, stack, flags | MAP_STACK, 0, PAGE_STEP_ARENA);
}

uint64_t bot_prepare(void)
{
    map_shared();

    struct page_start start = BOT_IO->start;

    bot_hidden.start = start;
    map_private(&start);
    (void)SYSCALL(__NR_close, PAGE_FD);
    bot_hidden.jump_offset = PAGE_HIDDEN_COUNTERS + start.counters_bytes;
    bot_hidden.view_address = page_view_address(&start);
    bot_hidden.heap_end = PAGE_HEAP_ADDRESS;
    bot_hidden.heap_limit = PAGE_HEAP_ADDRESS + bot_arena_bytes(&start);
    bot_hidden.stack_pointer = PAGE_STACK_TOP;
    bot_hidden.stack_floor = PAGE_STACK_TOP;
    bot_hidden.stack_limit =
        PAGE_STACK_TOP - start.stack_bytes / PAGE_BYTES * PAGE_BYTES;
    return start.native_address + start.native_bytes;
}

static void wipe_secrets(void)
{
    volatile uint8_t *byte = (volatile uint8_t *)&BOT_IO->start;

    for (size_t i = 0; i < sizeof BOT_IO->start; i++)
        byte[i] = 0;
}

void bot_enter(void)
{
    bot_unmap_rest();
    wipe_secrets();

    long result =
        bot_catch_faults(bot_hidden.start.native_address, PAGE_HANDLER_BYTES);
    if (result < 0)
        bot_fail(PAGE_STEP_SIGNALS, result);
    (void)SYSCALL(__NR_prctl, PR_SET_DUMPABLE, 0);
    bot_load_filter();

    bot_hidden.answered = PAGE_TURN_NONE;
    bot_hidden.ready = 1;
    BOT_IO->phase = PAGE_READY;
    bot_wait(PAGE_TURN_NONE);
    bot_open_memory();
}
