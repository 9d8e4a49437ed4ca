// unordered containers: contents alone, since their order is the library's.
#include <algorithm>
#include <iostream>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

struct cell {
    int x, y;
    bool operator==(const cell &) const = default;
};
template <> struct std::hash<cell> {
    size_t operator()(const cell &c) const
    {
        return (size_t)c.x * 1000003 + (size_t)c.y;
    }
};

int main()
{
    std::unordered_map<std::string, int> m;
    std::unordered_set<cell> cells;
    std::unordered_multiset<int> many;

    for (int i = 0; i < 3000; i++) {
        m["k" + std::to_string(i % 997)] += i;
        cells.insert({i % 50, i % 30});
        many.insert(i % 10);
    }
    m.erase("k5");
    std::vector<std::pair<std::string, int>> sorted(m.begin(), m.end());
    std::sort(sorted.begin(), sorted.end());
    for (size_t i = 0; i < sorted.size(); i += 100)
        std::cout << sorted[i].first << ' ' << sorted[i].second << '\n';
    std::cout << cells.size() << cells.contains({3, 3}) << many.count(7) << ' '
              << m.at("k7") << ' ' << (m.find("none") == m.end()) << '\n';
}
