// ranges: views, pipes, projections, own views over input.
#include <algorithm>
#include <iostream>
#include <ranges>
#include <string>
#include <vector>

struct player {
    std::string name;
    int score;
};

int main()
{
    namespace rv = std::views;
    std::vector<player> p{{"ann", 5}, {"bob", 9}, {"cy", 7}, {"di", 9}};
    std::ranges::stable_sort(p, std::greater<>(), &player::score);
    for (auto &x : p | rv::filter([](auto &x) { return x.score > 5; }) | rv::take(2))
        std::cout << x.name << ' ';
    for (int i : rv::iota(1, 20) | rv::filter([](int i) { return i % 3 == 0; }) |
                     rv::transform([](int i) { return i * i; }) | rv::reverse)
        std::cout << i << ' ';
    for (auto part : std::string_view("a-bb-ccc") | rv::split('-'))
        std::cout << std::ranges::distance(part) << ' ';
    std::vector<std::vector<int>> nested{{1, 2}, {}, {3}};
    for (int i : nested | rv::join | rv::drop(1))
        std::cout << i << ' ';
    auto names = p | rv::transform(&player::name);
    std::cout << *std::ranges::max_element(names) << ' '
              << std::ranges::count(p, 9, &player::score) << ' '
              << std::ranges::any_of(p, [](auto &x) { return x.name == "cy"; })
              << '\n';
    auto [in, out] = std::ranges::minmax(std::vector{4, 8, 1});
    std::cout << in << out << '\n';
}
