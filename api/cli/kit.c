#include "api/cli/kit.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define KIT_NOTE_BYTES 65536

/* The note in the folder, or beside the file. To be freed. */
static char *note_path(const char *bot)
{
    struct stat found;
    const char *slash = strrchr(bot, '/');

    if (stat(bot, &found) == 0 && S_ISDIR(found.st_mode))
        return mem_format("%s/" KIT_NOTE, bot);
    if (!slash)
        return mem_dup_str(KIT_NOTE);
    return mem_format("%.*s/" KIT_NOTE, (int)(slash - bot), bot);
}

char *kit_game(const char *bot, struct err *err)
{
    auto_free char *path = note_path(bot);
    auto_buf struct buf bytes = {0};
    char *game = NULL;

    if (!io_exists(path)) {
        err_set(err, ERR_MISSING,
                "which game is it for? There is no %s (`bout new` writes it): "
                "say --game NAME",
                path);
        return NULL;
    }
    if (io_read_file(path, KIT_NOTE_BYTES, &bytes, err) < 0)
        return NULL;
    json_t *note =
        json_loadb(bytes.data ? bytes.data : "", bytes.size, 0, NULL);
    const char *name = json_string_value(json_object_get(note, "game"));
    if (name)
        game = mem_dup_str(name);
    else
        err_set(err, ERR_INPUT, "%s: not a JSON object with \"game\"", path);
    json_decref(note);
    return game;
}

const char *kit_percent(double number, double of, char to[16])
{
    double percent = of > 0 ? number / of * 100 : 0;

    snprintf(to, 16, percent < 10 ? "%.1f %%" : "%.0f %%", percent);
    return to;
}
