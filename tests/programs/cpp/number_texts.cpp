// Numbers as texts, whatever the locale: streams, to_string, printf agree.
#include <clocale>
#include <cstdio>
#include <iostream>
#include <locale>
#include <sstream>

struct grouped : std::numpunct<char> {
    char do_thousands_sep() const override { return '\''; }
    std::string do_grouping() const override { return "\3"; }
    char do_decimal_point() const override { return ','; }
};

int main()
{
    std::setlocale(LC_ALL, "C");
    std::cout << std::locale().name() << ' ' << std::locale::classic().name() << '\n';
    std::ostringstream out;
    out << 1234567 << ' ' << 1234.5 << ' ' << 1e6 << ' ' << 100000.0 << ' ';
    out.imbue(std::locale(out.getloc(), new grouped));
    out << 1234567 << ' ' << 1234.5;
    std::cout << out.str() << '\n';
    std::printf("%.2f %s\n", 1234.5, std::to_string(0.1f).c_str());
    std::istringstream in("1'234 2,5");
    in.imbue(std::locale(in.getloc(), new grouped));
    int i = 0;
    double d = 0;
    in >> i >> d;
    std::cout << i << ' ' << d << '\n';
    for (float f : {0.1f, 16777216.0f, 3.0e-6f, 1e10f})
        std::cout << f << ' ';
    std::cout << std::endl;
}
