// bitset, <bit>, complex, valarray, numeric_limits, numbers.
#include <bit>
#include <bitset>
#include <cmath>
#include <complex>
#include <iostream>
#include <limits>
#include <numbers>
#include <numeric>
#include <valarray>

int main()
{
    std::bitset<100> b("1011");
    b[70] = true;
    b |= b << 20;
    std::cout << b.count() << ' ' << b.test(90) << ' ' << (b >> 64) << '\n';
    std::cout << std::popcount(0xf0f0u) << std::countl_zero(1u) << ' '
              << std::bit_ceil(100u) << ' ' << std::rotl(0x80000001u, 4) << ' '
              << std::bit_cast<unsigned long>(1.5) << '\n';
    std::complex<double> z(3, -4), w = std::polar(2.0, 0.0);
    std::cout << z * w << ' ' << z / w << ' ' << std::abs(z) << ' '
              << std::norm(z) << ' ' << std::conj(z) << '\n';
    std::valarray<int> v{1, 2, 3, 4, 5, 6}, sq = v * v;
    std::valarray<int> every = sq[std::slice(0, 3, 2)];
    std::cout << sq.sum() << ' ' << every[2] << ' ' << v.cshift(2)[0] << ' '
              << std::valarray<int>(v[v > 3]).size() << '\n';
    std::cout << std::numeric_limits<int>::max() << ' '
              << std::numeric_limits<double>::digits << ' '
              << std::numbers::pi << ' ' << std::lerp(1.0, 3.0, 0.25) << ' '
              << std::midpoint(3, 8) << '\n';
}
