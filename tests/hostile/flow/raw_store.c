/* expect: ok | crash bad address | crash null pointer | forbidden
 * inputs: 4096, 4194304, 34359738368, 34360786944, 137438953472, -10485760
 * Stores to an address that once held something of the runtime's: code, the
 * turn's pages, the stack's end, the kernel's. */
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    long address = 0;

    scanf("%ld", &address);
    *(volatile uint64_t *)(uintptr_t)address = 0xffffffffffffffffu;
    puts("back");
    return 0;
}
