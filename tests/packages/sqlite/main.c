/* Runs the SQL of standard input on a database in memory: prints each row,
 * and what was wrong. */
#include "sqlite3.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[1 << 16];

/* ---- a machine without files --------------------------------------------- */

static int no_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file,
                   int flags, int *got)
{
    file->pMethods = NULL;
    return SQLITE_CANTOPEN;
}

static int no_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    return SQLITE_IOERR_DELETE_NOENT;
}

static int no_access(sqlite3_vfs *vfs, const char *name, int flags, int *is)
{
    *is = 0;
    return SQLITE_OK;
}

static int full_path(sqlite3_vfs *vfs, const char *name, int size, char *out)
{
    sqlite3_snprintf(size, out, "%s", name);
    return SQLITE_OK;
}

static int randomness(sqlite3_vfs *vfs, int size, char *out)
{
    memset(out, 7, (size_t)size);
    return size;
}

static int no_sleep(sqlite3_vfs *vfs, int microseconds)
{
    return microseconds;
}

/* Julian days: a noon in the year 2000. */
static int now(sqlite3_vfs *vfs, double *day)
{
    *day = 2451545.0;
    return SQLITE_OK;
}

static int last_error(sqlite3_vfs *vfs, int size, char *out)
{
    return 0;
}

static sqlite3_vfs machine = {
    .iVersion = 1,
    .szOsFile = sizeof(sqlite3_file),
    .mxPathname = 100,
    .zName = "none",
    .xOpen = no_open,
    .xDelete = no_delete,
    .xAccess = no_access,
    .xFullPathname = full_path,
    .xRandomness = randomness,
    .xSleep = no_sleep,
    .xCurrentTime = now,
    .xGetLastError = last_error,
};

int sqlite3_os_init(void)
{
    return sqlite3_vfs_register(&machine, 1);
}

int sqlite3_os_end(void)
{
    return SQLITE_OK;
}

/* ---- the script ---------------------------------------------------------- */

static void print_rows(sqlite3 *base, sqlite3_stmt *statement)
{
    int said;

    while ((said = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(statement); i++) {
            const unsigned char *cell = sqlite3_column_text(statement, i);
            printf("%s%s", i ? "|" : "", cell ? (const char *)cell : "NULL");
        }
        printf("\n");
    }
    if (said != SQLITE_DONE)
        printf("%d: %s\n", said, sqlite3_errmsg(base));
}

int main(void)
{
    size_t size = fread(text, 1, sizeof(text) - 1, stdin);
    const char *at = text;
    sqlite3 *base;

    text[size] = '\0';
    printf("sqlite %s\n", sqlite3_libversion());
    if (sqlite3_open(":memory:", &base) != SQLITE_OK) {
        printf("%s\n", sqlite3_errmsg(base));
        return 1;
    }
    while (*at) {
        sqlite3_stmt *statement = NULL;

        if (sqlite3_prepare_v2(base, at, -1, &statement, &at) != SQLITE_OK) {
            printf("%s\n", sqlite3_errmsg(base));
            at = strchr(at, ';') ? strchr(at, ';') + 1 : text + size;
        }
        if (statement)
            print_rows(base, statement);
        sqlite3_finalize(statement);
    }
    printf("%d changes\n", sqlite3_total_changes(base));
    return sqlite3_close(base);
}
