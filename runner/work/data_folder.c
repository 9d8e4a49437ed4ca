#include "runner/work/data_folder.h"

#include "db/tokens.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/base/io.h"

#include <stdlib.h>
#include <string.h>

char *data_folder(const char *given, struct err *err)
{
    // NOLINTBEGIN(concurrency-mt-unsafe): asked before there is a thread
    const char *data = given ? given : getenv("BOUT_DATA");
    const char *xdg = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");
    // NOLINTEND(concurrency-mt-unsafe)

    if (data && *data)
        return mem_dup_str(data);
    if (xdg && *xdg)
        return mem_format("%s/bout", xdg);
    if (home && *home)
        return mem_format("%s/.local/share/bout", home);
    err_set(err, ERR_INPUT, "there is no HOME: give --data DIR or BOUT_DATA");
    return NULL;
}

char *data_folder_database(const char *folder)
{
    return mem_format("%s/bout.db", folder);
}

static char *data_folder_token(const char *folder)
{
    return mem_format("%s/admin.token", folder);
}

bool data_folder_has_token(const char *folder)
{
    auto_free char *path = data_folder_token(folder);

    return io_exists(path);
}

int data_folder_add_token(const char *folder, struct db *db, int64_t user_id,
                          struct err *err)
{
    char token[TOKEN_SIZE];
    uint8_t hash[HASH_BYTES];

    token_make(token, hash);
    if (token_add(db, user_id, hash, clock_wall_ns(), err) < 0)
        return -1;
    auto_free char *path = data_folder_token(folder);
    auto_free char *line = mem_format("%s\n", token);
    return io_write_file(path, line, strlen(line), 0600, err);
}
