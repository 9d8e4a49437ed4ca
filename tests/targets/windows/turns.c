/* turns: the bot's side of turns.h, as the two calls that the runtime makes. */
#include "tests/targets/windows/turns.h"

#include "instrument/bot/inside.h"
#include "instrument/bot/syscall.h"
#include "tests/targets/windows/kernel32.h"
#include "tests/targets/windows/windows.h"

#define MOST_BYTES 0x100000u

static uint32_t piece(uint64_t bytes)
{
    return bytes < MOST_BYTES ? (uint32_t)bytes : MOST_BYTES;
}

void windows_receive(volatile void *to, uint64_t bytes)
{
    volatile uint8_t *at = to;

    while (bytes) {
        uint32_t done = 0;

        if (!ReadFile(GetStdHandle(STD_INPUT_HANDLE), (void *)at, piece(bytes),
                      &done, NULL) ||
            !done)
            ExitProcess(1);
        at += done;
        bytes -= done;
    }
}

static void send(const volatile void *from, uint64_t bytes)
{
    const volatile uint8_t *at = from;

    while (bytes) {
        uint32_t done = 0;

        if (!WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), (const void *)at,
                       piece(bytes), &done, NULL))
            ExitProcess(1);
        at += done;
        bytes -= done;
    }
}

static void send_turn(void)
{
    const volatile struct page_start *start = &bot_hidden.start;
    const uint8_t *reply = BOT_VIEW + page_round(start->view_bytes);

    send(&bot_hidden, sizeof bot_hidden);
    send(reply, bot_hidden.reply_size);
    send(reply + page_round(start->reply_bytes), bot_hidden.log_size);
    send(bot_hidden_at(PAGE_HIDDEN_COUNTERS), start->counters_bytes);
    send(bot_hidden_at(bot_hidden.jump_offset + PAGE_JUMP_BYTES),
         bot_hidden.event_size);
}

static void receive_grant(void)
{
    struct turns_grant grant;

    windows_receive(&grant, sizeof grant);
    windows_receive((uint8_t *)BOT_VIEW, grant.view_size);
    bot_hidden.budget = grant.budget;
    bot_hidden.remaining = grant.budget;
    bot_hidden.spent = grant.spent;
    bot_hidden.view_size = grant.view_size;
    bot_hidden.view_next = 0;
    bot_hidden.last = grant.last;
    bot_hidden.reply_size = 0;
    bot_hidden.log_size = 0;
    bot_hidden.log_lost = 0;
    bot_hidden.event_size = 0;
    bot_hidden.event_lost = 0;
    bot_hidden.granted = grant.granted;
}

void futex_wait(_Atomic uint32_t *word, uint32_t expected)
{
    static const uint8_t ready = 1;

    if (expected == PAGE_TURN_NONE)
        send(&ready, 1);
    else
        send_turn();
    receive_grant();
    *word = bot_hidden.granted;
}

void exit_group(int code)
{
    if (bot_hidden.ready)
        send_turn();
    ExitProcess((uint32_t)code);
}
