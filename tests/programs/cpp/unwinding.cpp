// Destructors during unwinding: order, arrays, members, half-made objects.
#include <iostream>
#include <memory>
#include <vector>

struct noisy {
    int id;
    explicit noisy(int i) : id(i)
    {
        if (i == 13)
            throw i;
        std::cout << '+' << id << ' ';
    }
    ~noisy() { std::cout << '-' << id << '/' << std::uncaught_exceptions() << ' '; }
};
struct holder {
    noisy a, b;
    holder(int x, int y) try : a(x), b(y) {
        std::cout << "made ";
    } catch (int i) {
        std::cout << "function-try " << i << ' ';
        throw i * 2.5;
    }
};
struct element {
    noisy n;
    static int next;
    element() : n(next++) {}
};
int element::next = 10;

static void deep(int n)
{
    noisy here(n);
    if (n == 3)
        throw std::string("deep");
    deep(n + 1);
    std::cout << "never";
}

int main()
{
    try {
        deep(0);
    } catch (const std::string &s) {
        std::cout << s << '\n';
    }
    try {
        holder h(1, 13);
    } catch (double d) {
        std::cout << d << '\n';
    }
    try {
        auto array = std::make_unique<element[]>(6);
    } catch (int i) {
        std::cout << i << '\n';
    }
    try {
        std::vector<noisy> v;
        v.reserve(4);
        for (int i = 12; i < 15; i++)
            v.emplace_back(i);
    } catch (int i) {
        std::cout << i << '\n';
    }
    for (int i = 0; i < 3; i++) {
        noisy loop(100 + i);
        if (i == 1)
            continue;
        if (i == 2)
            break;
    }
    std::cout << '\n';
}
