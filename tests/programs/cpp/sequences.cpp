// deque, list, forward_list, array, stack, queue.
#include <array>
#include <deque>
#include <forward_list>
#include <iostream>
#include <list>
#include <numeric>
#include <queue>
#include <stack>

int main()
{
    std::deque<int> d;
    for (int i = 0; i < 2000; i++)
        i % 3 ? d.push_back(i) : d.push_front(-i);
    d.erase(d.begin() + 5, d.end() - 5);
    for (int x : d)
        std::cout << x << ' ';
    std::list<int> l(10), other{100, 200};
    std::iota(l.begin(), l.end(), 0);
    l.splice(std::next(l.begin(), 3), other);
    l.remove_if([](int x) { return x % 4 == 0; });
    l.sort(std::greater<>());
    l.reverse();
    for (int x : l)
        std::cout << x << ' ';
    std::forward_list<int> f{3, 1, 2, 2};
    f.sort();
    f.unique();
    f.push_front(9);
    for (int x : f)
        std::cout << x << ' ';
    std::array<int, 5> a{5, 4, 3};
    std::stack<int> s;
    std::queue<int> q;
    for (int x : a)
        s.push(x), q.push(x);
    while (!s.empty()) {
        std::cout << s.top() << q.front() << ' ';
        s.pop(), q.pop();
    }
    std::cout << std::endl;
}
