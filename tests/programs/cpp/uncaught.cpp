// An uncaught exception is a crash; what was flushed stays.
#include <iostream>
#include <stdexcept>

int main()
{
    std::cout << "before" << std::endl;
    throw std::runtime_error("nobody catches this");
}
