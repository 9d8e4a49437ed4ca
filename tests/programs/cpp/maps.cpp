// map, multimap, set, multiset: order, bounds, nodes, custom comparison.
#include <iostream>
#include <map>
#include <set>
#include <string>

struct by_length {
    bool operator()(const std::string &a, const std::string &b) const
    {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    }
};

int main()
{
    std::map<std::string, int> count;
    std::set<std::string, by_length> words;
    std::string word;

    while (std::cin >> word) {
        count[word]++;
        words.insert(word);
    }
    for (auto &[w, n] : count)
        std::cout << w << '=' << n << ' ';
    for (auto &w : words)
        std::cout << w << ' ';
    std::map<int, int> m;
    for (int i = 0; i < 2000; i++)
        m[i * 7919 % 2003] = i;
    for (int i = 0; i < 2003; i += 2)
        m.erase(i);
    std::cout << m.size() << ' ' << m.lower_bound(1000)->first << ' '
              << m.upper_bound(1001)->first << ' ' << m.begin()->second << ' '
              << m.rbegin()->first << ' ' << m.contains(7) << m.count(8) << '\n';
    auto node = m.extract(1001);
    node.key() = 5000;
    m.insert(std::move(node));
    std::cout << m.rbegin()->first << ' ' << m.try_emplace(5000, 1).second << ' '
              << m.insert_or_assign(5000, 3).first->second << '\n';
    std::multimap<int, char> mm{{1, 'a'}, {2, 'b'}, {1, 'c'}};
    for (auto [at, end] = mm.equal_range(1); at != end; ++at)
        std::cout << at->second;
    std::multiset<int> ms{3, 1, 3, 2, 3};
    ms.erase(ms.find(3));
    std::cout << ms.count(3) << '\n';
}
