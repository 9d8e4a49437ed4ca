/* <bits/stdc++.h>: every header of the C++20 library that a bot may use, for
 * those who are used to GNU's. */
#ifndef _BOUT_STDCXX
#define _BOUT_STDCXX

#include <algorithm>
#include <any>
#include <array>
#include <bit>
#include <bitset>
#include <cassert>
#include <cctype>
#include <cerrno>
#include <cfloat>
#include <charconv>
#include <chrono>
#include <cinttypes>
#include <climits>
#include <cmath>
#include <compare>
#include <complex>
#include <concepts>
#include <csetjmp>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <deque>
#include <exception>
#include <format>
#include <forward_list>
#include <functional>
#include <initializer_list>
#include <iomanip>
#include <ios>
#include <iostream>
#include <istream>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <memory_resource>
#include <new>
#include <numbers>
#include <numeric>
#include <optional>
#include <ostream>
#include <queue>
#include <random>
#include <ranges>
#include <ratio>
#include <regex>
#include <set>
#include <span>
#include <sstream>
#include <stack>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <valarray>
#include <variant>
#include <vector>

/* Names of GNU's library that contestants use as the standard's. */
namespace std
{
template <class T> constexpr int __lg(T n)
{
    int log = -1;

    for (; n > 0; n >>= 1)
        log++;
    return log;
}
/* libc++ has one of its own, for unsigned types. */
template <class T>
requires is_signed_v<T>
constexpr T __gcd(T a, T b)
{
    while (b != 0) {
        T rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
} // namespace std

#endif
