/* Your first bot for Tron. It rides to the side where it can go furthest
 * straight on. rules.md says what is read and printed; read this file from top
 * to bottom, then change choose().
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

enum { MOST_PLAYERS = 4, MOST = 64 };

/* The four moves: letter, step to the right, step down. */
static const char letters[] = "URDL";
static const int dx[] = {0, 1, 0, -1};
static const int dy[] = {-1, 0, 1, 0};

static int turn, you, width, height, players;
static int at_x[MOST_PLAYERS], at_y[MOST_PLAYERS], alive[MOST_PLAYERS];
static char grid[MOST][MOST + 1]; /* grid[y][x], '.' is free */

static int is_free(int x, int y)
{
    return x >= 0 && x < width && y >= 0 && y < height && grid[y][x] == '.';
}

/* This is the part to make better. Count the cells that you could reach at all
 * (a flood fill), then those that you reach before the other: the sample
 * sample_space.c does the latter. */
static int choose(void)
{
    int best = 0, best_free = -1;

    for (int way = 0; way < 4; way++) {
        int x = at_x[you] + dx[way];
        int y = at_y[you] + dy[way];
        int free_cells = 0;

        while (is_free(x, y)) {
            free_cells++;
            x += dx[way];
            y += dy[way];
        }
        if (free_cells > best_free) {
            best = way;
            best_free = free_cells;
        }
    }
    return best;
}

int main(void)
{
    /* The first line says how many follow, so we never read too much. */
    while (scanf("%d %d %d %d %d", &turn, &you, &width, &height, &players) ==
           5) {
        for (int i = 0; i < players; i++) {
            char facing;
            scanf("%d %d %c %d", &at_x[i], &at_y[i], &facing, &alive[i]);
        }
        for (int y = 0; y < height; y++)
            scanf("%64s", grid[y]);
        int way = choose();
        fprintf(stderr, "turn %d: at %d,%d going %c\n", turn, at_x[you],
                at_y[you], letters[way]);
        printf("%c\n", letters[way]);
    }
    return 0;
}
