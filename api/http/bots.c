/* bots: versions of bots, entered, listed, shown and activated. */
#include "api/http/bots.h"

#include "api/http/cursor.h"
#include "api/http/games.h"
#include "api/http/people.h"
#include "api/http/quota.h"
#include "api/http/resources.h"
#include "db/bots.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/build/build.h"
#include "runner/build/source.h"

#include <microhttpd.h>
#include <string.h>

static void bots_add_private(json_t *document, const struct bot *bot)
{
    json_t *diagnostics =
        bot->diagnostics ? json_loads(bot->diagnostics, 0, NULL) : NULL;

    json_object_set_new(document, "diagnostics",
                        diagnostics ? diagnostics : json_array());
    json_object_set_new(document, "build", reply_string(bot->build_hash));
    json_object_set_new(document, "fingerprint",
                        reply_string(bot->fingerprint));
    json_object_set_new(document, "notes", reply_string(bot->notes));
    json_object_set_new(document, "reason", reply_string(bot->reason));
    json_object_set_new(document, "forked_from",
                        bot->forked_from ? json_integer(bot->forked_from)
                                         : json_null());
}

/* What this client may see of a version. */
static json_t *bots_document(const struct request *request,
                             const struct bot *bot)
{
    json_t *document = json_pack(
        "{s:I, s:o, s:o, s:i, s:o, s:s, s:b, s:o, s:o, s:o}", "id",
        (json_int_t)bot->id, "name", reply_string(bot->name), "game",
        reply_string(bot->game), "version", (int)bot->version, "owner",
        reply_string(bot->owner), "status", bot_status_text(bot->status),
        "active", (int)bot->active, "created", reply_time(bot->created_ns),
        "decided", reply_time(bot->decided_ns), "queue_position",
        bot->queue_position ? json_integer(bot->queue_position) : json_null());

    json_object_set_new(document, "queue_age_s",
                        bot->queue_position ? reply_age(bot->created_ns)
                                            : json_null());
    json_object_set_new(document, "kept", json_boolean(!bot->dropped_ns));
    if (request_sees(request, bot->owner_id))
        bots_add_private(document, bot);
    return document;
}

int bots_get(struct request *request, struct db *db, struct bot *bot,
             struct err *err)
{
    int found = bot_find(db, request->id, bot, err);

    if (found == 0)
        reply_problem(&request->reply, MHD_HTTP_NOT_FOUND, "not_found",
                      "there is no bot %lld", (long long)request->id);
    return found;
}

int bots_get_own(struct request *request, struct db *db, struct bot *bot,
                 const char *what, struct err *err)
{
    int found = bots_get(request, db, bot, err);

    if (found <= 0)
        return found;
    if (request_must_own(request, bot->owner_id, what))
        return 1;
    bot_release(bot);
    return 0;
}

int bots_answer(struct request *request, struct db *db, int64_t id,
                unsigned status, struct err *err)
{
    struct bot bot = {0};

    if (bot_find(db, id, &bot, err) <= 0)
        return -1;
    request->reply.location = mem_format("/v1/bots/%lld", (long long)id);
    reply_json(&request->reply, status, bots_document(request, &bot));
    bot_release(&bot);
    return HANDLED_REPLY;
}

int bots_show(struct request *request, struct db *db, struct err *err)
{
    struct bot bot = {0};
    int found = bots_get(request, db, &bot, err);
    int result = HANDLED_REPLY;

    if (found <= 0)
        return found;
    if (bot.status < BOT_READY)
        result = request_wait(request, bot.id);
    if (result == HANDLED_REPLY)
        reply_json(&request->reply, MHD_HTTP_OK, bots_document(request, &bot));
    request->reply.cache = REPLY_REVALIDATE;
    bot_release(&bot);
    return result;
}

/* ---- the list ----------------------------------------------------------- */

static int bots_read_filter(struct request *request, struct db *db,
                            struct bot_filter *filter, struct err *err)
{
    const char *status = uri_query(&request->uri, "status");
    const char *active = uri_query(&request->uri, "active");

    filter->game = uri_query(&request->uri, "game");
    filter->name = uri_query(&request->uri, "name");
    filter->active = active && strcmp(active, "false") != 0;
    filter->status = status ? bot_status_parse(status) : BOT_STATUS_COUNT;
    if (filter->game && !games_must_find(request, filter->game))
        return 0;
    if (status && filter->status == BOT_STATUS_COUNT) {
        reply_invalid(&request->reply, "status", "is not a bot's status");
        return reply_invalid_query(&request->reply);
    }
    return users_read_owner(request, db, &filter->owner_id, err);
}

int bots_list(struct request *request, struct db *db, struct err *err)
{
    struct bot_filter filter = {0};
    struct bot_list list = {0};
    struct cursor cursor;
    uint32_t limit;

    if (cursor_read(request, CURSOR_MOST, &cursor, &limit, err) < 0)
        return -1;
    int fine = bots_read_filter(request, db, &filter, err);
    if (fine <= 0)
        return fine;
    if (bot_list(db, &filter, cursor.key[0], limit, &list, err) < 0)
        return -1;
    json_t *items = json_array();
    for (size_t i = 0; i < list.count; i++)
        json_array_append_new(items, bots_document(request, &list.row[i]));
    if (list.count)
        cursor.key[0] = list.row[list.count - 1].id;
    cursor_reply(request, items, list.more ? &cursor : NULL);
    bot_list_release(&list);
    return HANDLED_REPLY;
}

/* ---- entering ----------------------------------------------------------- */

/* A plain field of the form as a text, or NULL; noted if missing. */
static char *bots_form_text(struct request *request, const char *name)
{
    const struct multipart_part *part = multipart_find(&request->form, name);

    if (!part) {
        reply_invalid(&request->reply, name, "is missing");
        return NULL;
    }
    if (memchr(part->bytes, '\0', part->size) ||
        !uri_is_utf8(part->bytes, part->size)) {
        reply_invalid(&request->reply, name, "is not text");
        return NULL;
    }
    return mem_dup(part->bytes, part->size);
}

static bool bots_part_is_known(const char *name)
{
    return !strcmp(name, "name") || !strcmp(name, "game") ||
           !strcmp(name, "source") || !strcmp(name, "notes");
}

/* `-F source=first.c` sends the name and not the file. */
static bool bots_is_a_name(const struct multipart_part *part)
{
    static const char *const endings[] = {".c",   ".cc", ".cpp",
                                          ".zip", ".gz", ".zst"};

    if (part->filename || part->size > 255 || part->size < 2 ||
        memchr(part->bytes, '\n', part->size))
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t end = strlen(endings[i]);
        if (part->size > end &&
            !memcmp(part->bytes + part->size - end, endings[i], end))
            return true;
    }
    return false;
}

/* Files of the form, their paths checked. ERR_TOO_BIG over the caps; all else
 * that is wrong is noted. */
static int bots_form_source(struct request *request,
                            struct build_source *source, struct err *err)
{
    for (size_t i = 0; i < request->form.count; i++) {
        const struct multipart_part *part = &request->form.part[i];
        struct err wrong;
        if (!bots_part_is_known(part->name))
            reply_invalid(&request->reply, part->name, "is not known here");
        if (strcmp(part->name, "source") != 0)
            continue;
        if (bots_is_a_name(part)) {
            reply_invalid(&request->reply, "source",
                          "is the name of a file and not the file: with curl "
                          "write -F source=@%.*s",
                          (int)part->size, part->bytes);
            continue;
        }
        if (build_source_add(source, part->filename ? part->filename : "bot.c",
                             part->bytes, part->size, &wrong) == 0)
            continue;
        if (wrong.kind != ERR_INPUT) {
            *err = wrong;
            return -1;
        }
        reply_invalid(&request->reply, "source", "%s", wrong.msg);
    }
    if (source->count == 0 && !request->reply.errors)
        reply_invalid(&request->reply, "source",
                      "is missing: one archive, or one part for each file, "
                      "with its filename");
    for (size_t i = 0; source->count > 1 && i < source->count; i++)
        if (source_is_archive(source->file[i].path))
            reply_invalid(&request->reply, "source",
                          "%s: an archive must come alone",
                          source->file[i].path);
    return 0;
}

static void bots_check_names(struct request *request, const char *name,
                             const char *game)
{
    struct err wrong;

    if (name && name_check(name, "a bot name", &wrong) < 0)
        reply_invalid(&request->reply, "name", "%s", wrong.msg);
    if (game && !games_find(request->service->games, game))
        reply_invalid(&request->reply, "game",
                      "is not played here; GET /v1/games lists what is");
}

int bots_enter(struct request *request, struct db *db,
               const struct bot_spec *spec, struct err *err)
{
    int64_t id;
    int fine = quota_must(request, db, QUOTA_UPLOADS, 1, err);

    if (fine <= 0)
        return fine;
    if (bot_add(db, spec, &id, err) < 0 ||
        (!request_is_admin(request) &&
         quota_keep(db, id, spec->owner_id, spec->now_ns, err) < 0))
        return -1;
    return bots_answer(request, db, id, MHD_HTTP_ACCEPTED, err);
}

static int bots_insert(struct request *request, struct db *db,
                       const struct build_source *source,
                       const struct bot_spec *names, struct err *err)
{
    struct bot_file *file = mem_calloc(source->count, sizeof *file);
    struct bot_spec spec = *names;

    for (size_t i = 0; i < source->count; i++)
        file[i] = (struct bot_file){.path = source->file[i].path,
                                    .bytes = source->file[i].bytes,
                                    .size = source->file[i].size};
    spec.file = file;
    spec.file_count = source->count;
    int result = bots_enter(request, db, &spec, err);
    free(file);
    return result;
}

int bots_add(struct request *request, struct db *db, struct err *err)
{
    auto_free char *name = bots_form_text(request, "name");
    auto_free char *game = bots_form_text(request, "game");
    auto_free char *notes = multipart_find(&request->form, "notes")
                                ? bots_form_text(request, "notes")
                                : NULL;
    struct build_source source = {0};
    int result = bots_form_source(request, &source, err);

    if (result == 0 && (request->user.role == ROLE_JUDGE ||
                        request->user.role == ROLE_OBSERVER)) {
        build_source_release(&source);
        return reply_problem(&request->reply, MHD_HTTP_FORBIDDEN, "no_bots",
                             "who sees the bots of all enters none");
    }
    bots_check_names(request, name, game);
    if (notes && strlen(notes) > BOTS_NOTES_MAX)
        reply_invalid(&request->reply, "notes", "has more than %d bytes",
                      BOTS_NOTES_MAX);
    if (result == 0 && request->reply.errors) {
        result = reply_invalid_body(&request->reply);
    } else if (result == 0) {
        const struct bot_spec names = {.owner_id = request->user.id,
                                       .name = name,
                                       .game = game,
                                       .notes = notes,
                                       .now_ns = clock_wall_ns()};
        result = bots_insert(request, db, &source, &names, err);
    }
    build_source_release(&source);
    return result;
}

int bots_activate(struct request *request, struct db *db, struct err *err)
{
    struct bot bot = {0};
    int found = bots_get(request, db, &bot, err);

    if (found <= 0)
        return found;
    bool owns = request_must_own(request, bot.owner_id,
                                 "choose the version that plays");
    bot_release(&bot);
    if (!owns)
        return HANDLED_REPLY;
    if (bot_activate(db, request->id, err) < 0)
        return -1;
    return bots_answer(request, db, request->id, MHD_HTTP_OK, err);
}

/* ---- the source --------------------------------------------------------- */

static int bots_list_files(struct request *request,
                           const struct bot_files *files)
{
    json_t *items = json_array();

    for (size_t i = 0; i < files->count; i++)
        json_array_append_new(
            items,
            json_pack("{s:o, s:I}", "path", reply_string(files->file[i].path),
                      "bytes", (json_int_t)files->file[i].size));
    return reply_json(&request->reply, MHD_HTTP_OK,
                      json_pack("{s:o, s:n}", "items", items, "next"));
}

static int bots_answer_file(struct request *request,
                            const struct bot_file *file)
{
    const char *slash = strrchr(file->path, '/');
    struct buf bytes = {0};

    buf_add(&bytes, file->bytes, file->size);
    /* A checked path may still hold a quote. */
    char *base = mem_dup_str(slash ? slash + 1 : file->path);
    for (char *c = base; *c; c++)
        if (*c == '"' || *c == '\\' || (unsigned char)*c >= 0x80)
            *c = '_';
    request->reply.disposition =
        mem_format("attachment; filename=\"%s\"", base);
    free(base);
    reply_bytes(&request->reply, "text/x-c; charset=utf-8", &bytes);
    /* An archive's files take its place once it is unpacked. */
    request->reply.cache = source_is_archive(file->path)
                               ? REPLY_REVALIDATE
                               : REPLY_IMMUTABLE_PRIVATE;
    return HANDLED_REPLY;
}

static int bots_choose_file(struct request *request,
                            const struct bot_files *files)
{
    const char *path = uri_query(&request->uri, "path");

    if (!path && files->count != 1)
        return bots_list_files(request, files);
    for (size_t i = 0; i < files->count; i++)
        if (!path || !strcmp(files->file[i].path, path))
            return bots_answer_file(request, &files->file[i]);
    return reply_problem(&request->reply, MHD_HTTP_NOT_FOUND, "not_found",
                         "this version has no file of that path");
}

int bots_source(struct request *request, struct db *db, struct err *err)
{
    struct bot_files files = {0};
    struct bot bot = {0};
    int found = bots_get(request, db, &bot, err);

    if (found <= 0)
        return found;
    bool owns = request_must_see(request, bot.owner_id, "read its source");
    bool dropped = bot.dropped_ns != 0;
    bot_release(&bot);
    if (!owns)
        return HANDLED_REPLY;
    if (dropped)
        return reply_problem(&request->reply, MHD_HTTP_GONE, "dropped",
                             "the source of bot %lld is no longer kept",
                             (long long)request->id);
    if (bot_files(db, request->id, &files, err) < 0)
        return -1;
    int result = bots_choose_file(request, &files);
    bot_files_release(&files);
    return result;
}
