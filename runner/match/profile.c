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
        profile_add_blocks(profile, turn[i].blocks.data, turn[i].blocks.size);
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

/* A slot's profile with what it borrows. */
struct slot_profile {
    struct profile *profile;
    json_t *library;
};

static int save_slot(const struct profile *profile, unsigned slot,
                     const char *folder, struct err *err)
{
    for (int f = 0; f < PROFILE_FORMAT_COUNT; f++) {
        enum profile_format format = (enum profile_format)f;
        auto_free char *path = mem_format("%s/slot-%u.%s", folder, slot,
                                          profile_format_ending(format));
        if (save_format(profile, format, path, err) < 0)
            return -1;
    }
    return 0;
}

static int save_trace(const struct slot_profile *of, unsigned slots,
                      const char *folder, struct err *err)
{
    const struct profile *all[MATCH_MAX_SLOTS];
    auto_free char *path = mem_format("%s/match.trace.json", folder);
    auto_buf struct buf out = {0};

    for (unsigned i = 0; i < slots; i++)
        all[i] = of[i].profile;
    profile_write_trace(all, slots, &out);
    return io_write_file(path, out.data, out.size, 0644, err);
}

int match_profile_save(const struct match_spec *spec, const struct match *match,
                       const char *folder, struct err *err)
{
    struct slot_profile of[MATCH_MAX_SLOTS] = {0};
    int status = 0;

    for (unsigned slot = 0; slot < spec->slots && status == 0; slot++) {
        of[slot].profile =
            match_profile_new(spec->bot[slot], &of[slot].library, err);
        if (!of[slot].profile) {
            status = err_wrap(err, "profile of slot %u", slot);
            break;
        }
        match_profile_add(of[slot].profile, match->turn, match->turn_count,
                          slot);
        profile_set_turn_soft(of[slot].profile, spec->limits.turn_soft);
        status = save_slot(of[slot].profile, slot, folder, err);
    }
    if (status == 0)
        status = save_trace(of, spec->slots, folder, err);
    for (unsigned slot = 0; slot < spec->slots; slot++) {
        profile_free(of[slot].profile);
        json_decref(of[slot].library);
    }
    return status;
}
