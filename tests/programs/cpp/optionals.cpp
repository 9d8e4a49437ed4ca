// optional, variant, any, visit, bad accesses.
#include <any>
#include <iostream>
#include <optional>
#include <string>
#include <variant>
#include <vector>

template <class... F> struct overloaded : F... { using F::operator()...; };

static std::optional<int> parse(const std::string &s)
{
    if (s.empty() || s[0] < '0' || s[0] > '9')
        return {};
    return std::stoi(s);
}

int main()
{
    std::cout << parse("42").value_or(-1) << parse("x").value_or(-1) << '\n';
    using value = std::variant<std::monostate, int, double, std::string>;
    std::vector<value> values{1, 2.5, "text", {}, std::string(50, 'z')};
    for (auto &v : values)
        std::visit(overloaded{[](std::monostate) { std::cout << "none "; },
                              [](int i) { std::cout << "int " << i << ' '; },
                              [](double d) { std::cout << "double " << d << ' '; },
                              [](std::string &s) { std::cout << s << ' '; }},
                   v);
    values[0] = "now text";
    std::cout << values[0].index() << std::get<std::string>(values[0]) << '\n';
    try {
        std::get<int>(values[0]);
    } catch (const std::bad_variant_access &) {
        std::cout << "bad variant\n";
    }
    try {
        parse("").value();
    } catch (const std::bad_optional_access &) {
        std::cout << "bad optional\n";
    }
    std::any a = 5;
    a = std::string("any");
    std::cout << std::any_cast<std::string>(a) << ' '
              << (std::any_cast<int>(&a) == nullptr) << '\n';
    try {
        std::any_cast<double>(a);
    } catch (const std::bad_any_cast &) {
        std::cout << "bad any\n";
    }
}
