/* solve: can the attacker force four in a line? The bot and the program that
 * makes its book (tests/games/connect4_book.c) share it.
 *
 * Bit boards: bit column * 7 + row; the seventh row of each column stays empty,
 * so that a line never wraps. `mine` belongs to who is to move. A search is
 * bounded by a number of nodes and begins with an empty table, so what it finds
 * depends on the position alone: what was tried at home holds in every match.
 * Sources of the ideas: P. Pons, "Solving Connect 4: how to build a perfect
 * AI"; J. Tromp, Fhourstones.
 */
#pragma once

#include <stdint.h>
#include <string.h>

enum { COLUMNS = 7, ROWS = 6, BOT_NODES = 16000, BOT_TABLE_BITS = 16 };

#define BOTTOM ((uint64_t)0x0040810204081) /* row 0 of each column */
#define BOARD (BOTTOM * 0x3f)
#define EVEN_ROWS (BOTTOM * 0x15) /* rows 0, 2, 4 */
#define ODD_ROWS (BOTTOM * 0x2a)

enum solve_answer { SOLVE_NO, SOLVE_YES, SOLVE_UNKNOWN };

struct board {
    uint64_t mine;
    uint64_t theirs;
};

/* One attacker a table: an entry is what is known of a position, its key * 2 +
 * answer. A newer one takes the place of an older. */
struct solver {
    uint64_t *table;
    int table_bits;
    uint64_t nodes; /* left */
};

static uint64_t column_mask(int column)
{
    return (uint64_t)0x3f << (column * 7);
}

static uint64_t board_key(struct board board)
{
    return board.mine + (board.mine | board.theirs) + BOTTOM;
}

static uint64_t mirrored(uint64_t discs)
{
    uint64_t out = 0;

    for (int column = 0; column < COLUMNS; column++)
        out |= (discs >> (column * 7) & 0x7f) << ((COLUMNS - 1 - column) * 7);
    return out;
}

static struct board board_mirrored(struct board board)
{
    return (struct board){mirrored(board.mine), mirrored(board.theirs)};
}

/* Of a position and its mirror image, the one whose key is smaller. */
static struct board board_canonical(struct board board)
{
    struct board other = board_mirrored(board);

    return board_key(other) < board_key(board) ? other : board;
}

/* Free cells that would complete a line of `discs`, whether they can be reached
 * yet or not. */
static uint64_t winning_cells(uint64_t discs, uint64_t all)
{
    uint64_t cells = (discs << 1) & (discs << 2) & (discs << 3);

    for (int shift = 6; shift <= 8; shift++) {
        uint64_t pair = (discs << shift) & (discs << (2 * shift));
        cells |= pair & (discs << (3 * shift));
        cells |= pair & (discs >> shift);
        pair = (discs >> shift) & (discs >> (2 * shift));
        cells |= pair & (discs << shift);
        cells |= pair & (discs >> (3 * shift));
    }
    return cells & (BOARD ^ all);
}

static uint64_t playable(uint64_t all)
{
    return (all + BOTTOM) & BOARD;
}

/* Moves after which the other cannot win at once; 0: there are none. */
static uint64_t safe_moves(struct board board)
{
    uint64_t all = board.mine | board.theirs;
    uint64_t moves = playable(all);
    uint64_t threats = winning_cells(board.theirs, all);
    uint64_t forced = moves & threats;

    if (forced & (forced - 1))
        return 0;
    if (forced)
        moves = forced;
    return moves & ~(threats >> 1);
}

/* The moves, the most threatening first, then those near the middle. */
static int sort_moves(struct board board, uint64_t moves,
                      uint64_t sorted[COLUMNS])
{
    static const int order[COLUMNS] = {3, 2, 4, 1, 5, 0, 6};
    uint64_t all = board.mine | board.theirs;
    int worth[COLUMNS];
    int count = 0;

    for (int i = 0; i < COLUMNS; i++) {
        uint64_t move = moves & column_mask(order[i]);
        if (!move)
            continue;
        int own =
            __builtin_popcountll(winning_cells(board.mine | move, all | move));
        int at = count++;
        for (; at > 0 && worth[at - 1] < own; at--) {
            worth[at] = worth[at - 1];
            sorted[at] = sorted[at - 1];
        }
        worth[at] = own;
        sorted[at] = move;
    }
    return count;
}

static int has_four(uint64_t discs)
{
    for (int shift = 6; shift <= 8; shift++) {
        uint64_t pairs = discs & (discs >> shift);
        if (pairs & (pairs >> (2 * shift)))
            return 1;
    }
    uint64_t pairs = discs & (discs >> 1);
    return (pairs & (pairs >> 2)) != 0;
}

/* What needs no search. Rows count from 0 here, so the first player's good rows
 * are the even ones.
 *
 * The attacker is to move and every column holds an even number of discs: the
 * other can answer each disc with the one above it, until the board is full.
 * The attacker then gets even rows alone: if those make no line, it wins not.
 *
 * The other is to move and one column alone holds an odd number: the attacker
 * answers likewise. If it has a cell that wins on an even row of that column,
 * the other never gets past it there, and must move below it in the end; unless
 * even rows elsewhere, and odd ones in that column below, make the other a
 * line. Source: L. V. Allis, "A knowledge-based approach of Connect-Four", 1988
 * (claimeven, zugzwang control). */
static enum solve_answer solve_by_rule(struct board board, int attacks)
{
    uint64_t all = board.mine | board.theirs;
    uint64_t empty = BOARD ^ all;
    uint64_t odd = playable(all) & ODD_ROWS;

    if (attacks)
        return odd || has_four(board.mine | (empty & EVEN_ROWS)) ? SOLVE_UNKNOWN
                                                                 : SOLVE_NO;
    if (!odd || (odd & (odd - 1)))
        return SOLVE_UNKNOWN;
    uint64_t column = column_mask(__builtin_ctzll(odd) / 7) & empty;
    uint64_t wins = winning_cells(board.theirs, all) & column & EVEN_ROWS;
    if (!wins)
        return SOLVE_UNKNOWN;
    uint64_t below = column & ((wins & -wins) - 1);
    uint64_t others = (empty & EVEN_ROWS & ~column) | (below & ODD_ROWS);
    return has_four(board.mine | others) ? SOLVE_UNKNOWN : SOLVE_YES;
}

static uint64_t *solver_entry(struct solver *solver, uint64_t key)
{
    return &solver
                ->table[key * 0x9e3779b97f4a7c15u >> (64 - solver->table_bits)];
}

/* Does the attacker win? `attacks`: it is the one to move. Who is to move has
 * no win at once, and neither side hands one over. */
static enum solve_answer solve(struct solver *solver, struct board board,
                               int attacks)
{
    uint64_t key = board_key(board);
    uint64_t moves = safe_moves(board);
    uint64_t sorted[COLUMNS];
    enum solve_answer goal = attacks ? SOLVE_YES : SOLVE_NO;
    enum solve_answer found = attacks ? SOLVE_NO : SOLVE_YES;

    if (!moves) /* lost, or the board is full */
        return attacks || (board.mine | board.theirs) == BOARD ? SOLVE_NO
                                                               : SOLVE_YES;
    uint64_t known = *solver_entry(solver, key);
    if (known >> 1 == key)
        return known & 1 ? SOLVE_YES : SOLVE_NO;
    enum solve_answer ruled = solve_by_rule(board, attacks);
    if (ruled != SOLVE_UNKNOWN)
        return ruled;
    if (solver->nodes == 0)
        return SOLVE_UNKNOWN;
    solver->nodes--;
    int count = sort_moves(board, moves, sorted);
    for (int i = 0; i < count && found != goal; i++) {
        struct board next = {board.theirs, board.mine | sorted[i]};
        enum solve_answer answer = solve(solver, next, !attacks);
        if (answer == goal || answer == SOLVE_UNKNOWN)
            found = answer;
    }
    if (found != SOLVE_UNKNOWN)
        *solver_entry(solver, key) = key << 1 | (found == SOLVE_YES);
    return found;
}

/* The attacker is to move and has no win at once: a move that wins by force,
 * found within `nodes`; 0: none was found. The moves take turns with growing
 * shares, so that an easy win does not wait for a hard question. */
static uint64_t solve_move(struct solver *solver, struct board board,
                           uint64_t nodes, uint64_t share)
{
    enum solve_answer answer[COLUMNS];
    uint64_t sorted[COLUMNS];
    int count = sort_moves(board, safe_moves(board), sorted);
    int open = count;

    for (int i = 0; i < count; i++)
        answer[i] = SOLVE_UNKNOWN;
    for (; nodes > 0 && open > 0; share *= 4) {
        for (int i = 0; i < count && nodes > 0; i++) {
            struct board next = {board.theirs, board.mine | sorted[i]};
            if (answer[i] != SOLVE_UNKNOWN)
                continue;
            uint64_t given = share < nodes ? share : nodes;
            solver->nodes = given;
            answer[i] = solve(solver, next, 0);
            nodes -= given - solver->nodes;
            solver->nodes = nodes;
            if (answer[i] == SOLVE_YES)
                return sorted[i];
            open -= answer[i] == SOLVE_NO;
        }
    }
    return 0;
}

/* What the bot finds by itself within `nodes`; *spent: what it took of them. */
static uint64_t solve_as_bot(struct board board, uint64_t nodes,
                             uint64_t *spent)
{
    static uint64_t table[(size_t)1 << BOT_TABLE_BITS];
    struct solver solver = {
        .table = table, .table_bits = BOT_TABLE_BITS, .nodes = nodes};

    memset(table, 0, sizeof table);
    uint64_t move = solve_move(&solver, board, nodes, BOT_NODES / 64);
    *spent = nodes - solver.nodes;
    return move;
}
