/* sample_perfect: wins every match that it begins. Each of its moves is proved:
 * by the book where a search would take too long (opening.h), else by searching
 * to the end whether it can force four in a line (solve.h). Moving second it
 * wins by the same proof where the other errs; where nothing is proved, a few
 * discs of look-ahead choose among what does not lose at once. */
#include "opening.h"

#include <stdio.h>

enum { WIN = 1000, GUESS_NODES = 6000 };

/* ---- where nothing is proved ---------------------------------------------
 */

static int weight(struct board board)
{
    uint64_t all = board.mine | board.theirs;

    return 4 * __builtin_popcountll(winning_cells(board.mine, all)) -
           4 * __builtin_popcountll(winning_cells(board.theirs, all)) +
           __builtin_popcountll(board.mine & column_mask(3)) -
           __builtin_popcountll(board.theirs & column_mask(3));
}

/* What it says is worth nothing once *nodes is 0. */
static int look_ahead(struct board board, int depth, int alpha, int beta,
                      int *nodes)
{
    uint64_t all = board.mine | board.theirs;
    uint64_t sorted[COLUMNS];

    if (*nodes == 0)
        return 0;
    --*nodes;
    if (winning_cells(board.mine, all) & playable(all))
        return WIN + depth;
    uint64_t moves = safe_moves(board);
    if (!moves)
        return all == BOARD ? 0 : -WIN - depth;
    if (depth == 0)
        return weight(board);
    int count = sort_moves(board, moves, sorted);
    for (int i = 0; i < count && alpha < beta; i++) {
        struct board next = {board.theirs, board.mine | sorted[i]};
        int value = -look_ahead(next, depth - 1, -beta, -alpha, nodes);
        if (value > alpha)
            alpha = value;
    }
    return alpha;
}

static uint64_t best_at_depth(struct board board, uint64_t moves, int depth,
                              int *nodes)
{
    uint64_t sorted[COLUMNS];
    uint64_t best = 0;
    int best_value = -10 * WIN;
    int count = sort_moves(board, moves, sorted);

    for (int i = 0; i < count; i++) {
        struct board next = {board.theirs, board.mine | sorted[i]};
        int value = -look_ahead(next, depth, -10 * WIN, -best_value, nodes);
        if (!best || value > best_value) {
            best = sorted[i];
            best_value = value;
        }
    }
    return best;
}

/* Deeper and deeper, while the nodes last. */
static uint64_t best_guess(struct board board)
{
    uint64_t moves = safe_moves(board);
    int nodes = GUESS_NODES;

    if (!moves)
        moves = playable(board.mine | board.theirs);
    uint64_t best = best_at_depth(board, moves, 2, &nodes);
    for (int depth = 3; depth < COLUMNS * ROWS; depth++) {
        uint64_t found = best_at_depth(board, moves, depth, &nodes);
        if (nodes == 0)
            break;
        best = found;
    }
    return best;
}

/* ---- a turn ----------------------------------------------------------------
 */

static uint64_t choose_canonical(struct board board)
{
    uint64_t all = board.mine | board.theirs;
    uint64_t wins = winning_cells(board.mine, all) & playable(all);
    uint64_t spent;

    if (wins)
        return wins & -wins;
    uint64_t move = book_move(board);
    /* Second, it may have to guess after all: that costs too. */
    int second = __builtin_popcountll(all) % 2;
    if (!move)
        move = solve_as_bot(board, second ? BOT_NODES / 2 : BOT_NODES, &spent);
    return move ? move : best_guess(board);
}

static int choose(struct board board)
{
    struct board canonical = board_canonical(board);
    int column = __builtin_ctzll(choose_canonical(canonical)) / 7;

    return canonical.mine == board.mine && canonical.theirs == board.theirs
               ? column
               : COLUMNS - 1 - column;
}

int main(void)
{
    int turn, you, columns, rows;

    while (scanf("%d %d %d %d", &turn, &you, &columns, &rows) == 4) {
        uint64_t discs[2] = {0, 0};

        for (int row = ROWS - 1; row >= 0; row--) {
            char line[17];
            scanf("%16s", line);
            for (int column = 0; column < COLUMNS; column++)
                if (line[column] != '.')
                    discs[line[column] - '0'] |= (uint64_t)1
                                                 << (column * 7 + row);
        }
        printf("%d\n", choose((struct board){discs[you], discs[1 - you]}));
    }
    return 0;
}
