// vector: growth, insert, erase, nesting, vector<bool>, at out of range.
#include <cstdio>
#include <stdexcept>
#include <vector>

struct counted {
    static int live;
    int value;
    counted(int v) : value(v) { live++; }
    counted(const counted &o) : value(o.value) { live++; }
    counted(counted &&o) noexcept : value(o.value) { o.value = -1; live++; }
    counted &operator=(const counted &) = default;
    ~counted() { live--; }
};
int counted::live;

int main()
{
    std::vector<counted> v;

    for (int i = 0; i < 100; i++)
        v.emplace_back(i);
    v.insert(v.begin() + 10, counted(1000));
    v.erase(v.begin() + 20, v.begin() + 50);
    v.push_back(v[3]);
    v.resize(60, counted(5));
    long sum = 0;
    for (auto &c : v)
        sum += c.value;
    std::printf("%zu %ld %d\n", v.size(), sum, counted::live);
    v.clear();
    v.shrink_to_fit();
    std::printf("%d %zu\n", counted::live, v.capacity());
    std::vector<std::vector<int>> grid(20, std::vector<int>(30, 2));
    grid[3][4] = 100;
    auto copy = grid;
    copy[3].assign({1, 2, 3});
    std::printf("%zu %d %d\n", copy[3].size(), grid[3][4], copy == grid);
    std::vector<bool> bits(1000);
    for (size_t i = 0; i < 1000; i += 7)
        bits[i] = !bits[i];
    bits.flip();
    int set = 0;
    for (bool b : bits)
        set += b;
    std::printf("%d\n", set);
    try {
        grid.at(20);
    } catch (const std::out_of_range &) {
        std::printf("out of range\n");
    }
}
