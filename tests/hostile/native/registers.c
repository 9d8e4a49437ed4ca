/* expect: asked. Keeps all registers as the runtime leaves them, at its start
 * and after each native, where test_box's scan will look at them. */
#include "tests/hostile/native/native.h"

static uint64_t kept[16][14 + 32] __attribute__((aligned(16)));

static inline __attribute__((always_inline)) void keep(uint64_t *to)
{
    __asm__ volatile("movq %%rax, 0(%0)\n\tmovq %%rcx, 8(%0)\n\t"
                     "movq %%rdx, 16(%0)\n\tmovq %%rsi, 24(%0)\n\t"
                     "movq %%rdi, 32(%0)\n\tmovq %%r8, 40(%0)\n\t"
                     "movq %%r9, 48(%0)\n\tmovq %%r10, 56(%0)\n\t"
                     "movq %%r11, 64(%0)\n\tmovq %%r12, 72(%0)\n\t"
                     "movq %%r13, 80(%0)\n\tmovq %%r14, 88(%0)\n\t"
                     "movq %%rbp, 96(%0)\n\t"
                     "movups %%xmm0, 112(%0)\n\tmovups %%xmm1, 128(%0)\n\t"
                     "movups %%xmm2, 144(%0)\n\tmovups %%xmm3, 160(%0)\n\t"
                     "movups %%xmm4, 176(%0)\n\tmovups %%xmm5, 192(%0)\n\t"
                     "movups %%xmm6, 208(%0)\n\tmovups %%xmm7, 224(%0)\n\t"
                     "movups %%xmm8, 240(%0)\n\tmovups %%xmm15, 256(%0)"
                     :
                     : "b"(to)
                     : "memory");
}

static long env[8];
static char text[64] = "a text to work on";

void __bout_main(void)
{
    keep(kept[0]);
    __bout_write(1, text, 8);
    keep(kept[1]);
    __bout_write(2, text, 8);
    keep(kept[2]);
    char *heap = __bout_heap(10000);
    keep(kept[3]);
    __bout_stack(PAGE_STACK_TOP - 9000);
    keep(kept[4]);
    uint64_t mark = __bout_jump_mark();
    keep(kept[5]);
    if (__bout_setjmp(env) == 0) {
        keep(kept[6]);
        __bout_longjmp(env, 1);
    }
    keep(kept[7]);
    __bout_jump_release(mark);
    keep(kept[8]);
    __bout_memcmp(heap, text, sizeof text);
    __bout_memchr(text, 'z', sizeof text);
    __bout_strnlen(text, sizeof text);
    keep(kept[9]);
    heap[0] = (char)__bout_clock();
    keep(kept[10]);
    __bout_seed((uint8_t *)heap);
    keep(kept[11]);
    for (;;) {
        __bout_read(text, sizeof text);
        keep(kept[12]);
    }
}
