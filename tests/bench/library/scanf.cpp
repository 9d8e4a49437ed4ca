// scanf of what games say: numbers, a word a line.
#include <cstdio>

int main()
{
    int count, a, b;
    char word[32];
    long sum = 0;

    if (std::scanf("%d", &count) != 1)
        return 1;
    for (int i = 0; i < count; i++) {
        if (std::scanf("%d %d %31s", &a, &b, word) != 3)
            return 1;
        sum = sum * 3 + a - b + word[0];
    }
    std::printf("%ld\n", sum);
}
