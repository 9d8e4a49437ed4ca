/* turn: reading, writing, and how a turn ends. */
#include "instrument/bot/inside.h"
#include "instrument/bot/syscall.h"

#include <stdatomic.h>

static void publish(enum page_phase phase)
{
    uint32_t turn = bot_hidden.granted;

    bot_hidden.answered = turn;
    BOT_IO->phase = phase;
    BOT_IO->answer = turn;
    if (bot_hidden.runner_sleeps)
        futex_wake(&BOT_IO->answer);
}

void bot_leave(enum page_end end, int32_t code, uint64_t ip)
{
    if (end != PAGE_END_FAULT && end != PAGE_END_SYSCALL &&
        end != PAGE_END_METER)
        bot_count_compare(ip);
    bot_count_close();
    /* Over the limit since its last check, and done before the next. */
    if (bot_hidden.remaining < 0 && end != PAGE_END_FAULT &&
        end != PAGE_END_SYSCALL && end != PAGE_END_METER)
        end = PAGE_END_BUDGET;
    bot_hidden.end_code = code;
    bot_hidden.end_ip = ip;
    bot_hidden.end = end;
    publish(PAGE_ENDED);
    exit_group(end == PAGE_END_EXIT ? code & 255 : 200 + (int)end);
}

void bot_check_words(uint64_t ip)
{
    uint32_t turn = bot_hidden.granted;

    if (BOT_IO->request != turn || BOT_IO->answer != turn - 1 ||
        BOT_IO->phase != PAGE_READY)
        bot_leave(PAGE_END_PROTOCOL, 0, ip);
}

/* The runner stores hidden.granted, then `request`: once the word has changed
 * the two agree, or it was never the runner who changed it. */
void bot_wait(uint32_t turn)
{
    uint32_t request;

    while ((request = BOT_IO->request) == turn) {
        bot_hidden.bot_sleeps = 1;
        futex_wait(&BOT_IO->request, turn);
        bot_hidden.bot_sleeps = 0;
    }
    if (request != bot_hidden.granted)
        bot_leave(PAGE_END_PROTOCOL, 0, 0);
    BOT_IO->phase = PAGE_READY;
    bot_count_open();
}

void bot_ask(uint64_t ip)
{
    uint32_t turn = bot_hidden.granted;

    bot_check_words(ip);
    bot_count_compare(ip);
    bot_count_close();
    if (bot_hidden.remaining < 0)
        bot_leave(PAGE_END_BUDGET, 0, ip);
    publish(PAGE_ASKING);
    bot_wait(turn);
}

long __bout_read(void *to, size_t size)
{
    uint64_t ip = BOT_CALLER;

    while (size > 0 && bot_hidden.view_next >= bot_hidden.view_size &&
           !bot_hidden.last)
        bot_ask(ip);

    uint64_t left = bot_hidden.view_size - bot_hidden.view_next;
    uint64_t take = size < left ? size : left;

    bot_pay(bot_price(COST_READ_BASE, COST_READ_WORD, take),
            &bot_hidden.read_charge, ip);
    __builtin_memcpy(to, BOT_VIEW + bot_hidden.view_next, take);
    bot_hidden.view_next += take;
    return (long)take;
}

static void write_reply(const void *from, uint64_t size, uint64_t ip)
{
    uint64_t used = bot_hidden.reply_size;

    if (size > bot_hidden.start.reply_bytes - used)
        bot_leave(PAGE_END_OUTPUT, 0, ip);
    __builtin_memcpy((uint8_t *)BOT_VIEW +
                         page_round(bot_hidden.start.view_bytes) + used,
                     from, size);
    bot_hidden.reply_size = used + size;
}

static void write_log(const void *from, uint64_t size)
{
    uint64_t used = bot_hidden.log_size;
    uint64_t free = bot_hidden.start.log_bytes - used;
    uint64_t keep = size < free ? size : free;

    __builtin_memcpy((uint8_t *)BOT_VIEW +
                         page_round(bot_hidden.start.view_bytes) +
                         page_round(bot_hidden.start.reply_bytes) + used,
                     from, keep);
    bot_hidden.log_size = used + keep;
    bot_hidden.log_lost += size - keep;
}

long __bout_write(int fd, const void *from, size_t size)
{
    uint64_t ip = BOT_CALLER;

    if (fd != 1 && fd != 2)
        return -1;
    bot_pay(bot_price(COST_WRITE_BASE, COST_WRITE_WORD, size),
            &bot_hidden.write_charge, ip);
    if (fd == 1)
        write_reply(from, size, ip);
    else
        write_log(from, size);
    return (long)size;
}

void __bout_exit(int code)
{
    uint64_t ip = BOT_CALLER;

    bot_check_words(ip);
    bot_leave(PAGE_END_EXIT, code, ip);
}

void __bout_stop(void)
{
    bot_leave(PAGE_END_BUDGET, 0, BOT_CALLER);
}

void __bout_trap(uint32_t page_trap)
{
    bot_leave(PAGE_END_TRAP, (int32_t)page_trap, BOT_CALLER);
}

uint64_t __bout_clock(void)
{
    return bot_hidden.spent + bot_count() - bot_hidden.counted;
}

void __bout_seed(uint8_t key[32])
{
    for (size_t i = 0; i < 32; i++)
        key[i] = bot_hidden.start.seed[i];
}
