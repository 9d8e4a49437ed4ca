// What runs at the end: exit within a destructor's program, atexit, statics in
// reverse order, inline variables, local statics.
#include <cstdio>
#include <cstdlib>

struct named {
    const char *name;
    explicit named(const char *n) : name(n) { std::printf("+%s\n", name); }
    ~named() { std::printf("-%s\n", name); }
};

inline named shared("shared");
static named first("first");

struct leaves {
    ~leaves() { std::exit(3); }
};

static named &local()
{
    static named once("local");
    return once;
}

int main()
{
    std::atexit([] { std::puts("atexit"); });
    local();
    named in_main("main");
    leaves now;
    std::puts("end of main");
}
