/* migrations: the numbered files of db/migrations, embedded.
 *
 * Number n brings a database from user_version n - 1 to n; a file that has been
 * released is never edited. The texts hold the {NAMES} of an engine's types.
 */
#pragma once

struct migration {
    const char *name; /* "001_start" */
    const char *sql;
};

/* In order of their numbers, from 1. */
extern const struct migration migrations[];
extern const int migration_count;
