// scanf of what games say: numbers, a word a line; each line once more by sscanf.
#include <cstdio>

int main()
{
    int count, a, b, c, d;
    char word[32], line[64];
    long sum = 0;

    if (std::scanf("%d", &count) != 1)
        return 1;
    for (int i = 0; i < count; i++) {
        if (std::scanf("%d %d %31s", &a, &b, word) != 3)
            return 1;
        sum = sum * 3 + a - b + word[0];
        std::snprintf(line, sizeof line, "%d %d", b, a);
        for (int again = 0; again < 4; again++) {
            if (std::sscanf(line, "%d %d", &c, &d) != 2)
                return 1;
            sum += c ^ d;
        }
    }
    std::printf("%ld\n", sum);
}
