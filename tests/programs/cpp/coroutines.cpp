// Coroutines: a generator, one that throws, one destroyed half-way.
#include <coroutine>
#include <exception>
#include <iostream>
#include <utility>

template <class T> struct generator {
    struct promise_type {
        T value;
        std::exception_ptr error;
        generator get_return_object() { return generator{handle::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(T v) { value = v; return {}; }
        void return_void() {}
        void unhandled_exception() { error = std::current_exception(); }
    };
    using handle = std::coroutine_handle<promise_type>;
    handle h;
    explicit generator(handle h) : h(h) {}
    generator(generator &&o) : h(std::exchange(o.h, {})) {}
    ~generator() { if (h) h.destroy(); }
    bool next()
    {
        h.resume();
        if (h.promise().error)
            std::rethrow_exception(h.promise().error);
        return !h.done();
    }
};
struct noisy {
    ~noisy() { std::cout << "frame gone "; }
};

static generator<long> fibonacci(int n)
{
    noisy here;
    for (long a = 0, b = 1; n-- > 0; b = a + std::exchange(a, b))
        co_yield a;
}
static generator<long> broken()
{
    co_yield 1;
    throw 7;
}

int main()
{
    for (auto g = fibonacci(20); g.next();)
        std::cout << g.h.promise().value << ' ';
    {
        auto half = fibonacci(100);
        half.next(), half.next();
    }
    auto g = broken();
    try {
        while (g.next())
            std::cout << g.h.promise().value << ' ';
    } catch (int i) {
        std::cout << "caught " << i << '\n';
    }
}
