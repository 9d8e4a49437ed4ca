// thread_local: plain, dynamic, in functions, with a destructor.
#include <iostream>
#include <string>

thread_local int plain = 5;
thread_local std::string text = "made at " + std::to_string(plain);
struct last {
    ~last() { std::cout << "gone\n"; }
};

static int next()
{
    thread_local int n = 10;
    thread_local last l;
    return n++;
}

int main()
{
    plain++;
    std::cout << next() << next() << ' ' << text << ' ' << plain << '\n';
}
