#include "api/http/disk.h"

#include "api/http/request.h"
#include "api/http/route.h"
#include "runner/base/cleanup.h"
#include "runner/base/log.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

struct disk {
    struct disk_spec spec;
    char *folder;
    unsigned logged; /* disk_look's: level and trouble, last said */
    atomic_uint level;
    atomic_bool read_only;
    atomic_uint used_permille;
};

int disk_read_levels(unsigned percent[DISK_LEVELS], const char *text,
                     struct err *err)
{
    unsigned long least = 1;
    const char *at = text;

    for (size_t i = 0; i < DISK_LEVELS; i++) {
        char *end;
        unsigned long value = strtoul(at, &end, 10);
        if (end == at || value < least || value > 100 ||
            *end != (i + 1 < DISK_LEVELS ? ',' : '\0'))
            return err_set(err, ERR_INPUT,
                           "it is three rising percentages as 80,90,95, not %s",
                           text);
        percent[i] = (unsigned)value;
        least = value;
        at = end + 1;
    }
    return 0;
}

struct disk *disk_new(const struct disk_spec *spec)
{
    struct disk *disk = mem_calloc(1, sizeof *disk);

    disk->spec = *spec;
    disk->folder = mem_dup_str(spec->folder);
    return disk;
}

void disk_free(struct disk *disk)
{
    if (!disk)
        return;
    free(disk->folder);
    free(disk);
}

/* ---- looking --------------------------------------------------------------
 */

/* As df(1) reckons: of what is not root's alone. */
static double used_share(const struct statvfs *fs, int64_t free_bytes)
{
    double used = (double)(fs->f_blocks - fs->f_bfree);
    double all = used + (double)fs->f_bavail;

    used -= (double)free_bytes / (double)fs->f_frsize;
    return all > 0 && used > 0 ? used / all : 0;
}

static void say_changes(struct disk *disk)
{
    struct disk_state state;

    disk_state(disk, &state);
    unsigned now = (unsigned)state.level * 2 + state.failing;
    if (now == disk->logged)
        return;
    log_line(now > disk->logged ? LOG_ALARM : LOG_INFO, "disk",
             "%s: %.1f %% used: %s", disk->folder, state.used * 100,
             state.reason ? state.reason : "there is room again");
    disk->logged = now;
}

void disk_look(struct disk *disk, int64_t free_in_database_bytes)
{
    struct statvfs fs;
    unsigned level = DISK_FINE;

    if (statvfs(disk->folder, &fs) < 0) {
        log_line(LOG_ALARM, "disk", "%s: %s", disk->folder,
                 strerrordesc_np(errno));
        return;
    }
    double used = used_share(&fs, free_in_database_bytes);
    while (level < DISK_LEVELS &&
           used * 100 >= (double)disk->spec.percent[level])
        level++;
    atomic_store(&disk->level, level);
    atomic_store(&disk->used_permille, (unsigned)(used * 1000));
    atomic_store(&disk->read_only, (fs.f_flag & ST_RDONLY) != 0);
    say_changes(disk);
}

/* ---- how it stands --------------------------------------------------------
 */

void disk_state(const struct disk *disk, struct disk_state *state)
{
    static const char *const reason[] = {
        [DISK_FINE] = NULL,
        [DISK_LOW] = "the disk is filling up: the ladder rests",
        [DISK_TIGHT] = "the disk is nearly full: the ladder rests and batches "
                       "are refused",
        [DISK_FULL] = "the disk is full: nothing is stored or played",
    };

    *state = (struct disk_state){0};
    if (!disk)
        return;
    enum err_kind trouble = writer_trouble(disk->spec.writer);
    state->level = (enum disk_level)atomic_load(&disk->level);
    state->used = (double)atomic_load(&disk->used_permille) / 1000;
    state->reason = reason[state->level];
    if (trouble == ERR_FULL) {
        state->level = DISK_FULL;
        state->failing = true;
        state->reason = reason[DISK_FULL];
    } else if (trouble == ERR_DISK || atomic_load(&disk->read_only)) {
        state->level = DISK_FULL;
        state->failing = true;
        state->takes_none = true;
        state->reason = "the disk takes no writes: nothing is stored or played";
    }
}

bool disk_has_room_for_ladder(const struct disk *disk)
{
    struct disk_state state;

    disk_state(disk, &state);
    return state.level < DISK_LOW;
}

bool disk_has_room_for_matches(const struct disk *disk)
{
    struct disk_state state;

    disk_state(disk, &state);
    return state.level < DISK_FULL;
}

/* ---- requests -------------------------------------------------------------
 */

bool disk_allows(struct request *request)
{
    static const unsigned refused_from[] = {
        [ROOM_NONE] = DISK_LEVELS + 1,
        [ROOM_SOME] = DISK_FULL,
        [ROOM_MUCH] = DISK_TIGHT,
    };
    struct disk_state state;

    disk_state(request->service->disk, &state);
    if (state.level < refused_from[request->route->room])
        return true;
    const struct err err = {.kind = state.takes_none ? ERR_DISK : ERR_FULL};
    reply_err(&request->reply, &err);
    return false;
}
