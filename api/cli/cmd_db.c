/* db: back up, restore and check the database of a service.
 *
 * backup and check read beside a running service. restore makes the database of
 * a folder that has none, under the same lock as serve: into a file beside it,
 * checked there, and only then given its name. */
#include "api/cli/cli.h"
#include "db/backup.h"
#include "db/check.h"
#include "db/settings.h"
#include "db/users.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/base/io.h"
#include "runner/work/data_folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int cmd_db(int argc, char **argv);

#define DB_KEY_MIN_BYTES 16
#define DB_KEY_MAX_BYTES 65536
#define DB_ADMINS_LOOKED_AT 200

struct db_order {
    const char *data; /* as given */
    const char *key;
    bool json;
    char *folder;
    char *database;
};

/* ---- what the actions share -----------------------------------------------
 */

/* The secret is a file and not a word: command lines are read by others. */
static int db_read_key(const struct db_order *order, struct buf *secret,
                       struct err *err)
{
    if (io_read_file(order->key, DB_KEY_MAX_BYTES, secret, err) < 0)
        return -1;
    if (secret->size < DB_KEY_MIN_BYTES)
        return err_set(err, ERR_INPUT,
                       "%s: a key is %d bytes at least; `head -c 32 "
                       "/dev/urandom >FILE` makes one",
                       order->key, DB_KEY_MIN_BYTES);
    return 0;
}

struct db_faults {
    json_t *list;
    int64_t told_ns;
};

static void db_take_fault(void *user, const char *text)
{
    struct db_faults *faults = user;

    json_array_append_new(faults->list, json_string(text));
}

static void db_show_progress(void *user, int64_t done, int64_t of)
{
    struct db_faults *faults = user;
    const int64_t now_ns = (int64_t)clock_mono_ns();

    if (!isatty(STDERR_FILENO) ||
        (done < of && now_ns - faults->told_ns < 200000000))
        return;
    faults->told_ns = now_ns;
    fprintf(stderr, "\r\033[K%lld of %lld match logs%s", (long long)done,
            (long long)of, done < of ? "" : "\r\033[K");
}

/* New reference: the faults, none if all is well. NULL with *err. */
static json_t *db_find_faults(struct db *db, struct err *err)
{
    struct db_faults faults = {.list = json_array()};
    const struct check_sink sink = {
        .fault = db_take_fault, .progress = db_show_progress, .user = &faults};

    if (check_run(db, &sink, err) >= 0)
        return faults.list;
    json_decref(faults.list);
    return NULL;
}

static int db_missing(const struct db_order *order, struct err *err)
{
    if (io_exists(order->database))
        return 0;
    return err_set(err, ERR_MISSING,
                   "%s: there is no database; --data names the folder of "
                   "the service",
                   order->database);
}

static int db_report(const struct db_order *order, const char *what,
                     const char *file)
{
    struct stat found = {0};
    (void)stat(file, &found); /* 0 bytes is what is said otherwise */

    if (!order->json) {
        printf("%s: %s, %lld bytes\n", file, what, (long long)found.st_size);
        return cli_finish("db");
    }
    json_t *document = json_pack("{s:s, s:s, s:I}", "done", what, "file", file,
                                 "bytes", (json_int_t)found.st_size);
    int code = cli_print_json("db", document);
    json_decref(document);
    return code;
}

/* ---- backup ----------------------------------------------------------------
 */

static int db_copy_plain(const char *from, const char *to, struct err *err)
{
    struct db *db = db_open(from, DB_COPY, err);
    int result = db ? backup_copy(db, to, err) : -1;

    db_close(db);
    return result;
}

static int db_copy_sealed(const struct db_order *order, const char *to,
                          struct err *err)
{
    auto_buf struct buf secret = {0};
    auto_free char *plain = mem_format("%s.plain", to);

    if (db_read_key(order, &secret, err) < 0 ||
        db_copy_plain(order->database, plain, err) < 0)
        return -1;
    int result = backup_seal(plain, to, &secret, err);
    unlink(plain);
    return result;
}

static int db_backup(const struct db_order *order, const char *file,
                     struct err *err)
{
    if (!file)
        return cli_usage("db", "backup needs FILE, where it goes");
    if (db_missing(order, err) < 0)
        return -1;
    int result = order->key ? db_copy_sealed(order, file, err)
                            : db_copy_plain(order->database, file, err);
    return result < 0
               ? -1
               : db_report(order, order->key ? "sealed backup" : "backup",
                           file);
}

/* ---- restore ---------------------------------------------------------------
 */

static int db_fetch(const struct db_order *order, const char *file,
                    const char *to, struct err *err)
{
    auto_buf struct buf secret = {0};
    int sealed = backup_is_sealed(file, err);

    if (sealed < 0)
        return -1;
    if (sealed && !order->key)
        return err_set(err, ERR_INPUT,
                       "%s is sealed: --key FILE gives the key it was made "
                       "with",
                       file);
    if (sealed)
        return db_read_key(order, &secret, err) < 0
                   ? -1
                   : backup_open(file, to, &secret, err);
    return db_copy_plain(file, to, err);
}

/* The admin's token is not in a backup, only its hash. */
static int db_give_token(const struct db_order *order, struct db *db,
                         struct err *err)
{
    struct user_list users = {0};
    int64_t admin = 0;

    if (data_folder_has_token(order->folder))
        return 0;
    if (user_list(db, 0, DB_ADMINS_LOOKED_AT, &users, err) < 0)
        return -1;
    for (size_t i = 0; i < users.count && !admin; i++)
        admin = users.row[i].role == ROLE_ADMIN ? users.row[i].id : 0;
    user_list_release(&users);
    if (!admin)
        return 0;
    if (data_folder_add_token(order->folder, db, admin, err) < 0)
        return -1;
    fprintf(stderr, "the admin's new token is in %s/admin.token\n",
            order->folder);
    return audit_add(db, 0, "token.add", "admin, after a restore",
                     clock_wall_ns(), err);
}

/* ERR_INPUT with the first fault, if there is one. */
static int db_must_hold(struct db *db, struct err *err)
{
    json_t *faults = db_find_faults(db, err);
    int result = faults ? 0 : -1;

    if (json_array_size(faults))
        result = err_set(err, ERR_INPUT,
                         "%zu faults, the first: %s; nothing was restored",
                         json_array_size(faults),
                         json_string_value(json_array_get(faults, 0)));
    json_decref(faults);
    return result;
}

/* Migrates it if it is older, checks it and gives out the token. */
static int db_accept(const struct db_order *order, const char *path,
                     struct err *err)
{
    struct db *db = db_open(path, DB_WRITE, err);
    int result = db ? db_must_hold(db, err) : -1;

    if (result == 0)
        result = db_begin(db, err);
    if (result == 0)
        result = db_give_token(order, db, err);
    if (result == 0)
        result = db_commit(db, err);
    db_close(db);
    if (result == 0 && rename(path, order->database) < 0)
        return err_sys(err, errno, "%s: rename", order->database);
    return result;
}

static int db_restore(const struct db_order *order, const char *file,
                      struct err *err)
{
    if (!file)
        return cli_usage("db", "restore needs FILE, a backup");
    if (io_make_folders(order->folder, 0700, err) < 0)
        return -1;
    auto_fd int lock = db_lock(order->folder, err);
    if (lock < 0)
        return -1;
    if (io_exists(order->database))
        return err_set(err, ERR_CONFLICT,
                       "%s is there: move it away, or name an empty folder "
                       "with --data",
                       order->database);
    auto_free char *path = mem_format("%s.restoring", order->database);
    unlink(path); /* what an earlier try left: nobody else has the lock */
    if (db_fetch(order, file, path, err) < 0)
        return -1;
    if (db_accept(order, path, err) < 0) {
        unlink(path);
        return err_wrap(err, "%s", file);
    }
    return db_report(order, "restored", order->database);
}

/* ---- check -----------------------------------------------------------------
 */

static int db_check(const struct db_order *order, const char *file,
                    struct err *err)
{
    const char *path = file ? file : order->database;
    json_t *fault;
    size_t i;

    if (!file && db_missing(order, err) < 0)
        return -1;
    struct db *db = db_open(path, DB_READ, err);
    json_t *faults = db ? db_find_faults(db, err) : NULL;
    db_close(db);
    if (!faults)
        return -1;
    const size_t count = json_array_size(faults);
    int code;
    if (order->json) {
        json_t *document =
            json_pack("{s:s, s:O}", "file", path, "faults", faults);
        code = cli_print_json("db", document);
        json_decref(document);
    } else {
        json_array_foreach(faults, i, fault)
            printf("%s\n", json_string_value(fault));
        printf("%s: %zu faults\n", path, count);
        code = cli_finish("db");
    }
    json_decref(faults);
    return code == CLI_DONE && count ? CLI_REFUSED : code;
}

/* ---- the command -----------------------------------------------------------
 */

typedef int (*db_action)(const struct db_order *order, const char *file,
                         struct err *err);

static const struct {
    const char *name;
    db_action run;
} db_actions[] = {
    {"backup", db_backup},
    {"restore", db_restore},
    {"check", db_check},
};

static int db_run_action(struct db_order *order,
                         const struct cli_operands *operands, struct err *err)
{
    const char *name = operands->item[0];
    const char *file = operands->count > 1 ? operands->item[1] : NULL;

    for (size_t i = 0; i < sizeof db_actions / sizeof *db_actions; i++) {
        if (strcmp(db_actions[i].name, name) != 0)
            continue;
        order->folder = data_folder(order->data, err);
        if (!order->folder)
            return -1;
        order->database = data_folder_database(order->folder);
        int code = db_actions[i].run(order, file, err);
        free(order->database);
        free(order->folder);
        return code;
    }
    return cli_usage("db",
                     "there is no db %s; there are backup, restore and "
                     "check",
                     name);
}

int cmd_db(int argc, char **argv)
{
    struct db_order order = {0};
    const struct cli_option options[] = {
        {"data", 0, CLI_TEXT, &order.data, "DIR", "the service's folder", true},
        {"key", 0, CLI_TEXT, &order.key, "FILE",
         "seal the backup with this secret, or open it", false},
        {"json", 0, CLI_FLAG, &order.json, NULL, "print one JSON document",
         false},
        {0},
    };
    const struct cli_command command = {
        .name = "db",
        .operands = "backup FILE | restore FILE | check [FILE]",
        .text = "backup copies the database of a service, which may be "
                "running, to FILE; restore\nmakes a service's database of "
                "such a copy, where there is none; check says what\nof it "
                "does not hold together (exit code 1 if anything).",
        .option = options,
        .operands_min = 1,
        .operands_max = 2,
    };
    struct cli_operands operands;
    struct err err = {0};
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    code = db_run_action(&order, &operands, &err);
    return code < 0 ? cli_fail(command.name, &err) : code;
}
