/* seed: a match's seed, and the streams that come from it.
 *
 * key(purpose, slot) = BLAKE2b-256, unkeyed, of
 *     "bout" NUL purpose NUL seed NUL slot
 * where seed is the text as the match log has it (without quotes) and slot is
 * four bytes, little-endian. The key is that of a ChaCha20 stream; no view and
 * no argument holds the seed, and no key tells another one.
 * Source: RFC 7693, RFC 8439; libsodium's crypto_generichash.
 */
#include "runner/match/match.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool seed_is_hex(const char *text)
{
    return strlen(text) == 64 && strspn(text, "0123456789abcdefABCDEF") == 64;
}

int match_seed_parse(const char *text, char seed[MATCH_SEED_SIZE],
                     struct err *err)
{
    if (seed_is_hex(text)) {
        for (size_t i = 0; i <= 64; i++)
            seed[i] = (char)(text[i] >= 'A' && text[i] <= 'F' ? text[i] + 32
                                                              : text[i]);
        return 0;
    }
    uint64_t number = 0;
    size_t digits = strspn(text, "0123456789");
    for (size_t i = 0; i < digits && number <= LIMITS_MAX_NUMBER; i++)
        number = number * 10 + (uint64_t)(text[i] - '0');
    if (!digits || text[digits] || number > LIMITS_MAX_NUMBER)
        return err_set(err, ERR_INPUT,
                       "seed '%.70s' is neither a number of 0 to 2^53-1 nor 64 "
                       "hex digits",
                       text);
    snprintf(seed, MATCH_SEED_SIZE, "%llu", (unsigned long long)number);
    return 0;
}

json_t *match_seed_json(const char *seed)
{
    if (seed_is_hex(seed))
        return json_string(seed);
    return json_integer((json_int_t)strtoull(seed, NULL, 10));
}

void match_stream_key(const char *seed, const char *purpose, unsigned slot,
                      uint8_t key[32])
{
    crypto_generichash_state state;
    const uint8_t number[4] = {
        (uint8_t)slot,
        (uint8_t)(slot >> 8),
        (uint8_t)(slot >> 16),
        (uint8_t)(slot >> 24),
    };
    const char *const part[] = {"bout", purpose, seed};

    crypto_generichash_init(&state, NULL, 0, 32);
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        crypto_generichash_update(&state, (const uint8_t *)part[i],
                                  strlen(part[i]) + 1);
    crypto_generichash_update(&state, number, sizeof number);
    crypto_generichash_final(&state, key, 32);
}

uint64_t match_game_seed(const char *seed)
{
    uint8_t key[32];
    uint64_t number = 0;

    match_stream_key(seed, "game seed", 0, key);
    for (unsigned i = 0; i < 8; i++)
        number |= (uint64_t)key[i] << (8 * i);
    return number;
}
