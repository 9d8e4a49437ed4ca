// Tables computed by the compiler, consteval, constinit, constexpr containers.
#include <algorithm>
#include <array>
#include <iostream>
#include <string_view>
#include <vector>

static constexpr auto crc_table = [] {
    std::array<unsigned, 256> t{};
    for (unsigned i = 0; i < 256; i++) {
        unsigned c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        t[i] = c;
    }
    return t;
}();
static constexpr auto primes = [] {
    std::array<int, 50> p{};
    int n = 0;
    for (int i = 2; n < 50; i++)
        if (std::none_of(p.begin(), p.begin() + n, [i](int q) { return i % q == 0; }))
            p[(size_t)n++] = i;
    return p;
}();
consteval int squared(int i) { return i * i; }
constinit int start = squared(12);
static constexpr int total = [] {
    std::vector<int> v;
    for (int i = 0; i < 10; i++)
        v.push_back(i);
    int t = 0;
    for (int i : v)
        t += i;
    return t;
}();
static_assert(total == 45 && primes[49] == 229);

int main()
{
    unsigned crc = ~0u;
    for (unsigned char c : std::string_view("123456789"))
        crc = crc_table[(crc ^ c) & 255] ^ (crc >> 8);
    std::cout << std::hex << ~crc << std::dec << ' ' << start << ' ' << primes[30]
              << ' ' << total << '\n';
}
