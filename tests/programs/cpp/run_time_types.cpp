// dynamic_cast down, across and to a reference; typeid; type_index as a key.
#include <iostream>
#include <map>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <vector>

struct a { virtual ~a() = default; };
struct b { virtual ~b() = default; int y = 7; };
struct c : a, b { int z = 8; };
struct d : c {};
struct e : private a { a *up() { return this; } };

int main()
{
    d object;
    a plain;
    e hidden;
    a *pa = &object;
    b *pb = dynamic_cast<b *>(pa);

    std::cout << pb->y << dynamic_cast<c *>(pb)->z << (dynamic_cast<d *>(&plain) == nullptr)
              << (dynamic_cast<e *>(pa) == nullptr)
              << (dynamic_cast<b *>(hidden.up()) == nullptr) << '\n';
    try {
        (void)dynamic_cast<c &>(plain);
    } catch (const std::bad_cast &) {
        std::cout << "bad cast\n";
    }
    std::cout << (typeid(*pa) == typeid(d)) << (typeid(*pa) == typeid(a))
              << typeid(*pb).name() << ' ' << typeid(int).name() << ' '
              << typeid(std::vector<int> *).name()[0] << '\n';
    std::map<std::type_index, std::string> names{{typeid(int), "int"}, {typeid(d), "d"}};
    std::cout << names[typeid(*pa)] << names.count(typeid(long)) << '\n';
    try {
        a *null = nullptr;
        (void)typeid(*null).name();
    } catch (const std::bad_typeid &) {
        std::cout << "bad typeid\n";
    }
}
