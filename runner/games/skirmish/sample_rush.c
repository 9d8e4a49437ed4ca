/* sample_rush: soldiers only, each straight to the other base by the shortest
 * way; who is beside an enemy hits it. No gold is dug. */
#include <stdio.h>
#include <string.h>

enum { MOST = 64, FAR = 1 << 20 };

static const char letters[] = "URDL";
static const int dx[] = {0, 1, 0, -1};
static const int dy[] = {-1, 0, 1, 0};

struct unit {
    int id, x, y, hp;
    char kind;
};

static int width, height, gold, base_x, base_y;
static char grid[MOST][MOST + 1];
static int way_there[MOST][MOST]; /* steps to the other base */
static struct unit mine[MOST], theirs[MOST];

static int read_units(struct unit *unit)
{
    int count;

    scanf("%d", &count);
    for (int i = 0; i < count; i++)
        scanf("%d %c %d %d %d", &unit[i].id, &unit[i].kind, &unit[i].x,
              &unit[i].y, &unit[i].hp);
    return count;
}

static int is_open(int x, int y)
{
    return x >= 0 && x < width && y >= 0 && y < height && grid[y][x] != '#';
}

static void measure(void)
{
    static int queue[MOST * MOST][2];
    int head = 0, tail = 0;

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            way_there[y][x] = FAR;
    way_there[base_y][base_x] = 0;
    queue[tail][0] = base_x;
    queue[tail++][1] = base_y;
    while (head < tail) {
        int x = queue[head][0];
        int y = queue[head++][1];
        for (int way = 0; way < 4; way++) {
            int nx = x + dx[way], ny = y + dy[way];
            if (!is_open(nx, ny) || way_there[ny][nx] != FAR)
                continue;
            way_there[ny][nx] = way_there[y][x] + 1;
            queue[tail][0] = nx;
            queue[tail++][1] = ny;
        }
    }
}

static int beside(const struct unit *unit, int x, int y)
{
    int ax = unit->x < x ? x - unit->x : unit->x - x;
    int ay = unit->y < y ? y - unit->y : unit->y - y;

    return ax + ay == 1;
}

static void order(const struct unit *unit, int enemies)
{
    int best = -1, least = way_there[unit->y][unit->x];

    for (int i = 0; i < enemies; i++)
        if (beside(unit, theirs[i].x, theirs[i].y)) {
            printf("HIT %d %d %d\n", unit->id, theirs[i].x, theirs[i].y);
            return;
        }
    if (least == 1) {
        printf("HIT %d %d %d\n", unit->id, base_x, base_y);
        return;
    }
    for (int way = 0; way < 4; way++) {
        int x = unit->x + dx[way], y = unit->y + dy[way];
        if (is_open(x, y) && way_there[y][x] < least) {
            least = way_there[y][x];
            best = way;
        }
    }
    if (best >= 0)
        printf("MOVE %d %c\n", unit->id, letters[best]);
}

int main(void)
{
    int turn, mines;

    while (scanf("%d %*d %*d %*d %*d %d %d", &turn, &width, &height) == 3) {
        for (int i = 0; i < height; i++)
            scanf("%64s", grid[i]);
        scanf("%*d %*d %*d %d %d %*d %d %d", &base_x, &base_y, &gold, &mines);
        for (int i = 0; i < mines; i++)
            scanf("%*d %*d %*d");
        int units = read_units(mine);
        int enemies = read_units(theirs);

        measure();
        puts(gold >= 35 ? "TRAIN S" : "WAIT");
        for (int i = 0; i < units; i++)
            order(&mine[i], enemies);
    }
    return 0;
}
