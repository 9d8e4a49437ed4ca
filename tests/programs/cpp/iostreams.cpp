// Streams: every base type in and out, manipulators, states, getline, sync.
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

struct point {
    int x, y;
};
std::ostream &operator<<(std::ostream &out, const point &p)
{
    return out << '(' << p.x << ", " << p.y << ')';
}
std::istream &operator>>(std::istream &in, point &p)
{
    return in >> p.x >> p.y;
}

int main()
{
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int i;
    double d;
    char c;
    std::string word, line;
    point p;

    std::cin >> i >> d >> c >> word >> p;
    std::getline(std::cin >> std::ws, line);
    std::cout << i << ' ' << d << ' ' << c << ' ' << word << ' ' << p << " ["
              << line << "]\n";
    std::cout << std::hex << std::showbase << 255 << ' ' << std::oct << 8
              << std::dec << std::noshowbase << ' ' << std::setw(6)
              << std::setfill('*') << 42 << ' ' << std::left << std::setw(6)
              << -1 << ' ' << std::internal << std::setw(6) << -1 << '\n';
    std::cout << std::fixed << std::setprecision(3) << 3.14159 << ' '
              << std::scientific << 31415.9 << ' ' << std::defaultfloat << 1e-7
              << ' ' << 1e15 << ' ' << std::boolalpha << true << ' '
              << std::showpos << 5 << std::noshowpos << '\n';
    std::cin >> i;
    std::cout << std::cin.fail() << ' ';
    std::cin.clear();
    std::cin >> word;
    std::cout << word << '\n';
    std::ostringstream out;
    for (std::string s; std::cin >> s;)
        out << s.size() << ',';
    std::cout << out.str() << std::cin.eof() << std::endl;
    std::istringstream in("1 2 3 x");
    int sum = 0;
    while (in >> i)
        sum += i;
    std::cout << sum << ' ' << std::quoted("a \"b\"") << '\n';
}
