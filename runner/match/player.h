/* player: what a match knows about one bot, and what a turn's end means for it.
 *
 * Nothing here starts or asks a process: player_take is given how a turn ended
 * and says what the referee is to be told, player_judge is given the referee's
 * answer. So every rule of contract sections 3 and 4 can be driven with a table
 * of turns. match.c does the asking.
 *
 * A game may let a bot save (limits, turn_bank): a turn may use turn_soft and
 * what the turns before it left of theirs, up to that much; turn_hard grows by
 * the same. Start-up neither saves nor spends.
 *
 * Order for each turn: player_budget, player_take, (turns from 1 on)
 * player_judge. player_result once, at the end.
 */
#pragma once

#include "runner/jail/box.h"
#include "runner/match/frame.h"
#include "runner/match/match.h"

struct player {
    unsigned slot;
    const struct limits *limits; /* borrowed */
    bool out;                    /* plays no more: verdict and detail are set */
    bool leaving; /* ended after its reply: until the judgement */
    enum verdict verdict;
    char detail[256];
    char place[512];       /* for the owner: where it was stopped, or "" */
    uint64_t used;         /* of match_total */
    uint64_t bank;         /* saved by earlier turns, at most turn_bank */
    uint64_t instructions; /* all counted turns */
    uint64_t logged;       /* bytes of standard error kept so far */
    uint32_t last_turn;
    size_t early_bytes; /* printed in turn 0, which is ignored */
    /* Turns without a reply that counted, for the hint to their owner. */
    uint32_t empty_count, empty_first;
    uint32_t skipped_count, skipped_first;
};

/* Instructions that the turn may execute: startup for turn 0, then the least of
 * turn_hard with what is saved and what is left of match_total. */
uint64_t player_budget(const struct player *player, uint32_t turn);

/* Books the instructions of a turn from 1 on: player_take does it; for who
 * plays turns again without it. */
void player_spend(struct player *player, uint64_t instructions);

/* Verdict and public reason of a program that ended by itself or was stopped;
 * for every end but TURN_ASKED, TURN_STARVED and TURN_KILLED. */
enum verdict player_verdict(const struct turn *end, char *detail, size_t size);

/* The address whose source line tells where a program was stopped: that of the
 * fault, or of the call that noticed; 0 for ends that have no such place. */
uint64_t player_stop_address(const struct turn *end);

/* Takes the end of a turn: fills *row (turn, slot, counts, reply and log, which
 * the row owns from then on) and the player, and says what the referee hears.
 * `budget` is what the turn was given. end->end is neither TURN_STARVED nor
 * TURN_KILLED. */
enum frame_act player_take(struct player *player, uint32_t turn,
                           uint64_t budget, const struct turn *end,
                           struct match_turn *row);

/* Takes the referee's answer to the act: a refused reply is the verdict
 * `illegal`, a last reply is `ok` or `exit` by whether the step ended the game.
 * `reason` may hold any bytes. */
void player_judge(struct player *player, bool legal, struct frame_text reason,
                  enum frame_over over, struct match_turn *row);

/* The result but for rank and score. A bot that is not out gets `ok`. */
void player_result(const struct player *player, struct match_result *result);

/* Ranks by score: 1 is best, equal scores share a rank. */
void player_rank(struct match_result *result, unsigned slots);
