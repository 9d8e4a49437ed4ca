#include "runner/build/unpack.h"

#include "runner/base/cleanup.h"
#include "runner/base/log.h"
#include "runner/build/diagnostics.h"
#include "runner/build/source.h"
#include "runner/build/toolchain.h"
#include "runner/build/workbox.h"

#include <stdlib.h>
#include <string.h>

#define UNPACK_CPU_NS 10000000000u
#define UNPACK_WALL_NS 120000000000u
#define UNPACK_MEMORY_BYTES (512u << 20)
#define UNPACK_WORK_BYTES (32u << 20)

static int run_unpack(const void *bytes, size_t size, struct workbox *box,
                      struct err *err)
{
    auto_free char *tool = toolchain_unpack(err);
    const char *const argv[] = {"../unpack", "archive", "../out", NULL};

    if (!tool)
        return -1;
    const struct workbox_mount mount = {"unpack", tool};
    const struct workbox_input input = {"archive", bytes, size};
    const struct workbox_spec spec = {
        .name = "bout-unpack",
        .argv = argv,
        .mount = &mount,
        .mount_count = 1,
        .input = &input,
        .input_count = 1,
        .cpu_ns = UNPACK_CPU_NS,
        .wall_ns = UNPACK_WALL_NS,
        .memory_bytes = UNPACK_MEMORY_BYTES,
        .work_bytes = UNPACK_WORK_BYTES,
    };
    return workbox_run(&spec, box, err);
}

/* What the box's end says of the archive; 0 if it was read. */
static int judge(const struct workbox *box, const char *name, struct err *err)
{
    size_t size = box->out.data ? strcspn(box->out.data, "\n") : 0;

    if (box->end == WORKBOX_STARVED)
        return err_set(err, ERR_BUSY, "bout-unpack: the machine is too busy");
    if (box->end == WORKBOX_OVER_TIME)
        return err_set(err, ERR_INPUT,
                       "%s: took more than %u seconds of processor time to "
                       "unpack",
                       name, (unsigned)(UNPACK_CPU_NS / 1000000000u));
    if (box->end == WORKBOX_EXITED && box->code == 0)
        return 0;
    if (box->end == WORKBOX_EXITED && box->code == 1 && size > 0) {
        auto_free char *why = diagnostics_utf8(box->out.data, size);
        return err_set(err, ERR_INPUT, "%s: %.180s", name, why);
    }
    log_line(LOG_ALARM, "build", "bout-unpack failed: %s %d: %.*s",
             box->end == WORKBOX_SIGNALLED ? "signal" : "exit code", box->code,
             box->log.data ? (int)strcspn(box->log.data, "\n") : 0,
             box->log.data ? box->log.data : "");
    return err_set(err, ERR_INPUT,
                   "%s: the program that unpacks archives failed on it, or "
                   "needed more than %u MiB of memory; pack it another way",
                   name, UNPACK_MEMORY_BYTES >> 20);
}

static int add_listed(struct build_source *source, const json_t *list,
                      const struct buf *bytes, struct err *err)
{
    size_t used = 0;

    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        const char *path = json_string_value(json_array_get(entry, 0));
        const json_t *number = json_array_get(entry, 1);
        json_int_t size = json_integer_value(number);

        if (!path || !json_is_integer(number) || size < 0 ||
            (uint64_t)size > bytes->size - used)
            return err_set(err, ERR_INPUT, "its list of files is damaged");
        if (build_source_add(source, path,
                             bytes->data ? bytes->data + used : "",
                             (size_t)size, err) < 0)
            return -1;
        used += (size_t)size;
    }
    if (used != bytes->size || source->count == 0)
        return err_set(err, ERR_INPUT, "its list of files is not whole");
    return 0;
}

/* The box held a stranger's archive: what it wrote is a stranger's as well. */
static int take_files(struct build_source *source, const struct workbox *box,
                      struct err *err)
{
    auto_buf struct buf text = {0};
    auto_buf struct buf bytes = {0};
    int got = workbox_read(box, UNPACK_LIST, 1u << 20, &text, err);

    if (got == 1)
        got = workbox_read(box, UNPACK_BYTES, SOURCE_MAX_BYTES, &bytes, err);
    if (got < 0)
        return -1;
    if (got == 0)
        return err_set(err, ERR_INPUT, "its files were not written");
    json_t *list = json_loadb(text.data ? text.data : "", text.size, 0, NULL);
    int result = json_is_array(list)
                     ? add_listed(source, list, &bytes, err)
                     : err_set(err, ERR_INPUT, "its list of files is damaged");
    json_decref(list);
    return result;
}

int unpack_archive(struct build_source *source, const char *name,
                   const void *bytes, size_t size, struct err *err)
{
    auto_workbox struct workbox box = {.out_fd = -1};
    struct build_source found = {0};

    if (run_unpack(bytes, size, &box, err) < 0 || judge(&box, name, err) < 0)
        return -1;
    if (take_files(&found, &box, err) < 0) {
        build_source_release(&found);
        return err_wrap(err, "%s", name);
    }
    build_source_release(source);
    *source = found;
    return 0;
}

int unpack_source(struct build_source *source, struct err *err)
{
    if (source->count != 1 || !source_is_archive(source->file[0].path))
        return 0;
    const struct build_file *file = &source->file[0];
    struct build_source found = {0};

    if (unpack_archive(&found, file->path, file->bytes, file->size, err) < 0)
        return -1;
    build_source_release(source);
    *source = found;
    return 1;
}
