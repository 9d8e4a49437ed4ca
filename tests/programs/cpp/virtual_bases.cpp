// Virtual inheritance: one base, casts along and across, constructors' order.
#include <cstdio>
#include <typeinfo>

struct base {
    int id;
    explicit base(int i) : id(i) { std::printf("base %d\n", i); }
    virtual ~base() { std::printf("~base %d\n", id); }
    virtual const char *name() const { return "base"; }
};
struct left : virtual base {
    int l = 1;
    left() : base(1) { std::puts("left"); }
    ~left() override { std::puts("~left"); }
    const char *name() const override { return "left"; }
};
struct right : virtual base {
    int r = 2;
    right() : base(2) { std::puts("right"); }
    ~right() override { std::puts("~right"); }
    virtual int number() const { return r; }
};
struct both final : left, right {
    both() : base(3) { std::puts("both"); }
    ~both() override { std::puts("~both"); }
    const char *name() const override { return "both"; }
    int number() const override { return l + r + id; }
};

static void show(base *b)
{
    std::printf("%s %d %d %d\n", b->name(), dynamic_cast<left *>(b) != nullptr,
                dynamic_cast<right *>(b) != nullptr,
                dynamic_cast<void *>(b) != nullptr);
    if (auto *r = dynamic_cast<right *>(b))
        std::printf("%d %s\n", r->number(),
                    dynamic_cast<left *>(r) ? "cross" : "no cross");
    std::printf("%d\n", typeid(*b) == typeid(both));
}

int main()
{
    both one;
    left two;
    show(&one);
    show(&two);
    try {
        dynamic_cast<right &>(static_cast<base &>(two)).number();
    } catch (const std::bad_cast &) {
        std::puts("bad_cast");
    }
    try {
        throw both();
    } catch (const right &r) {
        std::printf("caught %d\n", r.number());
    }
    int (right::*call)() const = &right::number;
    right &view = one;
    std::printf("%d\n", (view.*call)());
}
