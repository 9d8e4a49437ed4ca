// An exception leaves qsort, bsearch and std::sort from inside a comparator.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

static int calls;
static int compare(const void *a, const void *b)
{
    if (++calls == 40)
        throw calls;
    return *(const int *)a - *(const int *)b;
}

int main()
{
    int v[100];
    for (int i = 0; i < 100; i++)
        v[i] = i * 37 % 101;
    try {
        std::qsort(v, 100, sizeof *v, compare);
    } catch (int n) {
        std::printf("qsort %d\n", n);
    }
    calls = 38;
    try {
        std::bsearch(&v[5], v, 100, sizeof *v, compare);
    } catch (int n) {
        std::printf("bsearch %d\n", n);
    }
    std::vector<int> w(v, v + 100);
    try {
        int left = 50;
        std::sort(w.begin(), w.end(), [&](int a, int b) {
            if (!left--)
                throw "sort";
            return a < b;
        });
    } catch (const char *s) {
        std::puts(s);
    }
    long sum = 0;
    for (int i : w)
        sum += i;
    std::printf("%ld\n", sum);
}
