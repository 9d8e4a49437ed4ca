/* expect: asked. Answers with a sum over all that it can read before it writes
 * any: I/O page and areas, data, the first of the heap, the last of the stack.
 */
#include "tests/hostile/native/native.h"

static uint8_t data[8192];
static uint8_t *heap;

static uint32_t add(uint32_t sum, uint64_t address, size_t size)
{
    const volatile uint8_t *byte = (const volatile uint8_t *)address;

    for (size_t i = 0; i < size; i++)
        sum = sum * 31 + byte[i];
    return sum;
}

static uint32_t add_all(void)
{
    /* the areas of box_fixture.h, which lie behind the page */
    uint32_t sum = add(1, PAGE_IO_ADDRESS, PAGE_BYTES + 65536 + 4096 + 4096);

    sum = add(sum, (uint64_t)data, sizeof data);
    sum = add(sum, (uint64_t)heap, 65536);
    return add(sum, PAGE_STACK_TOP - 8192, 8192);
}

void __bout_main(void)
{
    heap = __bout_heap(65536);
    __bout_stack(PAGE_STACK_TOP - 8192);
    for (;;) {
        char text[9] = "";
        uint32_t sum = add_all();

        for (int i = 0; i < 8; i++)
            text[i] = "0123456789abcdef"[sum >> (28 - 4 * i) & 15];
        print(text);
        await_turn();
    }
}
