// Own iterators, stream iterators, insert iterators, reverse, move.
#include <algorithm>
#include <iostream>
#include <iterator>
#include <list>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

struct collatz {
    struct iterator {
        using value_type = long;
        using difference_type = std::ptrdiff_t;
        using reference = long;
        using pointer = void;
        using iterator_category = std::input_iterator_tag;
        long n;
        long operator*() const { return n; }
        iterator &operator++() { n = n == 1 ? 0 : n % 2 ? 3 * n + 1 : n / 2; return *this; }
        iterator operator++(int) { auto old = *this; ++*this; return old; }
        bool operator==(const iterator &) const = default;
    };
    long from;
    iterator begin() const { return {from}; }
    iterator end() const { return {0}; }
};

int main()
{
    collatz c{27};
    std::vector<long> all(c.begin(), c.end());
    std::cout << std::distance(c.begin(), c.end()) << ' '
              << *std::max_element(all.begin(), all.end()) << '\n';
    std::istringstream in("5 3 9 1");
    std::vector<int> v{std::istream_iterator<int>(in), {}};
    std::list<int> l;
    std::copy(v.rbegin(), v.rend(), std::front_inserter(l));
    std::copy(l.begin(), l.end(), std::ostream_iterator<int>(std::cout, ", "));
    std::vector<std::string> words{"a", "bb"}, taken;
    std::copy(std::make_move_iterator(words.begin()), std::make_move_iterator(words.end()),
              std::back_inserter(taken));
    std::cout << taken[1] << words[1].size() << std::size(v) << '\n';
}
