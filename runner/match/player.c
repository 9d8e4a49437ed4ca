#include "runner/match/player.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/* At most 2^54: limits are at most 2^53 - 1. */
static uint64_t soft_limit(const struct player *player)
{
    return player->limits->turn_soft + player->bank;
}

static uint64_t hard_limit(const struct player *player)
{
    return player->limits->turn_hard + player->bank;
}

uint64_t player_budget(const struct player *player, uint32_t turn)
{
    const struct limits *limits = player->limits;

    if (turn == 0)
        return limits->startup;
    uint64_t left = player->used < limits->match_total
                        ? limits->match_total - player->used
                        : 0;
    return left < hard_limit(player) ? left : hard_limit(player);
}

void player_spend(struct player *player, uint64_t instructions)
{
    uint64_t soft = soft_limit(player);
    uint64_t rest = instructions < soft ? soft - instructions : 0;
    uint64_t most = player->limits->turn_bank;

    player->used = add_saturating(player->used, instructions);
    player->bank = rest < most ? rest : most;
}

enum verdict player_verdict(const struct turn *end, char *detail, size_t size)
{
    snprintf(detail, size, "%s", end->detail);
    switch (end->end) {
    case TURN_EXITED:
        snprintf(detail, size, "exit code %d", end->code);
        return VERDICT_EXIT;
    case TURN_BUDGET:
        return VERDICT_BUDGET;
    case TURN_STACK:
        return VERDICT_STACK;
    case TURN_MEMORY:
        return VERDICT_MEMORY;
    case TURN_OUTPUT:
        return VERDICT_OUTPUT;
    case TURN_CRASH:
        snprintf(detail, size, "%s", crash_text(end->code));
        return VERDICT_CRASH;
    case TURN_FORBIDDEN:
        return VERDICT_FORBIDDEN;
    case TURN_NET:
        return VERDICT_NET;
    case TURN_ASKED:
    case TURN_STARVED:
    case TURN_KILLED:
        break;
    }
    assert(!"this end has no verdict");
    return VERDICT_OK;
}

uint64_t player_stop_address(const struct turn *end)
{
    /* Reasons below 16 are noted by a call: the address is the one that it
     * would have returned to, which may be the next line's. */
    bool is_fault = end->end == TURN_CRASH && end->code >= 16;

    if (!end->fault_ip)
        return 0;
    if (end->end == TURN_CRASH || end->end == TURN_BUDGET ||
        end->end == TURN_STACK)
        return is_fault ? end->fault_ip : end->fault_ip - 1;
    return 0;
}

/* Says that the limit of the turn was higher by what was saved. */
static void hint_saved(struct player *player)
{
    size_t used = strlen(player->detail);

    snprintf(player->detail + used, sizeof player->detail - used,
             " and %" PRIu64 " saved", player->bank);
}

/* Says which limit it was, where one was. */
static void limit_detail(struct player *player, uint32_t turn, uint64_t budget)
{
    const struct limits *limits = player->limits;
    const char *name = NULL;
    uint64_t value = 0;

    if (player->verdict == VERDICT_MEMORY) {
        name = "memory_bytes";
        value = limits->memory_bytes;
    } else if (player->verdict == VERDICT_STACK) {
        name = "stack_bytes";
        value = limits->stack_bytes;
    } else if (player->verdict == VERDICT_OUTPUT) {
        name = "reply_bytes";
        value = limits->reply_bytes;
    } else if (player->verdict == VERDICT_BUDGET && turn == 0) {
        name = "startup";
        value = limits->startup;
    } else if (player->verdict == VERDICT_BUDGET) {
        bool total = budget < hard_limit(player);
        name = total ? "match_total" : "turn_hard";
        value = total ? limits->match_total : limits->turn_hard;
    }
    if (name)
        snprintf(player->detail, sizeof player->detail, "over %s of %" PRIu64,
                 name, value);
    if (name && !strcmp(name, "turn_hard") && player->bank)
        hint_saved(player);
}

static void player_goes_out(struct player *player, uint32_t turn,
                            uint64_t budget, const struct turn *end)
{
    player->out = true;
    player->verdict =
        player_verdict(end, player->detail, sizeof player->detail);
    limit_detail(player, turn, budget);
}

/* Standard error: what fits into the match's share, with a mark where some of
 * it is missing. The turn's own share was cut by the bot's runtime. */
static void take_log(struct player *player, const struct turn *end,
                     struct match_turn *row)
{
    uint64_t room = player->limits->log_match_bytes - player->logged;
    size_t kept = end->log_size < room ? end->log_size : (size_t)room;
    uint64_t lost = add_saturating(end->log_lost, end->log_size - kept);
    struct buf text = {0};

    buf_add(&text, end->log, kept);
    player->logged += kept;
    if (lost)
        buf_add_format(&text, "\n[bout: %" PRIu64 " bytes cut here]\n", lost);
    row->log_size = text.size;
    row->log = buf_take(&text);
}

/* A turn that ended by asking or by an exit, so that its reply counts. */
static enum frame_act take_reply(struct player *player, uint32_t turn,
                                 const struct turn *end, struct match_turn *row)
{
    bool asked = end->end == TURN_ASKED;

    row->reply_size = end->reply_size;
    row->reply = mem_dup(end->reply, end->reply_size);
    if (turn == 0) {
        player->early_bytes = end->reply_size;
        row->status = asked ? TURN_STATUS_OK : TURN_STATUS_STOPPED;
        return asked ? FRAME_PASS : FRAME_OUT;
    }
    if (end->instructions > soft_limit(player)) {
        row->status = TURN_STATUS_SKIPPED;
        if (!player->skipped_count++)
            player->skipped_first = turn;
        return asked ? FRAME_PASS : FRAME_OUT;
    }
    if (!end->reply_size) {
        row->status = asked ? TURN_STATUS_EMPTY : TURN_STATUS_STOPPED;
        if (asked && !player->empty_count++)
            player->empty_first = turn;
        return asked ? FRAME_PASS : FRAME_OUT;
    }
    row->status = TURN_STATUS_OK;
    return asked ? FRAME_REPLY : FRAME_LAST_REPLY;
}

enum frame_act player_take(struct player *player, uint32_t turn,
                           uint64_t budget, const struct turn *end,
                           struct match_turn *row)
{
    enum frame_act act = FRAME_OUT;

    assert(!player->out && end->end != TURN_STARVED && end->end != TURN_KILLED);
    *row = (struct match_turn){
        .turn = turn,
        .slot = player->slot,
        .status = TURN_STATUS_STOPPED,
        .counted = end->counted,
        .instructions = end->counted ? end->instructions : 0,
        .wall_ns = end->wall_ns,
        .cpu_ns = end->cpu_ns,
        .cpu_known = end->cpu_known,
        .memory_bytes = end->memory_bytes,
    };
    player->last_turn = turn;
    player->instructions =
        add_saturating(player->instructions, row->instructions);
    take_log(player, end, row);

    if (end->end == TURN_ASKED || end->end == TURN_EXITED)
        act = take_reply(player, turn, end, row);
    else
        row->reply = mem_dup("", 0);
    if (end->end != TURN_ASKED)
        player_goes_out(player, turn, budget, end);
    if (turn > 0)
        player_spend(player, row->instructions);
    player->leaving = act == FRAME_LAST_REPLY;
    return act;
}

/* The game's sentence, with what is not printable made so. */
static void reason_copy(char *to, size_t size, struct frame_text reason)
{
    size_t used = 0;

    for (size_t i = 0; i < reason.size && used + 1 < size; i++) {
        unsigned char c = (unsigned char)reason.bytes[i];
        to[used++] = c < ' ' || c > '~' ? '?' : (char)c;
    }
    to[used] = '\0';
}

void player_judge(struct player *player, bool legal, struct frame_text reason,
                  enum frame_over over, struct match_turn *row)
{
    if (!legal) {
        row->status = TURN_STATUS_ILLEGAL;
        player->out = true;
        player->verdict = VERDICT_ILLEGAL;
        reason_copy(player->detail, sizeof player->detail, reason);
    } else if (player->leaving && over == FRAME_ENDED) {
        player->verdict = VERDICT_OK;
        player->detail[0] = '\0';
    }
    player->leaving = false;
}

static void hint(char *detail, size_t size, const char *what, uint32_t count,
                 uint32_t first)
{
    size_t used = strlen(detail);

    if (count)
        snprintf(detail + used, size - used,
                 "%s%" PRIu32 " turn%s %s, the first was turn %" PRIu32,
                 used ? "; " : "", count, count == 1 ? "" : "s", what, first);
}

void player_result(const struct player *player, struct match_result *result)
{
    *result = (struct match_result){
        .verdict = player->out ? player->verdict : VERDICT_OK,
        .instructions = player->instructions,
        .last_turn = player->last_turn,
    };
    snprintf(result->detail, sizeof result->detail, "%s", player->detail);
    snprintf(result->private_detail, sizeof result->private_detail, "%s",
             player->place);
    if (player->out)
        return;
    if (player->early_bytes)
        snprintf(result->detail, sizeof result->detail,
                 "%zu bytes printed before the first read were ignored",
                 player->early_bytes);
    hint(result->detail, sizeof result->detail,
         "without a reply (it read past the end of its view before it printed)",
         player->empty_count, player->empty_first);
    hint(result->detail, sizeof result->detail,
         player->limits->turn_bank
             ? "skipped (over turn_soft and what was saved)"
             : "skipped (over turn_soft)",
         player->skipped_count, player->skipped_first);
}

void player_rank(struct match_result *result, unsigned slots)
{
    for (unsigned i = 0; i < slots; i++) {
        result[i].rank = 1;
        for (unsigned j = 0; j < slots; j++)
            if (result[j].score > result[i].score)
                result[i].rank++;
    }
}
