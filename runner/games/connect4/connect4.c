/* connect4: seven columns, six rows, four in a line wins. rules.md is what
 * players read. */
#include "runner/game.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7, ROWS = 6, IN_A_LINE = 4, NOBODY = 2 };

struct connect4 {
    unsigned turn; /* the coming step, from 1 */
    unsigned next; /* the slot that moves */
    unsigned winner;
    int column; /* the move of the step */
    int out[2];
    char cell[ROWS][COLUMNS]; /* row 0 is the bottom; '.', '0', '1' */
};

static void *connect4_create(uint64_t seed, unsigned slots)
{
    struct connect4 *board = calloc(1, sizeof *board);

    (void)seed; /* nothing is drawn: slot 0 begins on an empty board */
    (void)slots;
    if (!board)
        return NULL;
    board->turn = 1;
    board->winner = NOBODY;
    memset(board->cell, '.', sizeof board->cell);
    return board;
}

static int has_room(const struct connect4 *board, int column)
{
    return board->cell[ROWS - 1][column] == '.';
}

static int is_full(const struct connect4 *board)
{
    for (int column = 0; column < COLUMNS; column++)
        if (has_room(board, column))
            return 0;
    return 1;
}

static int connect4_asked(const void *state, unsigned slot)
{
    const struct connect4 *board = state;

    return board->next == slot;
}

static void connect4_view(const void *state, unsigned slot,
                          struct game_text *out)
{
    const struct connect4 *board = state;

    game_print(out, "%u %u %d %d\n", board->turn, slot, COLUMNS, ROWS);
    for (int row = ROWS - 1; row >= 0; row--)
        game_print(out, "%.*s\n", COLUMNS, board->cell[row]);
}

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The one digit that is there but for white space, or -1. */
static int only_digit(const char *reply, size_t size)
{
    int digit = -1;

    for (size_t i = 0; i < size; i++) {
        if (is_space(reply[i]))
            continue;
        if (digit >= 0 || reply[i] < '0' || reply[i] > '9')
            return -1;
        digit = reply[i] - '0';
    }
    return digit;
}

static int connect4_parse(void *state, unsigned slot, const char *reply,
                          size_t size, const char **reason)
{
    struct connect4 *board = state;
    int column = only_digit(reply, size);

    (void)slot; /* only the slot that moves is asked */
    if (column < 0 || column >= COLUMNS) {
        *reason = "a move is a column, one digit from 0 to 6, and nothing else";
        return 0;
    }
    if (!has_room(board, column)) {
        *reason = "that column is full";
        return 0;
    }
    board->column = column;
    return 1;
}

/* The leftmost column with room. */
static void connect4_pass(void *state, unsigned slot)
{
    struct connect4 *board = state;

    (void)slot;
    board->column = 0;
    while (board->column < COLUMNS - 1 && !has_room(board, board->column))
        board->column++;
}

static void connect4_out(void *state, unsigned slot)
{
    struct connect4 *board = state;

    board->out[slot] = 1;
}

static int count_line(const struct connect4 *board, int column, int row, int dx,
                      int dy)
{
    char disc = board->cell[row][column];
    int count = 0;

    while (column >= 0 && column < COLUMNS && row >= 0 && row < ROWS &&
           board->cell[row][column] == disc) {
        count++;
        column += dx;
        row += dy;
    }
    return count;
}

static int wins(const struct connect4 *board, int column, int row)
{
    static const int line[][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};

    for (unsigned i = 0; i < sizeof line / sizeof *line; i++) {
        int dx = line[i][0];
        int dy = line[i][1];
        if (count_line(board, column, row, dx, dy) +
                count_line(board, column, row, -dx, -dy) - 1 >=
            IN_A_LINE)
            return 1;
    }
    return 0;
}

static void connect4_apply(void *state)
{
    struct connect4 *board = state;
    int row = 0;

    if (board->out[board->next])
        return; /* no disc from a bot that is gone: it has lost */
    while (board->cell[row][board->column] != '.')
        row++;
    board->cell[row][board->column] = (char)('0' + board->next);
    if (wins(board, board->column, row))
        board->winner = board->next;
    board->next = 1 - board->next;
    board->turn++;
}

static int connect4_over(const void *state)
{
    const struct connect4 *board = state;

    return board->winner != NOBODY || board->out[0] || board->out[1] ||
           is_full(board);
}

/* 2 for a win, 1 for a draw (or while it is open), 0 for a loss. A line of
 * four counts for more than who left. */
static int64_t connect4_score(const void *state, unsigned slot)
{
    const struct connect4 *board = state;

    if (board->winner != NOBODY)
        return board->winner == slot ? 2 : 0;
    if (board->out[slot])
        return 0;
    return board->out[1 - slot] ? 2 : 1;
}

static void connect4_describe(const void *state, struct game_text *out)
{
    const struct connect4 *board = state;

    game_print(out, "{\"turn\":%u,\"next\":%u,\"winner\":", board->turn,
               board->next);
    if (board->winner == NOBODY)
        game_print(out, "null");
    else
        game_print(out, "%u", board->winner);
    game_print(out, ",\"grid\":[");
    for (int row = ROWS - 1; row >= 0; row--)
        game_print(out, "\"%.*s\"%s", COLUMNS, board->cell[row],
                   row ? "," : "");
    game_print(out, "]}");
}

static void connect4_free(void *state)
{
    free(state);
}

const struct game game = {
    .name = "connect4",
    .label = "Connect Four",
    .min_slots = 2,
    .max_slots = 2,
    .limits = {.turns = COLUMNS * ROWS, .view_bytes = 128},
    .create = connect4_create,
    .asked = connect4_asked,
    .view = connect4_view,
    .parse = connect4_parse,
    .pass = connect4_pass,
    .out = connect4_out,
    .apply = connect4_apply,
    .over = connect4_over,
    .score = connect4_score,
    .describe = connect4_describe,
    .free = connect4_free,
};
