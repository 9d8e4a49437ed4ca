// A program's own global operator new serves its own code.
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

static int made, freed;
void *operator new(size_t size)
{
    made++;
    return std::malloc(size);
}
void operator delete(void *p) noexcept
{
    freed++;
    std::free(p);
}
void operator delete(void *p, size_t) noexcept
{
    freed++;
    std::free(p);
}

int main()
{
    {
        std::vector<int> v;
        for (int i = 0; i < 100; i++)
            v.push_back(i);
        int *volatile p = new int(3);
        delete p;
    }
    std::printf("%d %d\n", made, made == freed);
}
