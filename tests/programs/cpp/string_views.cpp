// string_view: splitting without copies, literals, hashes of equal texts.
#include <iostream>
#include <string_view>
#include <vector>
using namespace std::literals;

static std::vector<std::string_view> split(std::string_view text, char by)
{
    std::vector<std::string_view> parts;

    while (true) {
        auto at = text.find(by);
        parts.push_back(text.substr(0, at));
        if (at == text.npos)
            return parts;
        text.remove_prefix(at + 1);
    }
}

int main()
{
    std::string text = "one,two,,three\0four"s;

    for (auto part : split("a,bc,,def", ','))
        std::cout << '[' << part << ']';
    auto view = "  padded  "sv;
    view.remove_prefix(view.find_first_not_of(' '));
    view.remove_suffix(view.size() - view.find_last_not_of(' ') - 1);
    std::cout << view << ' ' << text.size() << ' '
              << (std::hash<std::string_view>{}(text) ==
                  std::hash<std::string>{}(text))
              << ' ' << ("abc"sv < "abd"sv) << '\n';
}
