#include "runner/base/hash.h"

#include <sodium.h>
#include <string.h>

_Static_assert(sizeof(crypto_hash_sha256_state) <= sizeof(struct hash),
               "struct hash holds libsodium's state");

static crypto_hash_sha256_state *hash_state(struct hash *hash)
{
    return (crypto_hash_sha256_state *)(void *)hash->state;
}

void hash_init(struct hash *hash)
{
    crypto_hash_sha256_init(hash_state(hash));
}

void hash_add(struct hash *hash, const void *bytes, size_t size)
{
    crypto_hash_sha256_update(hash_state(hash), bytes, size);
}

void hash_add_str(struct hash *hash, const char *text)
{
    hash_add(hash, text, strlen(text));
}

void hash_end(struct hash *hash, uint8_t out[HASH_BYTES])
{
    crypto_hash_sha256_final(hash_state(hash), out);
}

void hash_end_hex(struct hash *hash, char out[HASH_HEX_SIZE])
{
    uint8_t digest[HASH_BYTES];

    hash_end(hash, digest);
    hash_hex(digest, out);
}

void hash_hex(const uint8_t digest[HASH_BYTES], char out[HASH_HEX_SIZE])
{
    sodium_bin2hex(out, HASH_HEX_SIZE, digest, HASH_BYTES);
}

void hash_bytes_hex(const void *bytes, size_t size, char out[HASH_HEX_SIZE])
{
    struct hash hash;

    hash_init(&hash);
    hash_add(&hash, bytes, size);
    hash_end_hex(&hash, out);
}
