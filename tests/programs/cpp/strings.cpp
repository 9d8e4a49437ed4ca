// std::string: growth, searches, edits, numbers, comparison.
#include <algorithm>
#include <iostream>
#include <string>

int main()
{
    std::string s = "short", t(40, '-');

    for (int i = 0; i < 10; i++)
        s += std::to_string(i * i) + (i % 2 ? "," : ";");
    t.replace(5, 10, "<replaced>").insert(0, s, 0, 5).erase(20, 12);
    std::cout << s << '\n' << t << '\n';
    std::cout << s.find(';') << ' ' << s.rfind(',') << ' '
              << s.find_first_of("89") << ' ' << s.find_last_not_of(",;0123456789")
              << ' ' << (s.find("absent") == std::string::npos) << '\n';
    std::cout << s.substr(5, 6) << ' ' << s.compare("shorter") << ' '
              << (s < t) << ' ' << s.starts_with("sho") << s.ends_with("81,")
              << '\n';
    std::reverse(s.begin(), s.end());
    std::sort(t.begin(), t.end());
    t.erase(std::unique(t.begin(), t.end()), t.end());
    std::cout << s << '\n' << t << '\n';
    std::cout << std::stoi("  -12x") << ' ' << std::stoull("ff", nullptr, 16)
              << ' ' << std::stod("2.5e-3") << ' ' << std::to_string(1.5) << '\n';
    try {
        std::stoi("none");
    } catch (const std::invalid_argument &) {
        std::cout << "invalid\n";
    }
    try {
        s.at(1000);
    } catch (const std::out_of_range &) {
        std::cout << "out of range\n";
    }
}
