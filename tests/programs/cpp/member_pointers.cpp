// Pointers to members: data, functions, virtual functions, null, equality.
#include <functional>
#include <iostream>

struct first {
    int a = 1;
    virtual int get() { return a; }
    virtual ~first() = default;
};
struct second {
    int b = 2;
    int plain(int x) { return b * x; }
    virtual int twice() { return 2 * b; }
};
struct third : first, second {
    int get() override { return a + b; }
    int twice() override { return 20 * b; }
};

int main()
{
    third t;
    int first::*data = &first::a;
    int (first::*call)() = &first::get;
    int (second::*plain)(int) = &second::plain;
    int (third::*derived)() = &second::twice;
    int (third::*none)() = nullptr;

    t.*data = 5;
    std::cout << (t.*call)() << ' ' << ((second &)t.*plain)(21) << ' '
              << (t.*derived)() << ' ' << (none == nullptr) << ' '
              << (call == &first::get) << (call != nullptr) << '\n';
    auto f = std::mem_fn(&third::get);
    std::cout << f(t) << ' ' << std::invoke(&second::b, t) << '\n';
    struct { const char *name; int (second::*f)(int); } table[] = {
        {"plain", &second::plain}, {"none", nullptr}};
    for (auto &row : table)
        std::cout << row.name << ' ' << (row.f ? (t.*row.f)(3) : -1) << '\n';
}
