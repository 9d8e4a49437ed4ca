/* expect: asked. Writes to 2 MiB of heap, page by page, in each turn. */
#include "tests/hostile/native/native.h"

#define TOUCH_BYTES (2u << 20)

void __bout_main(void)
{
    char *heap = __bout_heap(TOUCH_BYTES);

    for (;;) {
        await_turn();
        for (size_t i = 0; i < TOUCH_BYTES; i += PAGE_BYTES)
            heap[i]++;
        print("touched");
    }
}
