/* The sealed file: MAGIC, salt, secretstream header, then pieces, each of
 * PIECE_BYTES plain bytes but the last, which is tagged as such: a file that
 * was cut has no last piece. */
#include "db/backup.h"

#include "runner/base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PIECE_BYTES 65536u
#define SEALED_BYTES \
    (PIECE_BYTES + crypto_secretstream_xchacha20poly1305_ABYTES)
#define STREAM_KEY crypto_secretstream_xchacha20poly1305_KEYBYTES
#define STREAM_HEADER crypto_secretstream_xchacha20poly1305_HEADERBYTES
#define STREAM_FINAL crypto_secretstream_xchacha20poly1305_TAG_FINAL

static const char backup_magic[16] = "bout backup 1\n";

/* ---- the copy ------------------------------------------------------------ */

/* An empty file that only its owner may read, made before anything is written
 * into it. */
static int backup_create(const char *path, struct err *err)
{
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (fd < 0 && errno == EEXIST)
        return err_set(err, ERR_CONFLICT,
                       "%s is there already; name another file", path);
    return fd < 0 ? err_sys(err, errno, "%s: create", path) : fd;
}

int backup_copy(struct db *db, const char *path, struct err *err)
{
    auto_fd int fd = backup_create(path, err);

    if (fd < 0)
        return -1;
    if (db_run(db, Q_BACKUP, err, SQL_TEXT(path)) < 0) {
        unlink(path);
        return -1;
    }
    return fsync(fd) < 0 ? err_sys(err, errno, "%s: fsync", path) : 0;
}

/* ---- sealing ------------------------------------------------------------- */

struct seal {
    FILE *from;
    FILE *to;
    crypto_secretstream_xchacha20poly1305_state stream;
};

static int seal_key(const struct buf *secret,
                    const unsigned char salt[crypto_pwhash_SALTBYTES],
                    unsigned char key[STREAM_KEY], struct err *err)
{
    if (sodium_init() < 0)
        return err_set(err, ERR_SYSTEM, "libsodium does not start");
    if (crypto_pwhash(key, STREAM_KEY, secret->data, secret->size, salt,
                      crypto_pwhash_OPSLIMIT_MODERATE,
                      crypto_pwhash_MEMLIMIT_MODERATE,
                      crypto_pwhash_ALG_ARGON2ID13) != 0)
        return err_set(err, ERR_SYSTEM,
                       "not enough memory to make a key from the secret "
                       "(%u MiB)",
                       (unsigned)(crypto_pwhash_MEMLIMIT_MODERATE >> 20));
    return 0;
}

static int seal_put(struct seal *seal, const void *bytes, size_t size,
                    struct err *err)
{
    if (fwrite(bytes, 1, size, seal->to) != size)
        return err_sys(err, errno, "write");
    return 0;
}

static int seal_pieces(struct seal *seal, struct err *err)
{
    auto_free unsigned char *plain = mem_alloc(PIECE_BYTES);
    auto_free unsigned char *sealed = mem_alloc(SEALED_BYTES);
    bool last = false;

    while (!last) {
        size_t got = fread(plain, 1, PIECE_BYTES, seal->from);
        unsigned long long size;
        if (ferror(seal->from))
            return err_sys(err, errno, "read");
        last = got < PIECE_BYTES;
        crypto_secretstream_xchacha20poly1305_push(&seal->stream, sealed, &size,
                                                   plain, got, NULL, 0,
                                                   last ? STREAM_FINAL : 0);
        if (seal_put(seal, sealed, (size_t)size, err) < 0)
            return -1;
    }
    return 0;
}

static int seal_all(struct seal *seal, const struct buf *secret,
                    struct err *err)
{
    unsigned char salt[crypto_pwhash_SALTBYTES];
    unsigned char header[STREAM_HEADER];
    unsigned char key[STREAM_KEY];

    randombytes_buf(salt, sizeof salt);
    if (seal_key(secret, salt, key, err) < 0)
        return -1;
    crypto_secretstream_xchacha20poly1305_init_push(&seal->stream, header, key);
    sodium_memzero(key, sizeof key);
    if (seal_put(seal, backup_magic, sizeof backup_magic, err) < 0 ||
        seal_put(seal, salt, sizeof salt, err) < 0 ||
        seal_put(seal, header, sizeof header, err) < 0)
        return -1;
    return seal_pieces(seal, err);
}

static int open_pieces(struct seal *seal, struct err *err)
{
    auto_free unsigned char *plain = mem_alloc(PIECE_BYTES);
    auto_free unsigned char *sealed = mem_alloc(SEALED_BYTES);
    unsigned char tag = 0;

    while (tag != STREAM_FINAL) {
        size_t got = fread(sealed, 1, SEALED_BYTES, seal->from);
        unsigned long long size;
        if (ferror(seal->from))
            return err_sys(err, errno, "read");
        if (crypto_secretstream_xchacha20poly1305_pull(
                &seal->stream, plain, &size, &tag, sealed, got, NULL, 0) != 0)
            return err_set(err, ERR_INPUT,
                           "the key is another one, or the file was changed "
                           "or cut");
        if (seal_put(seal, plain, (size_t)size, err) < 0)
            return -1;
    }
    if (fgetc(seal->from) != EOF)
        return err_set(err, ERR_INPUT, "the file goes on after its end");
    return 0;
}

static int open_all(struct seal *seal, const struct buf *secret,
                    struct err *err)
{
    char magic[sizeof backup_magic];
    unsigned char salt[crypto_pwhash_SALTBYTES];
    unsigned char header[STREAM_HEADER];
    unsigned char key[STREAM_KEY];

    if (fread(magic, 1, sizeof magic, seal->from) != sizeof magic ||
        memcmp(magic, backup_magic, sizeof magic) != 0 ||
        fread(salt, 1, sizeof salt, seal->from) != sizeof salt ||
        fread(header, 1, sizeof header, seal->from) != sizeof header)
        return err_set(err, ERR_INPUT, "not a sealed backup");
    if (seal_key(secret, salt, key, err) < 0)
        return -1;
    int result = crypto_secretstream_xchacha20poly1305_init_pull(&seal->stream,
                                                                 header, key);
    sodium_memzero(key, sizeof key);
    if (result != 0)
        return err_set(err, ERR_INPUT, "the file was changed");
    return open_pieces(seal, err);
}

/* ---- from file to file --------------------------------------------------- */

typedef int (*seal_fn)(struct seal *seal, const struct buf *secret,
                       struct err *err);

static int seal_files(const char *from, const char *to,
                      const struct buf *secret, seal_fn run, struct err *err)
{
    auto_file FILE *in = NULL;
    auto_file FILE *out = NULL;

    in = fopen(from, "rbe");
    if (!in)
        return err_set(err, errno == ENOENT ? ERR_MISSING : ERR_SYSTEM,
                       "%s: %s", from, strerrordesc_np(errno));
    int fd = backup_create(to, err);
    if (fd < 0)
        // cppcheck-suppress resourceLeak; auto_file closes it
        return -1;
    out = fdopen(fd, "wb");
    struct seal seal = {.from = in, .to = out};
    int result = run(&seal, secret, err);
    sodium_memzero(&seal.stream, sizeof seal.stream);
    if (result == 0 && (fflush(out) != 0 || fsync(fd) < 0))
        result = err_sys(err, errno, "write");
    if (result == 0)
        return 0;
    unlink(to);
    return err_wrap(err, "%s", from);
}

int backup_seal(const char *from, const char *to, const struct buf *secret,
                struct err *err)
{
    return seal_files(from, to, secret, seal_all, err);
}

int backup_open(const char *from, const char *to, const struct buf *secret,
                struct err *err)
{
    return seal_files(from, to, secret, open_all, err);
}

int backup_is_sealed(const char *path, struct err *err)
{
    auto_file FILE *file = fopen(path, "rbe");
    char magic[sizeof backup_magic];

    if (!file)
        return err_set(err, errno == ENOENT ? ERR_MISSING : ERR_SYSTEM,
                       "%s: %s", path, strerrordesc_np(errno));
    return fread(magic, 1, sizeof magic, file) == sizeof magic &&
           !memcmp(magic, backup_magic, sizeof magic);
}
