// exception_ptr, nested_exception, throw_with_nested, copies that stay alive.
#include <exception>
#include <iostream>
#include <stdexcept>
#include <vector>

struct counted : std::exception {
    static int live;
    counted() { live++; }
    counted(const counted &o) : std::exception(o) { live++; }
    ~counted() override { live--; }
    const char *what() const noexcept override { return "counted"; }
};
int counted::live;

static void print(const std::exception &e, int level = 0)
{
    std::cout << level << ':' << e.what() << ' ';
    try {
        std::rethrow_if_nested(e);
    } catch (const std::exception &inner) {
        print(inner, level + 1);
    }
}

static void nest(int n)
{
    try {
        if (n == 0)
            throw std::runtime_error("bottom");
        nest(n - 1);
    } catch (...) {
        std::throw_with_nested(std::logic_error("level " + std::to_string(n)));
    }
}

int main()
{
    std::vector<std::exception_ptr> kept;
    for (int i = 0; i < 3; i++)
        try {
            throw counted();
        } catch (...) {
            kept.push_back(std::current_exception());
        }
    std::cout << counted::live << ' ';
    for (auto &p : kept)
        try {
            std::rethrow_exception(p);
        } catch (const counted &c) {
            std::cout << c.what() << ' ';
        }
    kept.clear();
    std::cout << counted::live << ' ' << (std::current_exception() == nullptr) << '\n';
    try {
        nest(3);
    } catch (const std::exception &e) {
        print(e);
    }
    auto made = std::make_exception_ptr(7);
    try {
        std::rethrow_exception(made);
    } catch (int i) {
        std::cout << i << '\n';
    }
}
