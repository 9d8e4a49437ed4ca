// priority_queue and the heap algorithms.
#include <algorithm>
#include <iostream>
#include <queue>
#include <vector>

int main()
{
    std::priority_queue<int> most;
    auto by_second = [](auto &a, auto &b) { return a.second > b.second; };
    std::priority_queue<std::pair<int, int>, std::vector<std::pair<int, int>>,
                        decltype(by_second)> least(by_second);

    for (int i = 0; i < 500; i++) {
        most.push(i * 7919 % 1009);
        least.emplace(i, (i * 37 + 11) % 503);
    }
    for (int i = 0; i < 10; i++, most.pop(), least.pop())
        std::cout << most.top() << ' ' << least.top().first << ' ';
    std::vector<int> v{5, 1, 8, 3, 9, 2};
    std::make_heap(v.begin(), v.end());
    std::pop_heap(v.begin(), v.end());
    std::cout << v.back() << ' ' << std::is_heap(v.begin(), v.end() - 1);
    std::sort_heap(v.begin(), v.end() - 1);
    for (int x : v)
        std::cout << ' ' << x;
    std::cout << '\n';
}
