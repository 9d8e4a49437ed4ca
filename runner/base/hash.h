/* hash: SHA-256 (FIPS 180-4) by libsodium, and its lower-case hex form. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define HASH_BYTES 32
#define HASH_HEX_SIZE 65 /* with its NUL */

struct hash {
    /* Opaque: a crypto_hash_sha256_state; 104 bytes in libsodium 1.0.18. */
    _Alignas(16) unsigned char state[128];
};

void hash_init(struct hash *hash);
void hash_add(struct hash *hash, const void *bytes, size_t size);
void hash_add_str(struct hash *hash, const char *text); /* without its NUL */
void hash_end(struct hash *hash, uint8_t out[HASH_BYTES]);
void hash_end_hex(struct hash *hash, char out[HASH_HEX_SIZE]);

void hash_hex(const uint8_t digest[HASH_BYTES], char out[HASH_HEX_SIZE]);
void hash_bytes_hex(const void *bytes, size_t size, char out[HASH_HEX_SIZE]);
