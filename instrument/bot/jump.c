/* jump: setjmp and longjmp by ticket.
 *
 * A jmp_buf's first word holds a ticket; the registers are in hidden memory, in
 * a stack of struct page_jump ordered by call depth. An entry dies when its
 * frame returns (release) or is left by longjmp, so a ticket that is found is
 * one of a running frame. The two ways in are in jump_TARGET.S; what is here
 * decides, what is there moves registers. */
#include "instrument/bot/inside.h"

typedef volatile struct page_jump HIDDEN *jump_entry;

struct jump_env {
    uint64_t ticket;
} __attribute__((packed, may_alias));

uint64_t bot_jump_take(struct jump_env *env, uint64_t native);
uint64_t bot_jump_find(const struct jump_env *env, uint64_t ip);

static uint64_t offset_of(uint64_t index)
{
    return bot_hidden.jump_offset + index * sizeof(struct page_jump);
}

static jump_entry entry_of(uint64_t index)
{
    return bot_hidden_at(offset_of(index));
}

/* Index of the live entry of `ticket`, or jump_count. */
static uint64_t find(uint64_t ticket)
{
    uint64_t index = ticket % PAGE_JUMP_MAX;
    uint64_t count = bot_hidden.jump_count;

    return index < count && entry_of(index)->ticket == ticket ? index : count;
}

/* The entry's offset from the hidden page; its registers are the caller's to
 * fill. A second setjmp of one frame on one jmp_buf takes the same entry again,
 * so a loop needs one. */
uint64_t bot_jump_take(struct jump_env *env, uint64_t native)
{
    uint64_t index = find(env->ticket);

    if (index == bot_hidden.jump_count || entry_of(index)->native != native ||
        entry_of(index)->env != (uint64_t)env) {
        index = bot_hidden.jump_count;
        if (index >= PAGE_JUMP_MAX)
            bot_leave(PAGE_END_STACK, 0, 0);
        bot_hidden.jump_serial++;
        entry_of(index)->ticket =
            bot_hidden.jump_serial * PAGE_JUMP_MAX + index;
        env->ticket = entry_of(index)->ticket;
        entry_of(index)->env = (uint64_t)env;
        bot_hidden.jump_count = index + 1;
    }
    entry_of(index)->linear = bot_hidden.stack_pointer;
    return offset_of(index);
}

/* The entry to jump to; entries of the frames that are left die. */
uint64_t bot_jump_find(const struct jump_env *env, uint64_t ip)
{
    uint64_t index = find(env->ticket);

    bot_count_compare(ip);
    if (index == bot_hidden.jump_count)
        bot_leave(PAGE_END_TRAP, PAGE_TRAP_JUMP, ip);
    while (entry_of(bot_hidden.jump_count - 1)->native <
           entry_of(index)->native)
        bot_hidden.jump_count--;
    bot_hidden.stack_pointer = entry_of(index)->linear;
    return offset_of(index);
}

uint64_t __bout_jump_mark(void)
{
    return bot_hidden.jump_count;
}

void __bout_jump_release(uint64_t mark)
{
    if (mark < bot_hidden.jump_count)
        bot_hidden.jump_count = mark;
}
