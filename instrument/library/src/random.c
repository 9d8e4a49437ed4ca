/* random: everything that is random comes from the slot's ChaCha20 stream.
 *
 * The stream is RFC 8439's block function, keyed by the slot, with a block
 * counter of 64 bits (words 12 and 13) and words 14 and 15 zero. getrandom,
 * getentropy and arc4random take from it. rand and random take their first seed
 * from it, so that two slots differ, until the program seeds them itself: then
 * they are x := x * 6364136223846793005 + 1 (mod 2^64) from x = seed - 1,
 * giving x / 2^33. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "instrument/bot/runtime.h"
#include "instrument/library/src/system.h"

#define BLOCK_WORDS 16
#define BLOCK_BYTES (BLOCK_WORDS * sizeof(uint32_t))
#define ENTROPY_MAX_BYTES 256

static struct {
    uint32_t input[BLOCK_WORDS];
    uint32_t block[BLOCK_WORDS];
    size_t used; /* bytes of `block`; BLOCK_BYTES: none left */
    int keyed;
} stream;

static uint32_t rotate(uint32_t word, int by)
{
    return word << by | word >> (32 - by);
}

static void quarter_round(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d)
{
    *a += *b, *d = rotate(*d ^ *a, 16);
    *c += *d, *b = rotate(*b ^ *c, 12);
    *a += *b, *d = rotate(*d ^ *a, 8);
    *c += *d, *b = rotate(*b ^ *c, 7);
}

/* RFC 8439, 2.3. */
static void next_block(void)
{
    uint32_t x[BLOCK_WORDS];

    memcpy(x, stream.input, sizeof x);
    for (int i = 0; i < 10; i++) {
        for (int k = 0; k < 4; k++)
            quarter_round(&x[k], &x[4 + k], &x[8 + k], &x[12 + k]);
        for (int k = 0; k < 4; k++)
            quarter_round(&x[k], &x[4 + (k + 1) % 4], &x[8 + (k + 2) % 4],
                          &x[12 + (k + 3) % 4]);
    }
    for (int i = 0; i < BLOCK_WORDS; i++)
        stream.block[i] = x[i] + stream.input[i];
    if (++stream.input[12] == 0)
        stream.input[13]++;
    stream.used = 0;
}

static void stream_key(void)
{
    static const char constant[16] = {'e', 'x', 'p', 'a', 'n', 'd', ' ', '3',
                                      '2', '-', 'b', 'y', 't', 'e', ' ', 'k'};

    memcpy(stream.input, constant, sizeof constant);
    __bout_seed((uint8_t *)&stream.input[4]);
    stream.used = BLOCK_BYTES;
    stream.keyed = 1;
}

void __bout_random(void *to, size_t size)
{
    unsigned char *at = to;

    if (!stream.keyed)
        stream_key();
    while (size > 0) {
        if (stream.used == BLOCK_BYTES)
            next_block();
        size_t part = BLOCK_BYTES - stream.used;
        if (part > size)
            part = size;
        memcpy(at, (const char *)stream.block + stream.used, part);
        stream.used += part;
        at += part;
        size -= part;
    }
}

ssize_t getrandom(void *to, size_t size, unsigned flags)
{
    (void)flags;
    __bout_random(to, size);
    return (ssize_t)size;
}

int getentropy(void *to, size_t size)
{
    if (size > ENTROPY_MAX_BYTES) {
        errno = EIO;
        return -1;
    }
    __bout_random(to, size);
    return 0;
}

uint32_t arc4random(void)
{
    uint32_t word;

    __bout_random(&word, sizeof word);
    return word;
}

void arc4random_buf(void *to, size_t size)
{
    __bout_random(to, size);
}

/* Each value below `end` is equally likely: the uneven rest is drawn again. */
uint32_t arc4random_uniform(uint32_t end)
{
    uint32_t word;

    if (end < 2)
        return 0;
    do
        word = arc4random();
    while (word < -end % end);
    return word % end;
}

struct generator {
    uint64_t state;
    int seeded;
};

static struct generator rand_generator;
static struct generator random_generator;

static uint32_t generator_next(struct generator *g)
{
    if (!g->seeded) {
        __bout_random(&g->state, sizeof g->state);
        g->seeded = 1;
    }
    g->state = 6364136223846793005u * g->state + 1;
    return (uint32_t)(g->state >> 33);
}

void srand(unsigned seed)
{
    rand_generator = (struct generator){(uint64_t)seed - 1, 1};
}

int rand(void)
{
    return (int)generator_next(&rand_generator);
}

void srandom(unsigned seed)
{
    random_generator = (struct generator){(uint64_t)seed - 1, 1};
}

long random(void)
{
    return (long)generator_next(&random_generator);
}

/* The state handed in and out is that of the generator, wherever it lies. */
static char *random_home;

char *setstate(char *home)
{
    char *before = random_home;

    if (before)
        memcpy(before, &random_generator, sizeof random_generator);
    memcpy(&random_generator, home, sizeof random_generator);
    random_home = home;
    return before;
}

char *initstate(unsigned seed, char *home, size_t size)
{
    struct generator fresh = {(uint64_t)seed - 1, 1};

    if (size < sizeof fresh)
        return NULL;
    memcpy(home, &fresh, sizeof fresh);
    return setstate(home);
}
