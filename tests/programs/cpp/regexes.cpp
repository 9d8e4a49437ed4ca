// regex: search, match, groups, iterators, replacement.
#include <iostream>
#include <regex>
#include <string>

int main()
{
    std::string text = "move a2a4 at 12:30, then b7b8q at 23:59; done";
    std::regex move("([a-h][1-8])([a-h][1-8])([qrbn])?"), time("(\\d+):(\\d+)");
    std::smatch m;

    for (std::sregex_iterator i(text.begin(), text.end(), move), end; i != end; ++i)
        std::cout << i->str(1) << '>' << i->str(2) << (*i)[3].matched << '\n';
    if (std::regex_search(text, m, time))
        std::cout << m.prefix().length() << ' ' << m[1] << 'h' << m[2] << '\n';
    std::cout << std::regex_replace(text, time, "<$2 past $1>") << '\n';
    std::cout << std::regex_match("aaab", std::regex("(a+)(a?)b"))
              << std::regex_match("AbC", std::regex("[a-c]+", std::regex::icase))
              << std::regex_match("x", std::regex("y|z")) << '\n';
    try {
        std::regex bad("(unclosed");
    } catch (const std::regex_error &e) {
        std::cout << (e.code() == std::regex_constants::error_paren) << '\n';
    }
}
