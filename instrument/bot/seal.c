/* seal: what shuts the process off, the last steps of start.c before READY. In
 * a file of its own so that a test can start a bot where neither is possible
 * (tests/targets/unsealed.c); nothing else is ever linked without it. */
#include "instrument/bot/filter.h"
#include "instrument/bot/inside.h"
#include "instrument/bot/syscall.h"

#include <linux/filter.h>
#include <linux/seccomp.h>

/* End of user addresses with four levels of page tables of 4 KiB. */
#if defined(__x86_64__)
#define SEAL_ADDRESS_END 0x7ffffffff000u
#elif defined(__aarch64__)
#define SEAL_ADDRESS_END 0x1000000000000u
#endif

static void unmap(uint64_t from, uint64_t to)
{
    long result = from < to ? SYSCALL(__NR_munmap, from, to - from) : 0;

    if (result < 0)
        bot_fail(PAGE_STEP_UNMAP, result);
}

/* Above the heap nothing may stay but native stack and hidden part, which lie
 * side by side. */
void bot_unmap_rest(void)
{
    uint64_t hidden_end = bot_hidden.start.hidden_address +
                          PAGE_HIDDEN_COUNTERS +
                          bot_hidden.start.counters_bytes + PAGE_JUMP_BYTES +
                          page_round(bot_hidden.start.profile_bytes);

    unmap(PAGE_HEAP_ADDRESS + PAGE_HEAP_MAX_BYTES,
          bot_hidden.start.native_address);
    unmap(hidden_end, SEAL_ADDRESS_END);
}

void bot_load_filter(void)
{
    struct sock_filter code[sizeof filter_code / sizeof *filter_code];
    struct sock_fprog program = {
        .len = sizeof code / sizeof *code,
        .filter = code,
    };

    for (size_t i = 0; i < program.len; i++)
        code[i] = filter_code[i];

    long result =
        SYSCALL(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, (uint64_t)&program);
    if (result < 0)
        bot_fail(PAGE_STEP_FILTER, result);
}
