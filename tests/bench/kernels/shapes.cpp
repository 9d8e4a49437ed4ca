// Virtual calls, shared pointers, functions as objects.
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

struct shape {
    virtual ~shape() = default;
    virtual double area() const = 0;
    virtual void grow(double by) = 0;
};
struct circle : shape {
    double r;
    explicit circle(double r) : r(r) {}
    double area() const override { return 3.14159 * r * r; }
    void grow(double by) override { r += by; }
};
struct box : shape {
    double a, b;
    box(double a, double b) : a(a), b(b) {}
    double area() const override { return a * b; }
    void grow(double by) override { a += by, b += by / 2; }
};

int main()
{
    std::vector<std::shared_ptr<shape>> all;
    std::vector<std::function<double(double)>> steps = {
        [](double x) { return x * .5; }, [](double x) { return x + 1; },
        [](double x) { return x > 9 ? x - 9 : x; }};
    double sum = 0;

    for (int i = 0; i < 1000; i++)
        if (i % 3)
            all.push_back(std::make_shared<circle>(i % 7));
        else
            all.push_back(std::make_shared<box>(i % 5, i % 11));
    for (int round = 0; round < 80000; round++) {
        for (auto &one : all)
            sum += one->area();
        all[round % 1000]->grow(.25);
        for (auto &step : steps)
            sum = step(sum);
    }
    std::printf("%.6g\n", sum);
}
