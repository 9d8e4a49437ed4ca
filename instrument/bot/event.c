/* event: what a bot says of itself, kept for its runner.
 *
 * Where the runner gave no room for events, nothing is kept and the bot cannot
 * tell. Where the room is used up, a block is left out with all that is in it:
 * its beginning is counted as skipped, so that its end is too, and the end of
 * every block that was kept has its room set aside. */
#include "instrument/bot/inside.h"

typedef volatile uint64_t HIDDEN *event_word;

static uint64_t room(void)
{
    return page_round(bot_hidden.start.profile_bytes);
}

static event_word area(void)
{
    return (event_word)bot_hidden_at(bot_hidden.jump_offset + PAGE_JUMP_BYTES);
}

/* `size` bytes, the last word filled up with zeros. */
static void put_text(event_word to, const char *text, size_t size)
{
    for (; size >= 8; to++, text += 8, size -= 8) {
        uint64_t word;

        __builtin_memcpy(&word, text, 8);
        *to = word;
    }
    if (size) {
        uint64_t word = 0;

        for (size_t i = 0; i < size; i++)
            word |= (uint64_t)(uint8_t)text[i] << 8 * i;
        *to = word;
    }
}

static int put(const struct page_event *event, const char *text, int is_begin)
{
    uint64_t used = bot_hidden.event_size;
    uint64_t kept = bot_hidden.event_open + (uint64_t)is_begin;
    uint64_t text_bytes = ((uint64_t)event->text_bytes + 7) / 8 * 8;
    event_word to = area() + used / 8;

    if (used + sizeof *event * (1 + kept) + text_bytes > room()) {
        bot_hidden.event_lost++;
        return 0;
    }
    to[0] = event->tick;
    to[1] = event->number;
    to[2] = event->kind | (uint64_t)event->text_bytes << 32;
    put_text(to + 3, text, event->text_bytes);
    bot_hidden.event_size = used + sizeof *event + text_bytes;
    return 1;
}

static void begin(const struct page_event *event, const char *text)
{
    if (!bot_hidden.event_skipped && put(event, text, 1))
        bot_hidden.event_open++;
    else
        bot_hidden.event_skipped++;
}

static void end(const struct page_event *event)
{
    if (bot_hidden.event_skipped) {
        bot_hidden.event_skipped--;
    } else if (bot_hidden.event_open) {
        bot_hidden.event_open--;
        put(event, "", 0);
    }
}

uint64_t __bout_event(uint32_t kind, const char *text, size_t size,
                      uint64_t number)
{
    uint64_t tick = bot_count() - bot_hidden.counted;
    struct page_event event = {
        .tick = tick,
        .number = number,
        .kind = kind,
        .text_bytes = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX,
    };

    if (bot_hidden.start.profile_bytes == 0)
        return bot_hidden.spent + tick;
    if (kind == PAGE_EVENT_BEGIN)
        begin(&event, text);
    else if (kind == PAGE_EVENT_END)
        end(&event);
    else
        put(&event, text, 0);
    return bot_hidden.spent + tick;
}
