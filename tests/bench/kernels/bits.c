/* Bit boards: connect-four positions, moves to a fixed depth. */
#include <stdint.h>
#include <stdio.h>

static long nodes;

static int wins(uint64_t stones)
{
    static const int step[] = {1, 7, 6, 8};

    for (int i = 0; i < 4; i++) {
        uint64_t two = stones & stones >> step[i];

        if (two & two >> 2 * step[i])
            return 1;
    }
    return 0;
}

static int play(uint64_t mine, uint64_t other, int depth)
{
    int best = -1;

    nodes++;
    if (wins(other))
        return -2;
    if (!depth)
        return __builtin_popcountll(mine) & 1;
    for (int i = 0; i < 7; i++) {
        uint64_t all = mine | other;
        uint64_t move = (all + (UINT64_C(1) << 7 * i)) &
                        UINT64_C(0x3f) << 7 * i;

        if (!move)
            continue;
        int score = -play(other, mine | move, depth - 1);
        best = score > best ? score : best;
    }
    return best;
}

int main(void)
{
    int score = play(0, 0, 9);

    printf("%d %ld\n", score, nodes);
}
