/* expect: crash bad function pointer
 * Machine code in an array is data: mov eax, 60; syscall. */
#include <stdint.h>
#include <stdio.h>

static const unsigned char code[16]
    __attribute__((aligned(16))) = {0xb8, 60, 0, 0, 0, 0x0f, 0x05, 0xc3};

int main(void)
{
    void (*volatile call)(void) = (void (*)(void))(uintptr_t)code;

    call();
    puts("came back");
    return 0;
}
