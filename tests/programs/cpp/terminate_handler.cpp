// A terminate handler sees the exception and ends the program its own way.
#include <cstdio>
#include <cstdlib>
#include <exception>

static void handler()
{
    try {
        std::rethrow_exception(std::current_exception());
    } catch (int i) {
        std::printf("terminated by %d\n", i);
    }
    std::exit(9);
}

int main()
{
    std::set_terminate(handler);
    throw 5;
}
