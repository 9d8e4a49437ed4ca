// Lambdas, closures by value and reference, std::function, bind, recursion.
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

static std::function<int()> counter(int from)
{
    return [from]() mutable { return from++; };
}

int main()
{
    auto a = counter(5), b = a;
    std::cout << a() << a() << b() << ' ';
    std::function<long(int)> fib = [&](int n) -> long {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    };
    auto self = [](auto self, int n) -> int { return n ? n + self(self, n - 1) : 0; };
    std::cout << fib(15) << ' ' << self(self, 10) << ' ';
    std::map<std::string, std::function<double(double, double)>> op{
        {"+", std::plus<>()},
        {"-", [](double x, double y) { return x - y; }},
        {"pow", [](double x, double y) { double r = 1; while (y-- > 0) r *= x; return r; }}};
    for (auto &[name, f] : op)
        std::cout << name << f(7, 3) << ' ';
    auto bound = std::bind(std::minus<int>(), std::placeholders::_2, 10);
    std::vector<std::function<int(int)>> chain;
    for (int i = 1; i < 4; i++)
        chain.push_back([i, &chain](int x) { return x * i + (int)chain.size(); });
    int x = 1;
    for (auto &f : chain)
        x = f(x);
    std::cout << bound(1, 52) << ' ' << x << '\n';
    std::function<void()> empty;
    try {
        empty();
    } catch (const std::bad_function_call &) {
        std::cout << "empty\n";
    }
    int (*plain)(int) = [](int i) { return i * 2; };
    std::cout << plain(21) << '\n';
}
