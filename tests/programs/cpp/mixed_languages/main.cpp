// C and C++ in one program: a C callback that throws through C code.
#include <cstdio>
#include <stdexcept>

extern "C" {
int for_each(const int *v, int count, int (*call)(int, void *), void *context);
extern int c_state;
}

static int visit(int v, void *context)
{
    if (v < 0)
        throw std::domain_error("negative");
    *static_cast<int *>(context) += v;
    return 0;
}

int main()
{
    const int good[] = {1, 2, 3}, bad[] = {1, -2, 3};
    int total = 0;
    std::printf("%d %d\n", for_each(good, 3, visit, &total), total);
    try {
        for_each(bad, 3, visit, &total);
    } catch (const std::exception &e) {
        std::printf("%s %d %d\n", e.what(), total, c_state);
    }
}
