/* gamebook: the games that are installed here, and what of them has been built.
 *
 * A game is a folder NAME with NAME.c, its referee, or game.json, the command
 * of one in any language, and sample_*: files .c or
 * .cpp, or folders; bots that the house plays. DATA/maps/NAME holds the maps
 * that are played on here beside those of the folder (build.h). Builds are made
 * at the first use and kept until release. One thread.
 */
#pragma once

#include "runner/match/match.h"

struct gamebook_entry {
    char *name;
    char *folder;
    char **sample; /* paths of sample_*: those of one C file first */
    size_t sample_count;
    /* Made when first asked for. */
    struct build *referee;
    struct build **sample_build;
    struct match_game about;
};

struct gamebook {
    struct gamebook_entry *entry; /* by name */
    size_t count;
};

/* $BOUT_GAMES, or beside the program: ../runner/games in the tree, games
 * when installed. To be freed; NULL: ERR_MISSING. */
char *gamebook_folder(struct err *err);

/* Where games that `bout games add` took are: DATA/games of the service, DATA
 * as data_folder.h finds it. To be freed; NULL: ERR_INPUT. */
char *gamebook_added_folder(struct err *err);

/* A game that is in a folder of that name, wherever it lies. Kinds of errors as
 * by gamebook_referee; ERR_INPUT where it is none. entry is released by
 * gamebook_entry_release. */
int gamebook_open(struct gamebook_entry *entry, const char *folder,
                  struct err *err);
void gamebook_entry_release(struct gamebook_entry *entry);

/* Reads which games there are, of the program and added; of two of a name the
 * program's. Builds nothing. */
int gamebook_read(struct gamebook *book, struct err *err);
void gamebook_release(struct gamebook *book);
#define auto_gamebook __attribute__((cleanup(gamebook_release)))

/* ERR_MISSING with the names that there are. Borrowed. */
struct gamebook_entry *gamebook_get(struct gamebook *book, const char *name,
                                    struct err *err);

/* "2" or "2 to 4": how many bots it is for. Returns `to`. */
const char *gamebook_slots(const struct match_game *about, char *to,
                           size_t size);

/* The referee's build, borrowed; entry->about is filled. */
struct build *gamebook_referee(struct gamebook_entry *entry,
                               struct zygote *zygote, struct err *err);

/* Sample bot `at`'s build, borrowed. */
struct build *gamebook_sample(struct gamebook_entry *entry, size_t at,
                              struct err *err);

/* The referee of `game` whose build hash is `version`: from where builds are
 * kept, else what is installed, if it is that version. build_free it. NULL:
 * ERR_MISSING. */
struct build *gamebook_version(const char *game, const char *version,
                               struct err *err);
