// throw, nested catch, rethrow, catch by base, by value, by pointer, catch-all.
#include <iostream>
#include <stdexcept>
#include <string>

struct left { virtual ~left() = default; int l = 1; };
struct right { virtual ~right() = default; int r = 2; };
struct both : left, right { int b = 3; };

static void fail(int how)
{
    switch (how) {
    case 0: throw std::runtime_error("runtime " + std::string(40, '.'));
    case 1: throw std::out_of_range("range");
    case 2: throw 42;
    case 3: throw "a text";
    case 4: throw both();
    case 5: throw new both();
    case 6: throw std::string("string");
    default: return;
    }
}

static std::string attempt(int how)
{
    try {
        try {
            fail(how);
            return "none";
        } catch (const std::logic_error &e) {
            std::cout << "logic ";
            throw;
        } catch (int i) {
            throw i + 0.5;
        }
    } catch (const std::exception &e) {
        return e.what();
    } catch (double d) {
        return "double " + std::to_string(d);
    } catch (const char *s) {
        return s;
    } catch (right &r) {
        return "right " + std::to_string(r.r);
    } catch (left *l) {
        int v = l->l;
        delete l;
        return "left " + std::to_string(v);
    } catch (...) {
        return "anything";
    }
}

int main()
{
    for (int i = 0; i < 8; i++)
        std::cout << attempt(i) << '\n';
    int sum = 0;
    for (int i = 0; i < 1000; i++)
        try {
            if (i % 3)
                throw i;
            sum++;
        } catch (int n) {
            sum += n;
        }
    std::cout << sum << ' ' << std::uncaught_exceptions() << '\n';
}
