// std::sort of numbers, of strings and by a lambda.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

int main()
{
    unsigned seed = 1;
    unsigned long sum = 0;

    for (int round = 0; round < 12; round++) {
        std::vector<unsigned> numbers(200000);
        for (auto &number : numbers)
            number = seed = seed * 1664525u + 1013904223u;
        auto other = numbers;
        std::sort(numbers.begin(), numbers.end());
        std::sort(other.begin(), other.end(), [](unsigned a, unsigned b) {
            return (a & 0xffff) != (b & 0xffff) ? (a & 0xffff) < (b & 0xffff)
                                                : a > b;
        });
        std::vector<std::string> words;
        for (int i = 0; i < 20000; i++)
            words.push_back(std::to_string(other[i]));
        std::sort(words.begin(), words.end());
        sum = sum * 31 + numbers[1000] + other[2000] + words[3000].size();
    }
    std::printf("%lu\n", sum);
}
