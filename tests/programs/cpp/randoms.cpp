// Engines give the standard's numbers; random_device gives some.
#include <iostream>
#include <random>

int main()
{
    std::mt19937 a(42);
    std::mt19937_64 b;
    std::minstd_rand c(1);
    std::ranlux24 d;

    b.discard(9999);
    std::cout << a() << ' ' << a() << ' ' << b() << ' ' << c() << ' ' << d() << '\n';
    std::seed_seq seeds{1, 2, 3};
    std::mt19937 e(seeds);
    std::cout << e() << '\n';
    std::uniform_int_distribution<int> die(1, 6);
    std::normal_distribution<> normal(0, 1);
    double sum = 0;
    int seen[7] = {};
    for (int i = 0; i < 6000; i++) {
        seen[die(a)]++;
        sum += normal(a);
    }
    bool even = true;
    for (int i = 1; i <= 6; i++)
        even = even && seen[i] > 800 && seen[i] < 1200;
    std::random_device device;
    std::cout << even << (sum > -500 && sum < 500)
              << (device() != device() || device() != device()) << '\n';
}
