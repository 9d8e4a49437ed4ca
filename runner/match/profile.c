#include "runner/match/profile.h"

#include "runner/base/cleanup.h"
#include "runner/base/io.h"

struct profile *match_profile_new(const struct build *build, json_t **library,
                                  struct err *err)
{
    auto_free char *folder = build_library_folder(err);
    json_error_t why;

    if (!folder)
        return NULL;
    auto_free char *path = mem_format("%s/blocks.json", folder);
    json_t *blocks = json_load_file(path, 0, &why);
    if (!blocks) {
        err_set(err, ERR_SYSTEM, "%s: %s", path, why.text);
        return NULL;
    }
    struct profile *profile =
        profile_new(build->blocks, blocks, build->layout, err);
    if (!profile) {
        json_decref(blocks);
        return NULL;
    }
    for (size_t i = 0; i < build->source.count; i++) {
        const struct build_file *file = &build->source.file[i];
        profile_set_source(profile, file->path, file->bytes, file->size);
    }
    *library = blocks;
    return profile;
}

void match_profile_add(struct profile *profile, const struct match_turn *turn,
                       size_t count, unsigned slot)
{
    const uint64_t *before = NULL;

    for (size_t i = 0; i < count; i++) {
        if (turn[i].slot != slot || !turn[i].counters)
            continue;
        profile_add_turn(profile, turn[i].turn, slot, before, turn[i].counters);
        before = turn[i].counters;
    }
}

static int save_format(const struct profile *profile,
                       enum profile_format format, const char *path,
                       struct err *err)
{
    auto_buf struct buf out = {0};

    if (profile_write(profile, format, &out, err) < 0)
        return -1;
    return io_write_file(path, out.data ? out.data : "", out.size, 0644, err);
}

int match_profile_save(const struct match_spec *spec, const struct match *match,
                       unsigned slot, const char *folder, struct err *err)
{
    static const struct {
        enum profile_format format;
        const char *ending;
    } files[] = {
        {PROFILE_TEXT, "txt"},
        {PROFILE_JSON, "json"},
        {PROFILE_CSV, "csv"},
    };
    json_t *library = NULL;
    struct profile *profile = match_profile_new(spec->bot[slot], &library, err);
    int status = 0;

    if (!profile)
        return err_wrap(err, "profile of slot %u", slot);
    match_profile_add(profile, match->turn, match->turn_count, slot);
    for (size_t i = 0; i < sizeof files / sizeof *files && status == 0; i++) {
        auto_free char *path =
            mem_format("%s/slot-%u.%s", folder, slot, files[i].ending);
        status = save_format(profile, files[i].format, path, err);
    }
    profile_free(profile);
    json_decref(library);
    return status;
}
