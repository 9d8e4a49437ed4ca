/* bots_change: a version forked, given notes, suspended, let play again. */
#include "api/http/bots.h"
#include "api/http/fields.h"
#include "api/http/resources.h"
#include "db/settings.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"

#include <microhttpd.h>
#include <string.h>

#define BOTS_REASON_MAX 500

/* A text of at most `most` bytes, or NULL. */
static const char *bots_read_text(struct fields *fields, const char *name,
                                  bool required, size_t most)
{
    const char *text = fields_text(fields, name, required);

    if (text && strlen(text) > most)
        fields_invalid(fields, name, "has more than %zu bytes", most);
    return text;
}

int bots_note(struct request *request, struct db *db, struct err *err)
{
    struct bot bot = {0};
    struct fields fields;
    int found = bots_get_own(request, db, &bot, "write its notes", err);

    if (found <= 0)
        return found;
    bot_release(&bot);
    fields_init(&fields, request);
    const char *notes = bots_read_text(&fields, "notes", true, BOTS_NOTES_MAX);
    if (!fields_end(&fields))
        return HANDLED_REPLY;
    if (bot_set_notes(db, request->id, notes, err) < 0)
        return -1;
    return bots_answer(request, db, request->id, MHD_HTTP_OK, err);
}

/* ---- forks ----------------------------------------------------------------
 */

static int bots_fork_of(struct request *request, struct db *db,
                        const struct bot *bot, struct err *err)
{
    struct bot_files files = {0};
    struct fields fields;
    struct err wrong;

    fields_init(&fields, request);
    const char *name = fields_text(&fields, "name", false);
    const char *notes = bots_read_text(&fields, "notes", false, BOTS_NOTES_MAX);
    if (name && name_check(name, "a bot name", &wrong) < 0)
        fields_invalid(&fields, "name", "%s", wrong.msg);
    if (!fields_end(&fields))
        return HANDLED_REPLY;
    if (bot->dropped_ns)
        return reply_problem(&request->reply, MHD_HTTP_GONE, "dropped",
                             "the source of bot %lld is no longer kept",
                             (long long)bot->id);
    if (bot_files(db, bot->id, &files, err) < 0)
        return -1;
    const struct bot_spec spec = {.owner_id = request->user.id,
                                  .name = name ? name : bot->name,
                                  .game = bot->game,
                                  .file = files.file,
                                  .file_count = files.count,
                                  .notes = notes,
                                  .forked_from = bot->id,
                                  .now_ns = clock_wall_ns()};
    int result = bots_enter(request, db, &spec, err);
    bot_files_release(&files);
    return result;
}

int bots_fork(struct request *request, struct db *db, struct err *err)
{
    struct bot bot = {0};
    int found = bots_get_own(request, db, &bot, "fork it", err);

    if (found <= 0)
        return found;
    int result = bots_fork_of(request, db, &bot, err);
    bot_release(&bot);
    return result;
}

/* ---- judges ----------------------------------------------------------------
 */

static int bots_note_act(struct request *request, struct db *db,
                         const char *action, const char *reason,
                         struct err *err)
{
    auto_free char *subject = mem_format("bot %lld%s%s", (long long)request->id,
                                         *reason ? ": " : "", reason);

    return audit_add(db, request->user.id, action, subject, clock_wall_ns(),
                     err);
}

int bots_suspend(struct request *request, struct db *db, struct err *err)
{
    struct bot bot = {0};
    struct fields fields;
    int found = bots_get(request, db, &bot, err);

    if (found <= 0)
        return found;
    bot_release(&bot);
    fields_init(&fields, request);
    const char *reason =
        bots_read_text(&fields, "reason", true, BOTS_REASON_MAX);
    if (!fields_end(&fields))
        return HANDLED_REPLY;
    if (bot_suspend(db, request->id, reason, err) < 0 ||
        bots_note_act(request, db, "bot.suspend", reason, err) < 0)
        return -1;
    return bots_answer(request, db, request->id, MHD_HTTP_OK, err);
}

int bots_resume(struct request *request, struct db *db, struct err *err)
{
    struct bot bot = {0};
    int found = bots_get(request, db, &bot, err);

    if (found <= 0)
        return found;
    bot_release(&bot);
    if (bot_resume(db, request->id, err) < 0 ||
        bots_note_act(request, db, "bot.resume", "", err) < 0)
        return -1;
    return bots_answer(request, db, request->id, MHD_HTTP_OK, err);
}
