// A program's own global operator new serves its own code and the library's.
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
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
    int before = made;
    {
        // Code of the library's own allocates and frees these.
        std::string s(100, 'x');
        s.append(1000, 'y');
        std::runtime_error error("a text that is too long to be kept inside");
        std::printf("%zu %d\n", s.size(), made > before);
    }
    std::printf("%d\n", made == freed);
}
