// unique_ptr, shared_ptr, weak_ptr, deleters, cycles broken.
#include <iostream>
#include <memory>
#include <vector>

struct thing : std::enable_shared_from_this<thing> {
    int id;
    std::weak_ptr<thing> back;
    std::shared_ptr<thing> next;
    explicit thing(int i) : id(i) { std::cout << '+' << id << ' '; }
    ~thing() { std::cout << '-' << id << ' '; }
};

int main()
{
    {
        auto a = std::make_shared<thing>(1), b = std::make_shared<thing>(2);
        a->next = b;
        b->back = a;
        std::cout << a.use_count() << b.use_count() << b->back.lock()->id
                  << a->shared_from_this().use_count() << ' ';
        std::weak_ptr<thing> w = a;
        a.reset();
        std::cout << w.expired() << '\n';
    }
    auto close = [](int *p) { std::cout << "close " << *p << ' '; delete p; };
    std::unique_ptr<int, decltype(close)> u(new int(5), close);
    std::unique_ptr<int[]> array(new int[10]{1, 2, 3});
    std::vector<std::unique_ptr<thing>> v;
    for (int i = 10; i < 14; i++)
        v.push_back(std::make_unique<thing>(i));
    v.erase(v.begin() + 1);
    auto moved = std::move(v[0]);
    std::cout << array[2] << (v[0] == nullptr) << moved->id << '\n';
    while (!v.empty()) /* a vector may destroy in either order */
        v.pop_back();
    std::shared_ptr<void> erased(new thing(99), [](void *p) { delete (thing *)p; });
}
