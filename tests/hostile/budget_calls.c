/* expect: budget; detail over turn_hard of 30000000; turn 1; status stopped
 * A chain of functions, each calling the next twice: 2^40 calls. */
#include <stdio.h>

static volatile int sink;

#define LINK(n, next)                                                          \
    __attribute__((noinline)) static void f##n(void)                           \
    {                                                                          \
        next();                                                                \
        next();                                                                \
    }

__attribute__((noinline)) static void f0(void)
{
    sink++;
}
LINK(1, f0) LINK(2, f1) LINK(3, f2) LINK(4, f3) LINK(5, f4) LINK(6, f5)
LINK(7, f6) LINK(8, f7) LINK(9, f8) LINK(10, f9) LINK(11, f10) LINK(12, f11)
LINK(13, f12) LINK(14, f13) LINK(15, f14) LINK(16, f15) LINK(17, f16)
LINK(18, f17) LINK(19, f18) LINK(20, f19) LINK(21, f20) LINK(22, f21)
LINK(23, f22) LINK(24, f23) LINK(25, f24) LINK(26, f25) LINK(27, f26)
LINK(28, f27) LINK(29, f28) LINK(30, f29) LINK(31, f30) LINK(32, f31)
LINK(33, f32) LINK(34, f33) LINK(35, f34) LINK(36, f35) LINK(37, f36)
LINK(38, f37) LINK(39, f38) LINK(40, f39)

int main(void)
{
    getchar();
    f40();
    puts("U");
    return 0;
}
