/* heap: the bot's memory, handed out and paid for in whole pages.
 *
 * Data, heap and linear stack share memory_bytes. All is mapped at start-up,
 * at fixed addresses; a page costs when it is handed out, so that the count
 * does not depend on when the kernel backs it. */
#include "instrument/bot/inside.h"

static uint64_t memory_used(void)
{
    return page_round(bot_hidden.start.data_bytes) +
           (bot_hidden.heap_end - PAGE_HEAP_ADDRESS) +
           (PAGE_STACK_TOP - bot_hidden.stack_floor);
}

static void note_peak(void)
{
    uint64_t used = memory_used();

    if (used > bot_hidden.memory_peak)
        bot_hidden.memory_peak = used;
}

static void pay_pages(uint64_t bytes, uint64_t ip)
{
    bot_pay(bytes / PAGE_BYTES * COST_PAGE, &bot_hidden.page_charge, ip);
}

/* What data and stack leave of the memory, in whole pages. */
uint64_t bot_arena_bytes(const struct page_start *start)
{
    uint64_t taken = page_round(start->data_bytes) +
                     start->stack_bytes / PAGE_BYTES * PAGE_BYTES;

    if (taken >= start->memory_bytes)
        return 0;
    return (start->memory_bytes - taken) / PAGE_BYTES * PAGE_BYTES;
}

void bot_open_memory(void)
{
    uint64_t data = page_round(bot_hidden.start.data_bytes);

    if (data + bot_hidden.start.stack_bytes > bot_hidden.start.memory_bytes)
        bot_leave(PAGE_END_MEMORY, 0, 0);
    pay_pages(data, 0);
    note_peak();
}

void *__bout_heap(size_t size)
{
    uint64_t ip = BOT_CALLER;
    uint64_t start = bot_hidden.heap_end;

    if (size > bot_hidden.heap_limit - start)
        bot_leave(PAGE_END_MEMORY, 0, ip);

    uint64_t bytes = page_round(size);

    pay_pages(bytes, ip);
    bot_hidden.heap_end = start + bytes;
    note_peak();
    return (void *)start;
}

void __bout_stack(uint64_t wanted)
{
    uint64_t ip = BOT_CALLER;
    uint64_t floor = bot_hidden.stack_floor;

    if (wanted < bot_hidden.stack_limit)
        bot_leave(PAGE_END_STACK, 0, ip);
    if (wanted >= floor)
        return;

    uint64_t next = wanted / PAGE_BYTES * PAGE_BYTES;

    pay_pages(floor - next, ip);
    bot_hidden.stack_floor = next;
    note_peak();
}
