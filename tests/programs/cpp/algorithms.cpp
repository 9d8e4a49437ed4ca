// sort, stable_sort, nth_element, partial_sort, merges, permutations, numeric.
#include <algorithm>
#include <functional>
#include <iostream>
#include <numeric>
#include <vector>

int main()
{
    std::vector<int> v(5000);
    unsigned x = 1;
    std::generate(v.begin(), v.end(),
                  [&] { return (int)((x = x * 1664525 + 1013904223) >> 12); });
    auto w = v;
    std::sort(v.begin(), v.end());
    std::stable_sort(w.begin(), w.end(),
                     [](int a, int b) { return a % 100 < b % 100; });
    std::cout << std::is_sorted(v.begin(), v.end()) << ' ' << v[1234] << ' '
              << w[77] << ' ' << w[4999] << '\n';
    std::nth_element(w.begin(), w.begin() + 2500, w.end());
    std::cout << w[2500] << ' ' << (w[2500] == v[2500]) << '\n';
    std::partial_sort(w.begin(), w.begin() + 5, w.end(), std::greater<>());
    std::cout << w[0] << ' ' << w[4] << '\n';
    std::vector<int> p{1, 2, 3, 4, 5, 6};
    int count = 0;
    do
        count += p[0] * p[5];
    while (std::next_permutation(p.begin(), p.end()));
    std::rotate(p.begin(), p.begin() + 2, p.end());
    for (int i : p)
        std::cout << i << ' ';
    std::cout << count << ' ' << std::accumulate(v.begin(), v.end(), 0LL) << ' '
              << std::inner_product(p.begin(), p.end(), p.rbegin(), 0) << '\n';
    std::vector<int> a{1, 3, 5, 7}, b{2, 3, 5, 8}, out;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                          std::back_inserter(out));
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
    std::inclusive_scan(a.begin(), a.end(), std::back_inserter(out));
    for (int i : out)
        std::cout << i << ' ';
    auto [low, high] = std::minmax_element(out.begin(), out.end());
    std::cout << *low << *high << ' ' << std::gcd(84, 36) << std::lcm(4, 6)
              << ' ' << std::clamp(15, 1, 9) << ' '
              << std::count_if(v.begin(), v.end(), [](int i) { return i & 1; })
              << ' ' << *std::lower_bound(v.begin(), v.end(), 500000) << '\n';
}
