/* backup: a copy of the database in one file, which may be sealed.
 *
 * A copy is as of one moment: it is taken inside one read transaction while the
 * service goes on. A sealed copy can be read only with its key and shows any
 * change: libsodium's secretstream (XChaCha20-Poly1305) in pieces of 64 KiB,
 * its key made from the secret by Argon2id. Sources:
 * sqlite.org/lang_vacuum.html (VACUUM INTO); libsodium, "Encrypted streams and
 * file encryption".
 */
#pragma once

#include "db/db.h"

#include <stdbool.h>

/* Writes the copy to `path`, which must not be there (ERR_CONFLICT), readable
 * by its owner alone. `db` is a reading connection. Nothing is left at `path`
 * on failure. */
int backup_copy(struct db *db, const char *path, struct err *err);

/* Seals or opens a file into a new one. ERR_INPUT: the secret is another, the
 * file was changed or cut, or was not sealed. */
int backup_seal(const char *from, const char *to, const struct buf *secret,
                struct err *err);
int backup_open(const char *from, const char *to, const struct buf *secret,
                struct err *err);

/* Whether the file is a sealed copy: 1, 0, -1. */
int backup_is_sealed(const char *path, struct err *err);
