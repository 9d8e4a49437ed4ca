/* Alpha-beta search of connect four on 6 x 5, moves tried from the middle. */
#include <stdio.h>

#define WIDE 6
#define HIGH 5
static char board[WIDE + 2][HIGH + 2];
static int height[WIDE];
static long nodes;

static int line(int x, int y, int dx, int dy, int who)
{
    int length = 0;

    for (int i = 1; i < 4; i++) {
        int a = x + dx * i, b = y + dy * i;

        if (a < 0 || a >= WIDE || b < 0 || b >= HIGH || board[a][b] != who)
            break;
        length++;
    }
    return length;
}

static int wins(int x, int y, int who)
{
    return line(x, y, 0, -1, who) > 2 ||
           line(x, y, 1, 0, who) + line(x, y, -1, 0, who) > 2 ||
           line(x, y, 1, 1, who) + line(x, y, -1, -1, who) > 2 ||
           line(x, y, 1, -1, who) + line(x, y, -1, 1, who) > 2;
}

static int search(int who, int depth, int alpha, int beta)
{
    static const int order[WIDE] = {2, 3, 1, 4, 0, 5};

    nodes++;
    if (!depth)
        return 0;
    for (int i = 0; i < WIDE; i++) {
        int x = order[i], y = height[x], value;

        if (y == HIGH)
            continue;
        if (wins(x, y, who))
            return depth;
        board[x][y] = (char)who;
        height[x]++;
        value = -search(3 - who, depth - 1, -beta, -alpha);
        height[x]--;
        board[x][y] = 0;
        if (value > alpha)
            alpha = value;
        if (alpha >= beta)
            break;
    }
    return alpha;
}

int main(void)
{
    int value = search(1, 15, -99, 99);

    printf("%d %ld\n", value, nodes);
}
