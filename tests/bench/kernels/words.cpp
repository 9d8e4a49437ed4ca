// Counts words: strings, an unordered map, a sort by frequency.
#include <algorithm>
#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

int main()
{
    unsigned seed = 5;
    long sum = 0;

    for (int round = 0; round < 12; round++) {
        std::string text;
        for (int i = 0; i < 400000; i++) {
            seed = seed * 1103515245 + 12345;
            text += (seed >> 16) % 4 ? char('a' + (seed >> 20) % 4) : ' ';
        }
        std::unordered_map<std::string, int> count;
        for (size_t at = 0; at < text.size();) {
            size_t end = std::min(text.find(' ', at), text.size());
            if (end > at)
                count[text.substr(at, end - at)]++;
            at = end + 1;
        }
        std::vector<std::pair<int, std::string>> list;
        for (auto &[word, times] : count)
            list.emplace_back(-times, word);
        std::sort(list.begin(), list.end());
        sum += list[3].first + (long)list.size();
    }
    std::printf("%ld\n", sum);
}
