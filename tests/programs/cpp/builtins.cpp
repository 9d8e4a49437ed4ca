// GNU builtins and attributes that contestants use.
#pragma GCC optimize("O3,unroll-loops")
#pragma GCC target("avx2,bmi,popcnt")
#include <bits/stdc++.h>
using namespace std;

__attribute__((always_inline, hot)) static inline int twice(int x)
{
    return 2 * x;
}
__attribute__((noinline, pure)) static int thrice(int x)
{
    return 3 * x;
}
__attribute__((noinline, cold, optimize("O1"))) static void say(const char *t)
{
    puts(t);
}
struct __attribute__((packed)) tight {
    char a;
    int b;
};
enum class __attribute__((flag_enum)) flag { one = 1, two = 2 };

int main()
{
    unsigned long long x = 0x00f0123456789000ull;
    int low = 0, sum;
    printf("%d %d %d %d\n", __builtin_popcountll(x), __builtin_ctzll(x),
           __builtin_clzll(x), __builtin_parityll(x));
    printf("%d %d %llx %x\n", __builtin_ffs(40), __builtin_clz(1u),
           (unsigned long long)__builtin_bswap64(x), __builtin_bswap32(0x1234));
    printf("%d %d\n", __builtin_add_overflow(INT_MAX, 1, &sum), sum);
    printf("%d %d\n", __builtin_mul_overflow(1 << 20, 1 << 20, &low), low);
    if (__builtin_expect(x != 0, 1))
        say("expected");
    printf("%d %zu %d\n", twice(4) + thrice(5), sizeof(tight),
           __builtin_constant_p(3));
    printf("%d %d\n", __gcd(12, 18), std::gcd(12, 18));
    printf("%d %d\n", __lg(1000), (int)std::bit_width(1000u));
    __int128 big = (__int128)1 << 100;
    printf("%d\n", (int)(big >> 98));
    auto order = [](auto self, int n) -> int { return n ? n + self(self, n - 1) : 0; };
    printf("%d\n", order(order, 10));
    int a[5] = {5, 3, 1, 4, 2};
#pragma GCC ivdep
#pragma GCC unroll 4
    for (int i = 0; i < 5; i++)
        a[i] = __builtin_abs(a[i] - 3);
    sort(a, a + 5, greater<>());
    for (int v : a)
        printf("%d ", v);
    printf("%d\n", __is_same(int, long));
    printf("%g %g\n", __builtin_fabs(-2.5), __builtin_sqrt(2.25));
    if (x == 1)
        __builtin_unreachable();
    printf("%s\n", __PRETTY_FUNCTION__);
}
