// Numbers in and out of streams: signs, limits, failures, widths, bases.
#include <iomanip>
#include <iostream>
#include <limits>
#include <sstream>

template <class T> static void in(const char *text)
{
    std::istringstream stream(text);
    T value = 77;
    stream >> value;
    std::cout << +value << ' ' << stream.fail() << stream.eof();
    stream.clear();
    std::string rest;
    stream >> rest;
    std::cout << " [" << rest << "]\n";
}

int main()
{
    for (const char *text :
         {"0", "-0", "+7", "  42x", "-", "+", "", "abc", "12 13", "0x1f",
          "00012", "99999999999999999999", "-99999999999999999999", "65536",
          "-32769", "32767", "4294967296", "-2147483648", "2147483648",
          "9223372036854775807", "-9223372036854775808", "-9223372036854775809",
          "18446744073709551615", "18446744073709551616", "-1", "- 1", "1,000",
          "3.7", "--5"}) {
        in<short>(text);
        in<int>(text);
        in<long long>(text);
        in<unsigned short>(text);
        in<unsigned>(text);
        in<unsigned long long>(text);
    }
    std::istringstream bases("ff 077 0x10 12 1");
    int a, b, c, d;
    bool e;
    bases >> std::hex >> a >> std::oct >> b >> std::hex >> c >> std::dec >> d >> e;
    std::cout << a << ' ' << b << ' ' << c << ' ' << d << ' ' << e << '\n';

    std::cout << std::setw(8) << -42 << '|' << std::left << std::setw(8) << -42
              << '|' << std::internal << std::setfill('0') << std::setw(8)
              << -42 << '|' << std::right << std::setfill('*') << std::setw(3)
              << 12345 << '|' << std::setw(5) << 1u << "|\n";
    std::cout << std::showpos << 5 << ' ' << -5 << ' ' << 0 << std::noshowpos
              << ' ' << std::hex << std::showbase << 255 << ' ' << -1 << ' '
              << std::oct << 8 << std::dec << ' ' << 8 << '\n';
    std::cout << std::numeric_limits<long long>::min() << ' '
              << std::numeric_limits<long long>::max() << ' '
              << std::numeric_limits<unsigned long long>::max() << ' '
              << std::numeric_limits<int>::min() << ' ' << short(-32768) << ' '
              << (unsigned short)65535 << ' ' << true << ' ' << 'x' << ' '
              << 10l << ' ' << 100ul << '\n';
}
