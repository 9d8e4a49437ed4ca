/* natives: the memory functions that charged code calls once they are paid for.
 *
 * Plain C with 16-byte vectors. Searches load aligned vectors only, so that
 * reading past an end never reaches another page. No secret passes through, so
 * registers are left as they are. */
#include "instrument/bot/runtime.h"

#if defined(__aarch64__)
#include <arm_neon.h>
#endif

typedef uint8_t vector __attribute__((vector_size(16)));
typedef vector loose __attribute__((aligned(1), may_alias));
typedef uint64_t loose8 __attribute__((aligned(1), may_alias));
typedef uint32_t loose4 __attribute__((aligned(1), may_alias));
typedef uint16_t loose2 __attribute__((aligned(1), may_alias));

#define NATIVE __attribute__((zero_call_used_regs("skip")))

/* From here on the processor's own block copy is the fastest. */
#define NATIVES_BLOCK_BYTES 2048u

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);

/* What begins in the upper half of the address space is no bot's, and may run
 * over its end: touched at its end first it would look like a null pointer. */
static inline void touch_wild(const void *at, size_t size)
{
    if (__builtin_expect((intptr_t)at < 0, 0) && size)
        (void)*(const volatile uint8_t *)at;
}

static inline vector load(const uint8_t *from)
{
    return *(const loose *)from;
}

static inline void store(uint8_t *to, vector value)
{
    *(loose *)to = value;
}

/* MASK_BITS bits for each byte: are byte i of a and byte i of b equal? */
#if defined(__SSE2__)
#define MASK_BITS 1
#define MASK_ALL 0xffffu

static inline uint64_t equal_mask(vector a, vector b)
{
    typedef char bytes __attribute__((vector_size(16)));

    return (unsigned)__builtin_ia32_pmovmskb128((bytes)(a == b));
}
#elif defined(__aarch64__)
#define MASK_BITS 4
#define MASK_ALL UINT64_MAX

static inline uint64_t equal_mask(vector a, vector b)
{
    uint16x8_t same = vreinterpretq_u16_u8((uint8x16_t)(a == b));

    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(same, 4)), 0);
}
#endif

static inline size_t first_of(uint64_t mask)
{
    return (size_t)__builtin_ctzll(mask) / MASK_BITS;
}

static inline vector splat(int byte)
{
    return (vector){0} + (uint8_t)byte;
}

static inline void copy_to_16(uint8_t *to, const uint8_t *from, size_t size)
{
    if (size >= 8) {
        uint64_t head = *(const loose8 *)from;
        uint64_t tail = *(const loose8 *)(from + size - 8);

        *(loose8 *)to = head;
        *(loose8 *)(to + size - 8) = tail;
    } else if (size >= 4) {
        uint32_t head = *(const loose4 *)from;
        uint32_t tail = *(const loose4 *)(from + size - 4);

        *(loose4 *)to = head;
        *(loose4 *)(to + size - 4) = tail;
    } else if (size >= 2) {
        uint16_t head = *(const loose2 *)from;
        uint16_t tail = *(const loose2 *)(from + size - 2);

        *(loose2 *)to = head;
        *(loose2 *)(to + size - 2) = tail;
    } else if (size) {
        *to = *from;
    }
}

/* 17 to 64 bytes: all is loaded before any is stored, so overlap is fine. */
static inline void copy_to_64(uint8_t *to, const uint8_t *from, size_t size)
{
    vector head = load(from);
    vector tail = load(from + size - 16);

    if (size > 32) {
        vector second = load(from + 16);
        vector third = load(from + size - 32);

        store(to + 16, second);
        store(to + size - 32, third);
    }
    store(to, head);
    store(to + size - 16, tail);
}

/* Over 64 bytes, upwards: right also where `to` lies below `from`. */
static inline void copy_up(uint8_t *to, const uint8_t *from, size_t size)
{
    vector tail[4];

    for (size_t i = 0; i < 4; i++)
        tail[i] = load(from + size - 64 + 16 * i);

    uint8_t *last = to + size - 64;

    for (; to < last; to += 64, from += 64) {
        vector a = load(from), b = load(from + 16);
        vector c = load(from + 32), d = load(from + 48);

        store(to, a);
        store(to + 16, b);
        store(to + 32, c);
        store(to + 48, d);
    }
    for (size_t i = 0; i < 4; i++)
        store(last + 16 * i, tail[i]);
}

/* Over 64 bytes, downwards: right where `to` lies above `from`. */
static inline void copy_down(uint8_t *to, const uint8_t *from, size_t size)
{
    vector head[4];

    for (size_t i = 0; i < 4; i++)
        head[i] = load(from + 16 * i);
    for (size_t left = size; left > 64; left -= 64) {
        const uint8_t *f = from + left - 64;
        uint8_t *t = to + left - 64;
        vector a = load(f), b = load(f + 16);
        vector c = load(f + 32), d = load(f + 48);

        store(t, a);
        store(t + 16, b);
        store(t + 32, c);
        store(t + 48, d);
    }
    for (size_t i = 0; i < 4; i++)
        store(to + 16 * i, head[i]);
}

static inline void copy_block(uint8_t *to, const uint8_t *from, size_t size)
{
#if defined(__x86_64__)
    __asm__ volatile("rep movsb"
                     : "+D"(to), "+S"(from), "+c"(size)
                     :
                     : "memory");
#else
    copy_up(to, from, size);
#endif
}

NATIVE void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    touch_wild(to, size);
    touch_wild(from, size);
    if (size <= 16)
        copy_to_16(to, from, size);
    else if (size <= 64)
        copy_to_64(to, from, size);
    else if (size < NATIVES_BLOCK_BYTES)
        copy_up(to, from, size);
    else
        copy_block(to, from, size);
    return to;
}

NATIVE void *memmove(void *to, const void *from, size_t size)
{
    size_t ahead = (size_t)((uintptr_t)to - (uintptr_t)from);

    touch_wild(to, size);
    touch_wild(from, size);
    if (size <= 16)
        copy_to_16(to, from, size);
    else if (size <= 64)
        copy_to_64(to, from, size);
    else if (ahead < size)
        copy_down(to, from, size);
    else if (size < NATIVES_BLOCK_BYTES || -ahead < size)
        copy_up(to, from, size);
    else
        copy_block(to, from, size);
    return to;
}

static inline void set_to_16(uint8_t *to, uint64_t eight, size_t size)
{
    if (size >= 8) {
        *(loose8 *)to = eight;
        *(loose8 *)(to + size - 8) = eight;
    } else if (size >= 4) {
        *(loose4 *)to = (uint32_t)eight;
        *(loose4 *)(to + size - 4) = (uint32_t)eight;
    } else if (size >= 2) {
        *(loose2 *)to = (uint16_t)eight;
        *(loose2 *)(to + size - 2) = (uint16_t)eight;
    } else if (size) {
        *to = (uint8_t)eight;
    }
}

static inline void set_block(uint8_t *to, uint8_t byte, size_t size)
{
#if defined(__x86_64__)
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(byte) : "memory");
#else
    for (; size >= 16; to += 16, size -= 16)
        store(to, splat(byte));
    set_to_16(to, 0x0101010101010101u * byte, size);
#endif
}

NATIVE void *memset(void *to, int byte, size_t size)
{
    uint8_t *start = to;

    touch_wild(to, size);
    if (size <= 16) {
        set_to_16(start, 0x0101010101010101u * (uint8_t)byte, size);
    } else if (size < NATIVES_BLOCK_BYTES) {
        for (size_t i = 0; i < size - 16; i += 16)
            store(start + i, splat(byte));
        store(start + size - 16, splat(byte));
    } else {
        set_block(start, (uint8_t)byte, size);
    }
    return to;
}

/* Distance of the first `byte` at or after `from`, at most `size`. */
static inline size_t search(const uint8_t *from, int byte, size_t size)
{
    size_t before = (uintptr_t)from & 15;
    const uint8_t *block = from - before;

    if (size == 0)
        return 0;

    uint64_t mask = equal_mask(*(const vector *)block, splat(byte)) >>
                    MASK_BITS * before << MASK_BITS * before;
    size_t done = 16 - before;

    while (!mask && done < size) {
        block += 16;
        mask = equal_mask(*(const vector *)block, splat(byte));
        done += 16;
    }
    if (!mask)
        return size;

    size_t found = (size_t)(block - from) + first_of(mask);
    return found < size ? found : size;
}

NATIVE size_t __bout_strnlen(const char *text, size_t most)
{
    return search((const uint8_t *)text, 0, most);
}

NATIVE const void *__bout_memchr(const void *from, int byte, size_t size)
{
    const uint8_t *start = from;
    size_t found = search(start, byte, size);

    return found < size ? start + found : NULL;
}

NATIVE size_t __bout_mismatch(const void *a, const void *b, size_t size)
{
    const uint8_t *left = a, *right = b;
    size_t i = 0;

    for (; size - i >= 16; i += 16) {
        uint64_t same = equal_mask(load(left + i), load(right + i));

        if (same != MASK_ALL)
            return i + first_of(~same);
    }
    while (i < size && left[i] == right[i])
        i++;
    return i;
}

NATIVE int __bout_memcmp(const void *a, const void *b, size_t size)
{
    size_t i = __bout_mismatch(a, b, size);

    if (i == size)
        return 0;
    return (int)((const uint8_t *)a)[i] - (int)((const uint8_t *)b)[i];
}
