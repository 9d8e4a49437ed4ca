// An exception that reaches noexcept ends the program as a crash.
#include <cstdio>
#include <stdexcept>

struct guard {
    ~guard() { std::puts("destroyed"); }
};
static void thrower() { throw std::runtime_error("x"); }
static void wall() noexcept
{
    thrower();
    std::puts("never");
}

int main()
{
    std::puts("before");
    std::fflush(stdout);
    try {
        wall();
    } catch (...) {
        std::puts("never");
        std::fflush(stdout);
    }
}
