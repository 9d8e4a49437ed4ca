/* Your first bot for Connect Four. It wins when it can, stops the other from
 * winning when it must, and else plays near the middle. rules.md says what is
 * read and printed; read this file from top to bottom, then change choose().
 *
 * 1. A bot is an ordinary program: scanf what the game says, printf your move.
 *    No flush is needed. main() loops until the match is over: the program is
 *    simply ended while it waits, so nothing after the loop matters.
 * 2. A turn is what runs from one wait for input to the next. Its limit is a
 *    number of executed instructions, never time: `bout test` shows how near
 *    you are to it. The same input always costs the same.
 * 3. Read exactly what the view holds. A read that wants more (a loop until end
 *    of input, "%d\n" in scanf) ends your turn before you printed anything.
 * 4. Whatever you print to stderr is yours: it is kept with the match.
 */
#include <stdio.h>

enum { COLUMNS = 7, ROWS = 6 };

static char board[ROWS][COLUMNS + 1]; /* board[0] is the top row */
static int turn, you;                 /* you are 0 or 1 */

/* The row where a disc in this column comes to rest; -1: the column is full. */
static int landing_row(int column)
{
    for (int row = ROWS - 1; row >= 0; row--)
        if (board[row][column] == '.')
            return row;
    return -1;
}

/* How many discs of this kind lie in a line from here, not counting here. */
static int count(int row, int column, int down, int right, char disc)
{
    int found = 0;

    for (;;) {
        row += down;
        column += right;
        if (row < 0 || row >= ROWS || column < 0 || column >= COLUMNS)
            return found;
        if (board[row][column] != disc)
            return found;
        found++;
    }
}

/* Would a disc of this kind in this column make four in a line? */
static int wins(int column, char disc)
{
    static const int lines[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    int row = landing_row(column);

    for (int i = 0; row >= 0 && i < 4; i++) {
        int down = lines[i][0];
        int right = lines[i][1];
        if (count(row, column, down, right, disc) +
                count(row, column, -down, -right, disc) >=
            3)
            return 1;
    }
    return 0;
}

/* This is the part to make better: look further ahead than one disc. The
 * sample sample_search.c shows one way (seven discs, as bit boards). */
static int choose(void)
{
    static const int order[COLUMNS] = {3, 2, 4, 1, 5, 0, 6};
    char mine = (char)('0' + you);
    char theirs = (char)('1' - you);

    for (int column = 0; column < COLUMNS; column++)
        if (wins(column, mine))
            return column;
    for (int column = 0; column < COLUMNS; column++)
        if (wins(column, theirs))
            return column;
    for (int i = 0; i < COLUMNS; i++)
        if (landing_row(order[i]) >= 0)
            return order[i];
    return 0; /* never: the game asks while there is room */
}

int main(void)
{
    int columns, rows;

    /* The first line says how many follow, so we never read too much. */
    while (scanf("%d %d %d %d", &turn, &you, &columns, &rows) == 4) {
        for (int row = 0; row < rows; row++)
            scanf("%7s", board[row]);
        int column = choose();
        fprintf(stderr, "turn %d: column %d\n", turn, column);
        printf("%d\n", column);
    }
    return 0;
}
