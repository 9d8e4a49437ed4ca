// Virtual calls, abstract bases, covariant results, virtual destructors.
#include <iostream>
#include <memory>
#include <vector>

struct shape {
    virtual ~shape() { std::cout << "~shape "; }
    virtual double area() const = 0;
    virtual const char *name() const { return "shape"; }
    virtual shape *clone() const = 0;
};
struct circle : shape {
    double r;
    explicit circle(double r) : r(r) {}
    ~circle() override { std::cout << "~circle "; }
    double area() const override { return 3 * r * r; }
    const char *name() const override { return "circle"; }
    circle *clone() const override { return new circle(*this); }
};
struct box : shape {
    double a, b;
    box(double a, double b) : a(a), b(b) {}
    double area() const override { return a * b; }
    box *clone() const override { return new box(*this); }
};
struct cube final : box {
    explicit cube(double a) : box(a, a) {}
    double area() const override { return 6 * box::area(); }
    const char *name() const override { return "cube"; }
    cube *clone() const override { return new cube(*this); }
};

int main()
{
    std::vector<std::unique_ptr<shape>> v;
    v.emplace_back(new circle(2));
    v.emplace_back(new box(2, 3));
    v.emplace_back(new cube(2));
    for (int i = 0; i < 3; i++)
        v.emplace_back(v[(size_t)i]->clone());
    double total = 0;
    for (auto &s : v) {
        total += s->area();
        std::cout << s->name() << ' ' << s->area() << ' ';
    }
    std::cout << total << '\n';
    while (!v.empty()) /* a vector may destroy in either order */
        v.pop_back();
    std::cout << '\n';
}
