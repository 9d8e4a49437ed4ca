/* bots: versions of bots, their sources and their builds.
 *
 * A `struct bot` is one version: its id is the bot id of the REST API. All
 * versions with one (game, name) belong to one owner; one of them at most is
 * active, the one that plays the ladder.
 *
 * Life of a version: queued -> compiling -> checking -> ready | rejected; ready
 * <-> suspended. bot_add queues the build in the same transaction.
 *
 * Row structs own what they point to. "Writer" marks what only the writing
 * connection may call (inside a transaction), "Reader" what any may.
 */
#pragma once

#include "db/db.h"

#define BOT_STATUSES(X)       \
    X(QUEUED, "queued")       \
    X(COMPILING, "compiling") \
    X(CHECKING, "checking")   \
    X(READY, "ready")         \
    X(REJECTED, "rejected")   \
    X(SUSPENDED, "suspended")

enum bot_status {
#define BOT_STATUS_ENUM(name, text) BOT_##name,
    BOT_STATUSES(BOT_STATUS_ENUM)
#undef BOT_STATUS_ENUM
        BOT_STATUS_COUNT
};

const char *bot_status_text(enum bot_status status);
/* BOT_STATUS_COUNT for an unknown word. */
enum bot_status bot_status_parse(const char *text);

struct bot {
    int64_t id;
    char *name;
    char *game;
    uint32_t version; /* 1, 2, ... within the name */
    int64_t owner_id;
    char *owner; /* the owner's name */
    enum bot_status status;
    bool active;
    char *build_hash;  /* NULL until built */
    char *fingerprint; /* NULL until built */
    char *diagnostics; /* JSON array; "[]" if none */
    int64_t created_ns;
    int64_t decided_ns;     /* ready or rejected since; 0: not yet */
    char *notes;            /* the owner's */
    int64_t forked_from;    /* 0: of no version */
    char *reason;           /* why it is suspended; NULL: it is not */
    int64_t dropped_ns;     /* source and build are gone since; 0: they are
                               there */
    int64_t queue_position; /* 1 = next; 0: not waiting */
};

struct bot_list {
    struct bot *row;
    size_t count;
    bool more; /* rows are left: the cursor is the last row's id */
};

struct bot_file {
    char *path;
    char *bytes;
    size_t size;
};

struct bot_files {
    struct bot_file *file;
    size_t count;
};

void bot_release(struct bot *bot);
void bot_list_release(struct bot_list *list);
void bot_files_release(struct bot_files *files);

struct bot_spec {
    int64_t owner_id;
    const char *name;
    const char *game; /* the caller has checked that it exists */
    const struct bot_file *file;
    size_t file_count;
    const char *notes;   /* NULL: none */
    int64_t forked_from; /* 0: of no version */
    int64_t now_ns;
};

/* Writer. Adds the next version of the name and queues its build. A name of
 * another owner's is ERR_CONFLICT. *id is the new version's. */
int bot_add(struct db *db, const struct bot_spec *spec, int64_t *id,
            struct err *err);

/* Reader. 1, 0, -1. */
int bot_find(struct db *db, int64_t id, struct bot *bot, struct err *err);

struct bot_filter {
    const char *game;       /* NULL: all */
    const char *name;       /* NULL: all */
    int64_t owner_id;       /* 0: all */
    bool active;            /* only the active versions */
    enum bot_status status; /* BOT_STATUS_COUNT: all */
};

/* Reader. Newest first; ids below `before` (0: from the newest). */
int bot_list(struct db *db, const struct bot_filter *filter, int64_t before,
             uint32_t limit, struct bot_list *list, struct err *err);

/* Reader. The sources as uploaded, by path. ERR_MISSING for no such bot. */
int bot_files(struct db *db, int64_t id, struct bot_files *files,
              struct err *err);

/* Writer. These take the place of an archive that was unpacked. */
int bot_replace_files(struct db *db, int64_t id, const struct bot_files *files,
                      struct err *err);

/* Writer. Only says where the build stands. */
int bot_set_status(struct db *db, int64_t id, enum bot_status status,
                   struct err *err);
/* Writer. Ends as rejected, with a JSON array of diagnostics. */
int bot_reject(struct db *db, int64_t id, const char *diagnostics,
               int64_t now_ns, struct err *err);

/* One build, as the database keeps it. (struct build is runner/build's.) The
 * executable is a cache: it may be missing or of another toolchain. */
struct build_row {
    char *hash;
    char *fingerprint;
    char *target;
    char *module; /* module.bc */
    size_t module_size;
    char *blocks; /* JSON text */
    char *layout; /* JSON text */
    char *elf;
    size_t elf_size; /* 0: not kept */
};

void build_row_release(struct build_row *build);

/* Writer. Ready versions whose builds another toolchain made are queued to be
 * built again from their sources (job args BOT_AGAIN): they cannot play with
 * others meanwhile. *count is how many. */
#define BOT_AGAIN "{\"again\":true}"
int bot_rebuild_outdated(struct db *db, const char *fingerprint, int64_t now_ns,
                         unsigned *count, struct err *err);
/* Writer. The end of that: ready with the new build, active or not as before;
 * the old one is kept (kept.h). */
int bot_accept_again(struct db *db, int64_t id, const struct build_row *build,
                     const char *diagnostics, int64_t now_ns, struct err *err);

/* Writer. The version is ready with this build and becomes the active one. */
int bot_accept(struct db *db, int64_t id, const struct build_row *build,
               const char *diagnostics, int64_t now_ns, struct err *err);

/* Reader. 1, 0 (not built yet), -1. */
int build_row_find(struct db *db, int64_t bot_id, struct build_row *build,
                   struct err *err);
/* Reader. One that was put aside (kept.h): 1, 0, -1. */
int build_row_find_kept(struct db *db, int64_t bot_id, const char *fingerprint,
                        struct build_row *build, struct err *err);

/* Writer. The version is the active one of its name, whatever its status. */
int bot_make_active(struct db *db, int64_t id, struct err *err);
/* Writer. Makes a ready version the active one of its name. ERR_MISSING;
 * ERR_CONFLICT unless ready. */
int bot_activate(struct db *db, int64_t id, struct err *err);
/* Writer. ready -> suspended, with a sentence for the owner; it is no longer
 * active. ERR_CONFLICT from any other state. */
int bot_suspend(struct db *db, int64_t id, const char *reason, struct err *err);
/* Writer. suspended -> ready, and active where no version of the name is. */
int bot_resume(struct db *db, int64_t id, struct err *err);
/* Writer. After a rated match: counts for each of its bots the losses in a row
 * by crash or net, and suspends those that have `most` of them (0: never). */
int bot_note_faults(struct db *db, int64_t match_id, int64_t most,
                    struct err *err);

/* Writer. */
int bot_set_notes(struct db *db, int64_t id, const char *notes,
                  struct err *err);
/* Writer. Source and build go, the record stays; it plays no more. */
int bot_drop(struct db *db, int64_t id, int64_t now_ns, struct err *err);
