// charconv: integers both ways, shortest and exact floating point out.
#include <charconv>
#include <iostream>
#include <limits>
#include <string_view>

template <class... A> static std::string_view put(char (&b)[400], A... a)
{
    auto r = std::to_chars(b, b + 400, a...);
    return r.ec == std::errc() ? std::string_view(b, (size_t)(r.ptr - b)) : "error";
}

int main()
{
    char b[400];
    for (double d : {0.1, 1e23, 5e-324, 1.7976931348623157e308, 123456.0, -0.0,
                     1 / 3.0, 2.5e-5})
        std::cout << put(b, d) << ' ' << put(b, d, std::chars_format::fixed).size()
                  << ' ' << put(b, d, std::chars_format::scientific, 5) << ' '
                  << put(b, (float)d) << '\n';
    std::cout << put(b, std::numeric_limits<long>::min()) << ' '
              << put(b, 255u, 2) << ' ' << put(b, -35, 36) << '\n';
    for (std::string_view s : {"123", "-45x", "99999999999", "x", "7f"}) {
        int i = -1;
        auto r = std::from_chars(s.data(), s.data() + s.size(), i);
        std::cout << i << ' ' << r.ptr - s.data() << ' ' << (r.ec == std::errc())
                  << '\n';
    }
}
