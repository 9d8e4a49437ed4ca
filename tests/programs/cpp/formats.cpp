// format: alignment, numbers, precision, own types, errors.
#include <cstdio>
#include <format>
#include <iterator>
#include <string>

struct vec {
    int x, y;
};
template <> struct std::formatter<vec> : std::formatter<int> {
    auto format(const vec &v, auto &context) const
    {
        context.advance_to(std::format_to(context.out(), "<"));
        context.advance_to(std::formatter<int>::format(v.x, context));
        context.advance_to(std::format_to(context.out(), "|"));
        context.advance_to(std::formatter<int>::format(v.y, context));
        return std::format_to(context.out(), ">");
    }
};

int main()
{
    std::string s;
    auto out = std::back_inserter(s);
    std::format_to(out, "{} {:5}|{:<5}|{:^7}|{:*>6}\n", 1, 2, 3, "mid", "r");
    std::format_to(out, "{:#x} {:08b} {:+d} {:o} {:c}\n", 255, 37, 5, 64, 'A');
    std::format_to(out, "{:.3f} {:e} {:g} {} {}\n", 3.14159, 12345.678, 1e-10,
                   0.1, 1e100);
    std::format_to(out, "{1} {0} {1:>{2}}\n", "a", "b", 5);
    std::format_to(out, "{{}} {} {} {:03}\n", true, "text", vec{3, -4});
    try {
        (void)std::vformat("{:d}", std::make_format_args("text"));
    } catch (const std::format_error &) {
        s += "format error\n";
    }
    std::fputs(s.c_str(), stdout);
}
