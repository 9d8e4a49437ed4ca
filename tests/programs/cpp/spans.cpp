// span, mdspan-free views of one buffer, pmr with a monotonic resource.
#include <iostream>
#include <memory_resource>
#include <numeric>
#include <span>
#include <string>
#include <vector>

static int sum(std::span<const int> s) { return std::accumulate(s.begin(), s.end(), 0); }

int main()
{
    std::vector<int> v(20);
    std::iota(v.begin(), v.end(), 1);
    int plain[] = {4, 5, 6};
    std::span<int> s(v);
    s.subspan(5, 3)[1] = 1000;
    std::cout << sum(v) << ' ' << sum(plain) << ' ' << sum(s.first(3)) << ' '
              << sum(s.last<2>()) << ' ' << std::as_bytes(s).size() << '\n';
    char buffer[4096];
    std::pmr::monotonic_buffer_resource pool(buffer, sizeof buffer,
                                             std::pmr::null_memory_resource());
    std::pmr::vector<std::pmr::string> texts(&pool);
    try {
        while (true)
            texts.emplace_back("a text that does not fit in the object itself");
    } catch (const std::bad_alloc &) {
        std::cout << "full " << (texts.size() > 5) << ' '
                  << ((char *)texts.data() >= buffer && (char *)texts.data() < buffer + 4096)
                  << '\n';
    }
}
