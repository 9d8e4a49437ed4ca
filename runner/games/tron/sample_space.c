/* sample_space: for each move counts the cells that it would reach before any
 * other rider, and those that the others would reach first, and takes the move
 * with the best difference. Hugs walls where moves are equal, so that it wastes
 * little of a closed room. */
#include <stdio.h>
#include <string.h>

enum { MOST = 64, MOST_PLAYERS = 4, FAR = 1 << 20 };

static const char letters[] = "URDL";
static const int dx[] = {0, 1, 0, -1};
static const int dy[] = {-1, 0, 1, 0};

static int width, height, players, you;
static int at_x[MOST_PLAYERS], at_y[MOST_PLAYERS], alive[MOST_PLAYERS];
static char grid[MOST][MOST + 1];

static int is_free(int x, int y)
{
    return x >= 0 && x < width && y >= 0 && y < height && grid[y][x] == '.';
}

/* Steps from (x, y) to each cell. */
static void measure(int x, int y, int distance[MOST][MOST])
{
    static int queue_x[MOST * MOST], queue_y[MOST * MOST];
    int head = 0, tail = 0;

    for (int i = 0; i < height; i++)
        for (int j = 0; j < width; j++)
            distance[i][j] = FAR;
    distance[y][x] = 0;
    queue_x[tail] = x;
    queue_y[tail++] = y;
    while (head < tail) {
        int cx = queue_x[head];
        int cy = queue_y[head++];
        for (int way = 0; way < 4; way++) {
            int nx = cx + dx[way];
            int ny = cy + dy[way];
            if (!is_free(nx, ny) || distance[ny][nx] != FAR)
                continue;
            distance[ny][nx] = distance[cy][cx] + 1;
            queue_x[tail] = nx;
            queue_y[tail++] = ny;
        }
    }
}

/* Mine minus theirs, if I were at (x, y). */
static int territory(int x, int y, int theirs[MOST][MOST])
{
    static int mine[MOST][MOST];
    int score = 0;

    measure(x, y, mine);
    for (int i = 0; i < height; i++) {
        for (int j = 0; j < width; j++) {
            /* I have moved already: an equal distance is a head-on crash. */
            if (mine[i][j] != FAR && mine[i][j] + 1 < theirs[i][j])
                score += 4;
            else if (theirs[i][j] != FAR && theirs[i][j] < mine[i][j] + 1)
                score -= 1;
        }
    }
    return score;
}

static int walls_around(int x, int y)
{
    int count = 0;

    for (int way = 0; way < 4; way++)
        count += !is_free(x + dx[way], y + dy[way]);
    return count;
}

static int choose(void)
{
    static int theirs[MOST][MOST], one[MOST][MOST];
    int best = -1, best_score = 0;

    for (int i = 0; i < height; i++)
        for (int j = 0; j < width; j++)
            theirs[i][j] = FAR;
    for (int p = 0; p < players; p++) {
        if (p == you || !alive[p])
            continue;
        measure(at_x[p], at_y[p], one);
        for (int i = 0; i < height; i++)
            for (int j = 0; j < width; j++)
                if (one[i][j] < theirs[i][j])
                    theirs[i][j] = one[i][j];
    }
    for (int way = 0; way < 4; way++) {
        int x = at_x[you] + dx[way];
        int y = at_y[you] + dy[way];
        if (!is_free(x, y))
            continue;
        int score = territory(x, y, theirs) * 4 + walls_around(x, y);
        if (theirs[y][x] == 1)
            score -= 200; /* the other may step there too */
        if (best < 0 || score > best_score) {
            best = way;
            best_score = score;
        }
    }
    return best < 0 ? 0 : best;
}

int main(void)
{
    int turn;

    while (scanf("%d %d %d %d %d", &turn, &you, &width, &height, &players) ==
           5) {
        for (int i = 0; i < players; i++) {
            char letter;
            scanf("%d %d %c %d", &at_x[i], &at_y[i], &letter, &alive[i]);
        }
        for (int i = 0; i < height; i++)
            scanf("%64s", grid[i]);
        printf("%c\n", letters[choose()]);
    }
    return 0;
}
