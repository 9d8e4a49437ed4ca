// Templates: specialisation, variadics, folds, CRTP, SFINAE, if constexpr.
#include <array>
#include <iostream>
#include <string>
#include <tuple>
#include <type_traits>

template <int N> struct fact { static constexpr long value = N * fact<N - 1>::value; };
template <> struct fact<0> { static constexpr long value = 1; };
template <class T> struct name { static constexpr const char *is = "other"; };
template <class T> struct name<T *> { static constexpr const char *is = "pointer"; };
template <> struct name<int> { static constexpr const char *is = "int"; };
template <class... T> auto sum(T... t) { return (t + ... + 0); }
template <class... T> void print(const T &...t) { ((std::cout << t << ' '), ...); }
template <class D> struct counted {
    static inline int count = 0;
    counted() { count++; }
    int tag() { return static_cast<D *>(this)->id() * 10; }
};
struct x : counted<x> { int id() { return 3; } };
struct y : counted<y> { int id() { return 4; } };
template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
const char *kind(T) { return "integral"; }
template <class T, std::enable_if_t<!std::is_integral_v<T>, int> = 0>
const char *kind(T) { return "no integral"; }
template <class T> std::string show(const T &t)
{
    if constexpr (std::is_arithmetic_v<T>)
        return std::to_string(t);
    else if constexpr (requires { t.size(); })
        return "sized " + std::to_string(t.size());
    else
        return "?";
}
template <size_t... I> int indexed(std::index_sequence<I...>) { return ((int)(I * I) + ...); }

int main()
{
    x a, b;
    y c;
    print(fact<15>::value, name<int>::is, name<char *>::is, name<char>::is);
    print(sum(1, 2.5, 'a'), sum(), kind(1), kind(1.0), a.tag() + c.tag(), x::count, y::count);
    print(show(7), show(std::string("abc")), show(a), indexed(std::make_index_sequence<6>()));
    auto t = std::tuple_cat(std::make_tuple(1, "two"), std::tuple(3.5));
    std::apply([](auto... v) { print(v...); }, t);
    std::cout << std::tuple_size_v<decltype(t)> << '\n';
}
