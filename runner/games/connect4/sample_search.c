/* sample_search: looks seven discs ahead (negamax with alpha-beta cuts, middle
 * columns first) on bit boards: bit column * 7 + row, the seventh row of each
 * column stays empty, so that a line never wraps. */
#include <stdint.h>
#include <stdio.h>

enum { COLUMNS = 7, ROWS = 6, DEPTH = 7 };

static const int order[COLUMNS] = {3, 2, 4, 1, 5, 0, 6};

static int has_four(uint64_t discs)
{
    static const int shifts[] = {1, 7, 6, 8};

    for (int i = 0; i < 4; i++) {
        uint64_t pairs = discs & discs >> shifts[i];
        if (pairs & pairs >> (2 * shifts[i]))
            return 1;
    }
    return 0;
}

/* Discs near the middle take part in more lines. */
static int weight(uint64_t discs)
{
    static const int column_weight[COLUMNS] = {0, 1, 2, 4, 2, 1, 0};
    int sum = 0;

    for (int column = 0; column < COLUMNS; column++) {
        uint64_t bits = discs >> (column * 7) & 0x3f;
        for (; bits; bits &= bits - 1)
            sum += column_weight[column];
    }
    return sum;
}

/* The value for whom `mine` belongs to, who is to move. */
static int search(uint64_t mine, uint64_t theirs, int depth, int alpha,
                  int beta)
{
    uint64_t all = mine | theirs;
    int moved = 0;

    if (depth == 0)
        return weight(mine) - weight(theirs);
    for (int i = 0; i < COLUMNS; i++) {
        uint64_t floor = (uint64_t)1 << (order[i] * 7);
        uint64_t disc = (all + floor) & ((uint64_t)0x3f * floor);
        if (!disc)
            continue;
        moved = 1;
        int value = has_four(mine | disc) ? 1000 + depth
                                          : -search(theirs, mine | disc,
                                                    depth - 1, -beta, -alpha);
        if (value > alpha)
            alpha = value;
        if (alpha >= beta)
            return alpha;
    }
    return moved ? alpha : 0;
}

static int choose(uint64_t mine, uint64_t theirs)
{
    int best = -1, best_value = -100000;

    for (int i = 0; i < COLUMNS; i++) {
        uint64_t floor = (uint64_t)1 << (order[i] * 7);
        uint64_t disc = ((mine | theirs) + floor) & ((uint64_t)0x3f * floor);
        if (!disc)
            continue;
        int value =
            has_four(mine | disc)
                ? 100000
                : -search(theirs, mine | disc, DEPTH - 1, -100000, -best_value);
        if (best < 0 || value > best_value) {
            best = order[i];
            best_value = value;
        }
    }
    return best;
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
        printf("%d\n", choose(discs[you], discs[1 - you]));
    }
    return 0;
}
