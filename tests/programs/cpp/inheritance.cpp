// Multiple and virtual inheritance: addresses, offsets, construction order.
#include <iostream>

struct base {
    int b = 1;
    base() { std::cout << "base "; }
    virtual ~base() { std::cout << "~base "; }
    virtual int value() { return b; }
};
struct left : virtual base {
    int l = 10;
    left() { std::cout << "left "; }
    int value() override { return l + b; }
};
struct right : virtual base {
    int r = 100;
    right() { std::cout << "right "; }
    virtual int other() { return r; }
};
struct both : left, right {
    int x = 1000;
    both() { std::cout << "both\n"; }
    int value() override { return x + l + r + b; }
    int other() override { return left::value() + right::other(); }
};
struct mixin {
    long pad = 5;
    virtual int mixed() { return 7; }
};
struct all : mixin, both {
    int mixed() override { return (int)pad + value(); }
};

int main()
{
    all a;
    base *b = &a;
    right *r = &a;
    mixin *m = &a;
    both copy = a;
    copy.b = 3;
    std::cout << b->value() << ' ' << r->other() << ' ' << m->mixed() << ' '
              << copy.value() << ' ' << static_cast<left *>(&a)->l << ' '
              << (dynamic_cast<void *>(r) == &a) << '\n';
}
