// The functions of <cmath> that bots use most, and plain arithmetic between.
#include <cmath>
#include <cstdio>

int main()
{
    double sum = 0;

    for (int i = 1; i <= 4500000; i++) {
        double x = i * 3e-4;
        double y = std::sin(x) + std::cos(x * 0.7) * std::exp(-x * 1e-3);
        y += std::sqrt(x) + std::log(x + 1) + std::atan2(y, x);
        sum += std::pow(std::fabs(y), 1.1) + std::floor(y) + std::fmod(x, 3.7);
    }
    std::printf("%.6g\n", sum);
}
