/* A small register machine interprets a program that sums up divisors. */
#include <stdio.h>

enum op { SET, ADD, REST, JUMP_IF_ZERO, JUMP_IF_LESS, JUMP, STOP };
struct order {
    enum op op;
    int a, b, c;
};

static const struct order program[] = {
    {SET, 0, 2, 0},          /* n = 2 */
    {SET, 1, 1, 0},          /* d = 1 */
    {REST, 2, 0, 1},         /* r = n % d */
    {JUMP_IF_ZERO, 2, 8, 0}, /* */
    {ADD, 1, 1, 5},          /* d += 1 */
    {JUMP_IF_LESS, 1, 0, 2}, /* */
    {ADD, 0, 0, 5},          /* n += 1 */
    {JUMP_IF_LESS, 0, 4, 1}, /* */
    {ADD, 3, 3, 1},          /* sum += d */
    {JUMP_IF_LESS, 0, 4, 4}, /* */
    {STOP, 0, 0, 0},
};

int main(void)
{
    long r[6] = {0, 0, 0, 0, 10000, 1};
    const struct order *at = program;

    for (;;) {
        switch (at->op) {
        case SET: r[at->a] = at->b; break;
        case ADD: r[at->a] = r[at->b] + r[at->c]; break;
        case REST: r[at->a] = r[at->b] % r[at->c]; break;
        case JUMP_IF_ZERO:
            if (!r[at->a]) {
                at = program + at->b;
                continue;
            }
            break;
        case JUMP_IF_LESS:
            if (r[at->a] < r[at->b]) {
                at = program + at->c;
                continue;
            }
            break;
        case JUMP: at = program + at->a; continue;
        case STOP: printf("%ld %ld\n", r[0], r[3]); return 0;
        }
        at++;
    }
}
