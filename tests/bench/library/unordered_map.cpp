// std::unordered_map: numbers and words as keys.
#include <cstdio>
#include <string>
#include <unordered_map>

int main()
{
    unsigned seed = 1;
    unsigned long sum = 0;

    for (int round = 0; round < 10; round++) {
        std::unordered_map<unsigned, unsigned> seen;
        std::unordered_map<std::string, int> names;
        for (int i = 0; i < 100000; i++) {
            seed = seed * 1664525u + 1013904223u;
            seen[seed >> 12] += i;
        }
        for (int i = 0; i < 300000; i++) {
            seed = seed * 1664525u + 1013904223u;
            auto at = seen.find(seed >> 12);
            if (at != seen.end())
                sum += at->second;
        }
        for (int i = 0; i < 40000; i++)
            names["unit" + std::to_string(i % 3000)] += i;
        sum += seen.size() + names.size() + names["unit77"];
    }
    std::printf("%lu\n", sum);
}
