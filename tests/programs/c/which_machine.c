/* A source that asks by its macros which processor it is for learns that it is
 * none: only that the machine is little-endian and of 64 bits. */
#include <stdio.h>

int main(void)
{
#if defined(__powerpc__) || defined(__powerpc64__) || defined(__ppc__) || \
    defined(__PPC__) || defined(__PPC64__) || defined(__POWERPC__) || \
    defined(__ppc64__) || defined(_ARCH_PPC) || defined(_CALL_ELF)
    puts("a PowerPC");
#endif
#if defined(__ALTIVEC__) || defined(__VSX__) || defined(__VEC__)
    puts("with its vectors");
#endif
#if defined(BOUT) && (defined(__x86_64__) || defined(__aarch64__))
    puts("one of those that it runs on");
#endif
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && __SIZEOF_POINTER__ == 8
    puts("little-endian, 64 bits");
#endif
}
