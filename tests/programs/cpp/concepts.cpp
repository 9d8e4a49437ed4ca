// Concepts, requires, spaceship, structured bindings, designated initialisers.
#include <compare>
#include <concepts>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <tuple>

template <class T> concept number = std::integral<T> || std::floating_point<T>;
template <class T> concept named = requires(const T &t) {
    { t.name() } -> std::convertible_to<std::string>;
};
static auto twice(number auto x) { return x + x; }
static std::string say(const auto &) { return "nameless"; }
static std::string say(const named auto &t) { return t.name(); }
struct pet { std::string name() const { return "pet"; } };
struct version {
    int major, minor = 0;
    std::string tag = {};
    auto operator<=>(const version &) const = default;
};
struct fraction {
    int p, q;
    std::strong_ordering operator<=>(const fraction &o) const { return p * o.q <=> o.p * q; }
    bool operator==(const fraction &o) const { return p * o.q == o.p * q; }
};
static std::tuple<int, double, std::string> triple() { return {1, 2.5, "three"}; }

int main()
{
    std::cout << twice(4) << twice(1.25) << say(pet()) << say(5) << '\n';
    version a{.major = 1, .minor = 2}, b{1, 2, "rc"}, c{.major = 2};
    std::cout << (a < b) << (b < c) << (a == version{1, 2}) << (c >= a)
              << ((fraction{1, 2} <=> fraction{2, 4}) == 0)
              << (fraction{1, 3} < fraction{1, 2}) << ((1.0 <=> 2.0) < 0) << '\n';
    auto [i, d, s] = triple();
    auto &[major, minor, tag] = b;
    minor = 99;
    int grid[2] = {7, 8};
    auto [x, y] = grid;
    std::cout << i << d << s << b.minor << x + y << '\n';
    std::set<version> set{c, a, b};
    for (const auto &[m, n, t] : set)
        std::cout << m << '.' << n << t << ' ';
    if (auto [at, is_new] = set.insert(a); !is_new)
        std::cout << "known " << at->minor << '\n';
}
