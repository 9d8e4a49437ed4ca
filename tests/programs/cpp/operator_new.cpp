// operator new and delete of a class and with placement; objects in own storage.
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

struct pooled {
    static int taken;
    int v;
    static void *operator new(size_t size) { taken++; return std::malloc(size); }
    static void operator delete(void *p) { taken--; std::free(p); }
};
int pooled::taken;
struct arena {
    alignas(64) char bytes[512];
    size_t used = 0;
};
void *operator new(size_t size, arena &a)
{
    size_t at = a.used;
    a.used += (size + 15) & ~15ul;
    return a.bytes + at;
}

int main()
{
    pooled *p = new pooled{3}, *q = new pooled{4};
    std::printf("%d %d\n", pooled::taken, p->v + q->v);
    delete p;
    delete q;
    arena a;
    auto *s = new (a) std::string("in an arena, long enough to allocate");
    int *n = new (a) int(9);
    std::printf("%s %d %zu %d\n", s->c_str(), *n, a.used, pooled::taken);
    s->~basic_string();
    alignas(std::string) char raw[sizeof(std::string)];
    auto *t = ::new (raw) std::string(3, 'x');
    std::printf("%s\n", std::launder(t)->c_str());
    t->~basic_string();
    struct alignas(128) wide { char c[128]; };
    auto *w = new wide[3];
    std::printf("%d\n", (int)((size_t)w % 128));
    delete[] w;
    int *f = new (std::nothrow) int(5);
    std::printf("%d\n", *f);
    delete f;
}
