#include "api/http/library.h"

#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/build/build.h"

#include <pthread.h>

#define LIBRARY_MAX_BYTES ((size_t)64 << 20)

struct library {
    pthread_mutex_t lock; /* over blocks being read */
    json_t *blocks;       /* NULL until asked for; then unchanged */
};

struct library *library_new(void)
{
    struct library *library = mem_calloc(1, sizeof *library);

    pthread_mutex_init(&library->lock, NULL);
    return library;
}

void library_free(struct library *library)
{
    if (!library)
        return;
    json_decref(library->blocks);
    pthread_mutex_destroy(&library->lock);
    free(library);
}

int library_read_text(struct buf *text, struct err *err)
{
    auto_free char *folder = build_library_folder(err);

    if (!folder)
        return -1;
    auto_free char *path = mem_format("%s/blocks.json", folder);
    return io_read_file(path, LIBRARY_MAX_BYTES, text, err);
}

static json_t *library_read(struct err *err)
{
    auto_buf struct buf text = {0};
    json_error_t error;

    if (library_read_text(&text, err) < 0)
        return NULL;
    json_t *blocks = json_loadb(text.data, text.size, 0, &error);
    if (!blocks)
        err_set(err, ERR_SYSTEM, "the library's blocks.json: line %d: %s",
                error.line, error.text);
    return blocks;
}

const json_t *library_blocks(struct library *library, struct err *err)
{
    pthread_mutex_lock(&library->lock);
    if (!library->blocks)
        library->blocks = library_read(err);
    const json_t *blocks = library->blocks;
    pthread_mutex_unlock(&library->lock);
    return blocks;
}
