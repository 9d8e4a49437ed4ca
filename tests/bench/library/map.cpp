// std::map: insert, find, walk and erase.
#include <cstdio>
#include <map>

int main()
{
    unsigned seed = 1;
    unsigned long sum = 0;

    for (int round = 0; round < 6; round++) {
        std::map<unsigned, unsigned> seen;
        for (int i = 0; i < 60000; i++) {
            seed = seed * 1664525u + 1013904223u;
            seen[seed >> 12] += i;
        }
        for (int i = 0; i < 120000; i++) {
            seed = seed * 1664525u + 1013904223u;
            auto at = seen.lower_bound(seed >> 12);
            if (at != seen.end())
                sum += at->second;
        }
        for (auto &[key, value] : seen)
            sum = sum * 3 + key + value;
        for (auto at = seen.begin(); at != seen.end();)
            at = at->first & 1 ? seen.erase(at) : std::next(at);
        sum += seen.size();
    }
    std::printf("%lu\n", sum);
}
