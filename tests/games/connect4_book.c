/* connect4_book: makes the book of the sample bot connect4/sample_perfect: a
 * winning move for each position on the first player's way that the bot's own
 * search cannot settle. It follows every reply, so that it ends at all is the
 * proof that the bot wins each match that it begins.
 *
 *   cc -O2 -I. tests/games/connect4_book.c -o book
 *   ./book check       goes through the book that is there, solving nothing at
 *                      length; exit code 1 where the bot would not win
 *   ./book check all   the same, leaving nothing out; a minute or two
 *   ./book >book.inc   makes it, in hours: for the early positions the solver
 *                      here is slow
 *
 * Who proposes a move does not matter, since every reply to it is followed: for
 * the book that is there it was a public solver with an opening table
 * (BitBully) where 100,000 nodes of this one found nothing. What the bot finds
 * depends on the position alone (solve.h); a win that took it FEW nodes is not
 * followed, unless all is.
 */
#include "runner/games/connect4/sample_perfect/opening.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SEEN_BITS = 24, TABLE_BITS = 26, FEW = 40, MOST_ENTRIES = 1 << 16 };

static uint64_t seen[1 << SEEN_BITS]; /* keys, open addressing */
static uint64_t entry[MOST_ENTRIES];  /* key * 8 + column */
static uint64_t most_spent;
static size_t entries, visited, at_home;
static int checking, checking_all;

static int first_visit(uint64_t key)
{
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15u >> (64 - SEEN_BITS));

    while (seen[at] && seen[at] != key)
        at = (at + 1) % ((size_t)1 << SEEN_BITS);
    if (seen[at] == key)
        return 0;
    seen[at] = key;
    visited++;
    return 1;
}

static void add_entry(struct board board, uint64_t move, int ply)
{
    if (entries == MOST_ENTRIES)
        exit(1);
    entry[entries++] =
        board_key(board) << 3 | (uint64_t)(__builtin_ctzll(move) / 7);
    if (entries % 100 == 0)
        fprintf(stderr, "%zu entries, %zu positions, ply %d\n", entries,
                visited, ply);
}

static uint64_t solve_at_length(struct board board, int ply)
{
    static uint64_t table[(size_t)1 << TABLE_BITS];
    struct solver solver = {.table = table, .table_bits = TABLE_BITS};
    uint64_t move = ply == 0 ? (uint64_t)1 << 21 /* the middle: known */
                             : solve_move(&solver, board, UINT64_MAX, 4096);

    if (!move) {
        fprintf(stderr, "not won at ply %d\n", ply);
        exit(1);
    }
    if (ply < 6)
        fprintf(stderr, "ply %d: column %d\n", ply, __builtin_ctzll(move) / 7);
    return move;
}

/* The bot's move in a position of its own, which is in the canonical form. */
static uint64_t bot_move(struct board board, int ply, uint64_t *spent)
{
    uint64_t move = book_move(board);

    *spent = BOT_NODES;
    if (move && checking)
        return move;
    move = solve_as_bot(board, BOT_NODES, spent);
    if (move && *spent > most_spent)
        most_spent = *spent;
    if (move)
        return move;
    if (checking) {
        fprintf(stderr, "neither in the book nor found, ply %d\n", ply);
        exit(1);
    }
    move = solve_at_length(board, ply);
    add_entry(board, move, ply);
    return move;
}

static void visit(struct board board, int ply)
{
    uint64_t spent;
    uint64_t all = board.mine | board.theirs;

    if (winning_cells(board.mine, all) & playable(all))
        return; /* the bot takes it */
    board = board_canonical(board);
    if (!first_visit(board_key(board)))
        return;
    board.mine |= bot_move(board, ply, &spent);
    at_home += spent < FEW;
    if (spent < FEW && !checking_all)
        return;
    all = board.mine | board.theirs;
    uint64_t replies = playable(all);
    if (winning_cells(board.theirs, all) & replies) {
        fprintf(stderr, "the other wins at ply %d\n", ply + 1);
        exit(1);
    }
    for (int column = 0; column < COLUMNS; column++) {
        uint64_t reply = replies & column_mask(column);
        if (reply)
            visit((struct board){board.mine, board.theirs | reply}, ply + 2);
    }
}

static int compare(const void *a, const void *b)
{
    const uint64_t *left = a;
    const uint64_t *right = b;

    return (*left > *right) - (*left < *right);
}

int main(int argc, char **argv)
{
    checking = argc > 1 && !strcmp(argv[1], "check");
    checking_all = checking && argc > 2 && !strcmp(argv[2], "all");
    visit((struct board){0, 0}, 0);
    qsort(entry, entries, sizeof *entry, compare);
    puts(
        "/* Positions (solve.h, board_key) * 8 + the column that wins, rising; "
        "made by\n * tests/games/connect4_book.c. */");
    for (size_t i = 0; i < entries; i++)
        printf("0x%" PRIx64 ",%s", entry[i], i % 4 == 3 ? "\n" : " ");
    fprintf(stderr,
            "%zu entries, %zu positions, %zu of them easy, at most %" PRIu64
            " nodes\n",
            entries, visited, at_home, most_spent);
    return 0;
}
