#include "db/bots.h"

#include "db/jobs.h"
#include "db/kept.h"
#include "db/pack.h"
#include "db/users.h"
#include "runner/base/cleanup.h"

#include <string.h>

/* What an unpacked column may hold; uploads are capped far below. */
#define FILE_CAP ((size_t)64 << 20)
#define BUILD_CAP ((size_t)256 << 20)

static const char *const status_text[BOT_STATUS_COUNT] = {
#define BOT_STATUS_TEXT(name, text) [BOT_##name] = (text),
    BOT_STATUSES(BOT_STATUS_TEXT)
#undef BOT_STATUS_TEXT
};

const char *bot_status_text(enum bot_status status)
{
    return status_text[status];
}

enum bot_status bot_status_parse(const char *text)
{
    int status = 0;

    while (status < BOT_STATUS_COUNT && strcmp(status_text[status], text) != 0)
        status++;
    return (enum bot_status)status;
}

void bot_release(struct bot *bot)
{
    free(bot->name);
    free(bot->game);
    free(bot->owner);
    free(bot->build_hash);
    free(bot->fingerprint);
    free(bot->diagnostics);
    free(bot->notes);
    free(bot->reason);
    *bot = (struct bot){0};
}

void bot_list_release(struct bot_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        bot_release(&list->row[i]);
    free(list->row);
    *list = (struct bot_list){0};
}

void bot_files_release(struct bot_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->file[i].path);
        free(files->file[i].bytes);
    }
    free(files->file);
    *files = (struct bot_files){0};
}

/* ---- adding -------------------------------------------------------------- */

/* The id of (game, name), made for this owner if it is new. */
static int name_claim(struct db *db, const struct bot_spec *spec, int64_t *id,
                      struct err *err)
{
    if (db_run(db, Q_NAME_ADD, err, SQL_TEXT(spec->game), SQL_TEXT(spec->name),
               SQL_I64(spec->owner_id), SQL_I64(spec->now_ns)) < 0)
        return -1;
    auto_stmt struct stmt *st = stmt_open(
        db, Q_NAME_FIND, err, SQL_TEXT(spec->game), SQL_TEXT(spec->name));
    int row = st ? stmt_step(st, err) : -1;
    if (row < 0)
        return -1;
    if (row == 0)
        return err_set(err, ERR_SYSTEM, "bot name %s vanished", spec->name);
    if (stmt_i64(st, 1) != spec->owner_id)
        return err_set(err, ERR_CONFLICT,
                       "the bot name %s in %s belongs to someone else; take "
                       "another name",
                       spec->name, spec->game);
    *id = stmt_i64(st, 0);
    return 0;
}

static int source_add(struct db *db, int64_t bot_id,
                      const struct bot_file *file, struct err *err)
{
    auto_buf struct buf packed = {0};

    pack_add(&packed, file->bytes, file->size);
    return db_run(db, Q_SOURCE_ADD, err, SQL_I64(bot_id), SQL_TEXT(file->path),
                  SQL_BLOB(packed.data, packed.size));
}

int bot_add(struct db *db, const struct bot_spec *spec, int64_t *id,
            struct err *err)
{
    int64_t name_id = 0;
    int64_t job_id = 0;

    if (name_check(spec->name, "the bot name", err) < 0 ||
        name_claim(db, spec, &name_id, err) < 0 ||
        db_run(db, Q_BOT_ADD, err, SQL_I64(name_id), SQL_I64(spec->now_ns),
               SQL_TEXT(spec->notes ? spec->notes : ""),
               SQL_OR_NULL(spec->forked_from)) < 0)
        return -1;
    int64_t bot_id = db_last_id(db);
    for (size_t i = 0; i < spec->file_count; i++)
        if (source_add(db, bot_id, &spec->file[i], err) < 0)
            return -1;
    struct job_spec job = {
        .kind = JOB_BUILD,
        .subject_id = bot_id,
        .priority = JOB_PRIORITY_BUILD,
        .user_id = spec->owner_id,
        .now_ns = spec->now_ns,
    };
    if (job_add(db, &job, &job_id, err) < 0)
        return -1;
    *id = bot_id;
    return 0;
}

int bot_replace_files(struct db *db, int64_t id, const struct bot_files *files,
                      struct err *err)
{
    if (db_run(db, Q_SOURCES_DROP, err, SQL_I64(id)) < 0)
        return -1;
    for (size_t i = 0; i < files->count; i++)
        if (source_add(db, id, &files->file[i], err) < 0)
            return -1;
    return 0;
}

/* ---- reading ------------------------------------------------------------- */

/* Columns of BOT_COLUMNS in queries.def. */
static struct bot bot_read(const struct stmt *st)
{
    return (struct bot){
        .id = stmt_i64(st, 0),
        .name = stmt_take_text(st, 1),
        .game = stmt_take_text(st, 2),
        .version = (uint32_t)stmt_i64(st, 3),
        .owner_id = stmt_i64(st, 4),
        .owner = stmt_take_text(st, 5),
        .status = bot_status_parse(stmt_text(st, 6)),
        .active = stmt_i64(st, 7) != 0,
        .build_hash = stmt_take_text(st, 8),
        .fingerprint = stmt_take_text(st, 9),
        .diagnostics = stmt_take_text(st, 10),
        .created_ns = stmt_i64(st, 11),
        .decided_ns = stmt_i64(st, 12),
        .notes = stmt_take_text(st, 13),
        .forked_from = stmt_i64(st, 14),
        .reason = stmt_take_text(st, 15),
        .dropped_ns = stmt_i64(st, 16),
        .queue_position = stmt_i64(st, 17),
    };
}

int bot_find(struct db *db, int64_t id, struct bot *bot, struct err *err)
{
    auto_stmt struct stmt *st = stmt_open(db, Q_BOT_FIND, err, SQL_I64(id));
    int row = st ? stmt_step(st, err) : -1;

    if (row == 1)
        *bot = bot_read(st);
    return row;
}

int bot_list(struct db *db, const struct bot_filter *filter, int64_t before,
             uint32_t limit, struct bot_list *list, struct err *err)
{
    const char *status = filter->status < BOT_STATUS_COUNT
                             ? bot_status_text(filter->status)
                             : NULL;
    auto_stmt struct stmt *st =
        stmt_open(db, Q_BOT_LIST, err, SQL_I64(before ? before : INT64_MAX),
                  SQL_TEXT(filter->game), SQL_TEXT(filter->name),
                  SQL_I64(filter->owner_id), SQL_I64(filter->active),
                  SQL_TEXT(status), SQL_I64((int64_t)limit + 1));
    struct bot_list found = {0};
    int row;

    found.row = mem_calloc(limit, sizeof *found.row);
    while ((row = stmt_page(st, limit, found.count, &found.more, err)) == 1)
        found.row[found.count++] = bot_read(st);
    if (row < 0) {
        bot_list_release(&found);
        return -1;
    }
    *list = found;
    return 0;
}

static int bot_file_read(const struct stmt *st, struct bot_file *file,
                         struct err *err)
{
    size_t size;
    const void *packed = stmt_blob(st, 1, &size);
    auto_buf struct buf plain = {0};

    if (pack_open(packed, size, FILE_CAP, &plain, err) < 0)
        return err_wrap(err, "source %s", stmt_text(st, 0));
    file->path = stmt_take_text(st, 0);
    file->size = plain.size;
    file->bytes = buf_take(&plain);
    return 0;
}

int bot_files(struct db *db, int64_t id, struct bot_files *files,
              struct err *err)
{
    auto_stmt struct stmt *st = stmt_open(db, Q_SOURCE_LIST, err, SQL_I64(id));
    struct bot_files found = {0};
    int row = st ? stmt_step(st, err) : -1;

    for (; row == 1; row = stmt_step(st, err)) {
        found.file =
            mem_realloc(found.file, (found.count + 1) * sizeof *found.file);
        if (bot_file_read(st, &found.file[found.count], err) < 0)
            break;
        found.count++;
    }
    if (row == 0 && found.count == 0)
        row = err_set(err, ERR_MISSING, "bot %lld: no such bot", (long long)id);
    if (row != 0) {
        bot_files_release(&found);
        return -1;
    }
    *files = found;
    return 0;
}

/* ---- states -------------------------------------------------------------- */

int bot_set_status(struct db *db, int64_t id, enum bot_status status,
                   struct err *err)
{
    return db_run(db, Q_BOT_SET_STATUS, err, SQL_I64(id),
                  SQL_TEXT(bot_status_text(status)));
}

static int bot_decide(struct db *db, int64_t id, enum bot_status status,
                      const char *diagnostics, int64_t now_ns, struct err *err)
{
    return db_run(db, Q_BOT_DECIDE, err, SQL_I64(id),
                  SQL_TEXT(bot_status_text(status)), SQL_TEXT(diagnostics),
                  SQL_I64(now_ns));
}

int bot_reject(struct db *db, int64_t id, const char *diagnostics,
               int64_t now_ns, struct err *err)
{
    return bot_decide(db, id, BOT_REJECTED, diagnostics, now_ns, err);
}

/* ---- builds -------------------------------------------------------------- */

void build_row_release(struct build_row *build)
{
    free(build->hash);
    free(build->fingerprint);
    free(build->target);
    free(build->module);
    free(build->blocks);
    free(build->layout);
    free(build->elf);
    *build = (struct build_row){0};
}

static int executable_put(struct db *db, int64_t bot_id,
                          const struct build_row *build, struct err *err)
{
    auto_buf struct buf packed = {0};

    pack_add(&packed, build->elf, build->elf_size);
    return db_run(db, Q_EXECUTABLE_PUT, err, SQL_I64(bot_id),
                  SQL_TEXT(build->target), SQL_BLOB(packed.data, packed.size));
}

static int build_row_put(struct db *db, int64_t bot_id,
                         const struct build_row *build, struct err *err)
{
    auto_buf struct buf module = {0};
    auto_buf struct buf blocks = {0};
    auto_buf struct buf layout = {0};

    pack_add(&module, build->module, build->module_size);
    pack_add(&blocks, build->blocks, strlen(build->blocks));
    pack_add(&layout, build->layout, strlen(build->layout));
    if (db_run(db, Q_BUILD_PUT, err, SQL_I64(bot_id), SQL_TEXT(build->hash),
               SQL_TEXT(build->fingerprint), SQL_BLOB(module.data, module.size),
               SQL_BLOB(blocks.data, blocks.size),
               SQL_BLOB(layout.data, layout.size)) < 0)
        return -1;
    return build->elf_size ? executable_put(db, bot_id, build, err) : 0;
}

int bot_accept_again(struct db *db, int64_t id, const struct build_row *build,
                     const char *diagnostics, int64_t now_ns, struct err *err)
{
    if (kept_build_put(db, id, build->fingerprint, err) < 0 ||
        build_row_put(db, id, build, err) < 0)
        return -1;
    return bot_decide(db, id, BOT_READY, diagnostics, now_ns, err);
}

/* The next outdated version after *id. 1, 0, -1. */
static int outdated_next(struct db *db, const char *fingerprint, int64_t *id,
                         struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_BOT_OUTDATED, err, SQL_TEXT(fingerprint), SQL_I64(*id));
    int row = st ? stmt_step(st, err) : -1;

    if (row == 1)
        *id = stmt_i64(st, 0);
    return row;
}

int bot_rebuild_outdated(struct db *db, const char *fingerprint, int64_t now_ns,
                         unsigned *count, struct err *err)
{
    struct job_spec job = {
        .kind = JOB_BUILD,
        .args = BOT_AGAIN,
        .priority = JOB_PRIORITY_USER,
        .now_ns = now_ns,
    };
    int64_t id = 0;
    int64_t job_id;
    int row;

    *count = 0;
    while ((row = outdated_next(db, fingerprint, &id, err)) == 1) {
        job.subject_id = id;
        if (bot_set_status(db, id, BOT_QUEUED, err) < 0 ||
            job_add(db, &job, &job_id, err) < 0)
            return -1;
        (*count)++;
    }
    return row;
}

int bot_accept(struct db *db, int64_t id, const struct build_row *build,
               const char *diagnostics, int64_t now_ns, struct err *err)
{
    if (build_row_put(db, id, build, err) < 0 ||
        bot_decide(db, id, BOT_READY, diagnostics, now_ns, err) < 0)
        return -1;
    return bot_make_active(db, id, err);
}

/* A packed column as bytes of its own. */
static char *stmt_take_packed(const struct stmt *st, int column, size_t *size,
                              struct err *err)
{
    size_t packed_size;
    const void *packed = stmt_blob(st, column, &packed_size);
    auto_buf struct buf plain = {0};

    if (pack_open(packed, packed_size, BUILD_CAP, &plain, err) < 0)
        return NULL;
    *size = plain.size;
    return buf_take(&plain);
}

/* Of columns hash, fingerprint, module, blocks, layout, target, executable. */
static int build_row_take(const struct stmt *st, struct build_row *build,
                          struct err *err)
{
    struct build_row found = {0};
    size_t size;

    found.hash = stmt_take_text(st, 0);
    found.fingerprint = stmt_take_text(st, 1);
    found.target = stmt_take_text(st, 5);
    found.module = stmt_take_packed(st, 2, &found.module_size, err);
    found.blocks = found.module ? stmt_take_packed(st, 3, &size, err) : NULL;
    found.layout = found.blocks ? stmt_take_packed(st, 4, &size, err) : NULL;
    bool whole = found.layout != NULL;
    if (whole && !stmt_is_null(st, 6)) {
        found.elf = stmt_take_packed(st, 6, &found.elf_size, err);
        whole = found.elf != NULL;
    }
    if (!whole) {
        build_row_release(&found);
        return -1;
    }
    *build = found;
    return 1;
}

static int build_row_step(struct stmt *st, int64_t bot_id,
                          struct build_row *build, struct err *err)
{
    int row = st ? stmt_step(st, err) : -1;

    if (row == 1 && build_row_take(st, build, err) < 0)
        return err_wrap(err, "build of bot %lld", (long long)bot_id);
    return row;
}

int build_row_find(struct db *db, int64_t bot_id, struct build_row *build,
                   struct err *err)
{
    auto_stmt struct stmt *st =
        stmt_open(db, Q_BUILD_FIND, err, SQL_I64(bot_id));

    return build_row_step(st, bot_id, build, err);
}

int build_row_find_kept(struct db *db, int64_t bot_id, const char *fingerprint,
                        struct build_row *build, struct err *err)
{
    auto_stmt struct stmt *st = stmt_open(
        db, Q_KEPT_BUILD_FIND, err, SQL_I64(bot_id), SQL_TEXT(fingerprint));

    return build_row_step(st, bot_id, build, err);
}
