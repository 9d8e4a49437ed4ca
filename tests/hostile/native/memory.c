/* expect: asked. Answers with a sum over all that it can read of the I/O page
 * and areas, before it writes any. */
#include "tests/hostile/native/native.h"

void __bout_main(void)
{
    for (;;) {
        const volatile uint8_t *io = (const volatile uint8_t *)PAGE_IO_ADDRESS;
        uint32_t sum = 1;
        char text[9] = "";

        for (size_t i = 0; i < PAGE_BYTES; i++)
            sum = sum * 31 + io[i];
        for (int i = 0; i < 8; i++)
            text[i] = "0123456789abcdef"[sum >> (28 - 4 * i) & 15];
        print(text);
        await_turn();
    }
}
