/* serve: the service in the foreground: HTTP, the writer, the dispatcher with
 * its workers. Parts start in the order of who needs whom and stop in the
 * reverse order: the HTTP side first, so that nothing new is promised. */
#include "api/cli/cli.h"
#include "api/cli/serve_games.h"
#include "api/cli/serve_options.h"
#include "api/http/library.h"
#include "api/http/server.h"
#include "api/http/webhook_send.h"
#include "db/bots.h"
#include "db/kept.h"
#include "db/users.h"
#include "profiler/profile.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/base/io.h"
#include "runner/base/log.h"
#include "runner/build/build.h"
#include "runner/build/toolchain.h"
#include "runner/jail/doctor.h"
#include "runner/jail/slot.h"
#include "runner/work/data_folder.h"

#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int cmd_serve(int argc, char **argv);

#define SERVE_NAME "serve"
#define SERVE_LARGE_BYTES 262144

struct serve {
    struct serve_options options;
    char *data;     /* folder */
    char *database; /* path */
    int lock_fd;
    int listen_fd;       /* taken before anything is made; then the server's */
    struct slots *slots; /* held, so that all workers find their home */
    struct metrics metrics;
    struct service service;
    struct dispatch_game *game;
    struct webhook_sender *webhooks;
    _Atomic(struct server *) server;
};

/* ---- the data folder ---------------------------------------------------- */

static int serve_find_data(struct serve *serve, struct err *err)
{
    serve->data = data_folder(serve->options.data, err);
    if (!serve->data)
        return -1;
    /* Workers, too, look there for the games that were added. */
    // NOLINTNEXTLINE(concurrency-mt-unsafe): there is no other thread yet
    if (setenv("BOUT_DATA", serve->data, 1) < 0)
        return err_sys(err, errno, "setenv");
    serve->database = data_folder_database(serve->data);
    serve->service.database = serve->database;
    return 0;
}

static int serve_lock_data(struct serve *serve, struct err *err)
{
    if (serve_find_data(serve, err) < 0 ||
        io_make_folders(serve->data, 0700, err) < 0)
        return -1;
    serve->lock_fd = db_lock(serve->data, err);
    return serve->lock_fd < 0 ? -1 : 0;
}

/* The first user is the admin. The token's file is written before the commit:
 * if that fails, the next start makes both anew. */
static int serve_add_admin(struct db *db, void *arg, struct err *err)
{
    const struct serve *serve = arg;
    struct user_list users = {0};
    int64_t id;

    if (user_list(db, 0, 1, &users, err) < 0)
        return -1;
    size_t count = users.count;
    user_list_release(&users);
    if (count > 0)
        return 0;
    if (user_add(db, "admin", ROLE_ADMIN, clock_wall_ns(), &id, err) < 0)
        return -1;
    if (data_folder_add_token(serve->data, db, id, err) < 0)
        return -1;
    log_line(LOG_INFO, "serve", "the admin's token is in %s/admin.token",
             serve->data);
    return 0;
}

/* Profiles of these matches need it when another toolchain is here. */
static int serve_keep_library(struct db *db, void *arg, struct err *err)
{
    const struct serve *serve = arg;
    auto_buf struct buf text = {0};

    if (library_read_text(&text, err) < 0)
        return -1;
    return kept_library_put(db, serve->service.fingerprint, text.data, err);
}

/* Builds of two toolchains cannot meet in a match. */
static int serve_rebuild(struct db *db, void *arg, struct err *err)
{
    const struct serve *serve = arg;
    unsigned count;

    if (bot_rebuild_outdated(db, serve->service.fingerprint, clock_wall_ns(),
                             &count, err) < 0)
        return -1;
    if (count)
        log_line(LOG_INFO, "serve",
                 "another toolchain than before: %u bots are built again from "
                 "their sources",
                 count);
    return 0;
}

static int serve_open_data(struct serve *serve, struct err *err)
{
    serve->service.writer = writer_open(serve->database, err);
    if (!serve->service.writer)
        return -1;
    if (writer_run(serve->service.writer, true, serve_add_admin, serve, err) <
        0)
        return err_wrap(err, "first start");
    if (writer_run(serve->service.writer, true, serve_rebuild, serve, err) < 0)
        return err_wrap(err, "builds of another toolchain");
    if (writer_run(serve->service.writer, true, serve_keep_library, serve,
                   err) < 0)
        return err_wrap(err, "the library's block table");
    return 0;
}

/* ---- start and stop ----------------------------------------------------- */

static void serve_changed(void *user, const char *what, int64_t id)
{
    struct serve *serve = user;
    struct server *server = atomic_load(&serve->server);

    if (server)
        server_changed(server, what, id);
}

static void serve_before_write(void)
{
    profile_begin_block("store");
}

/* After the signals are blocked, which its thread inherits. */
static void serve_start_profile(struct serve *serve)
{
    if (!serve->options.profile)
        return;
    serve->service.selfprofile = selfprofile_open();
    writer_watch(serve->service.writer, serve_before_write, profile_end_block);
}

static int serve_start_dispatch(struct serve *serve, struct err *err)
{
    const struct games *games = serve->service.games;

    serve->game = mem_calloc(games->count, sizeof *serve->game);
    for (size_t i = 0; i < games->count; i++)
        serve->game[i] =
            (struct dispatch_game){.name = games->row[i].name,
                                   .min_slots = games->row[i].min_slots,
                                   .max_slots = games->row[i].max_slots};
    const struct dispatch_spec spec = {
        .writer = serve->service.writer,
        .database = serve->database,
        .workers = serve->options.workers == SERVE_WORKERS_CORES
                       ? 0 /* one a core */
                       : (unsigned)serve->options.workers,
        .game = serve->game,
        .game_count = games->count,
        .selfprofile = serve->service.selfprofile,
        .disk = serve->service.disk,
        .suspend_after = (int64_t)serve->options.suspend_after,
        .ladder_per_s = (double)serve->options.ladder_rate / 60,
        .changed = serve_changed,
        .user = serve,
    };
    serve->service.dispatch = dispatch_start(&spec, err);
    return serve->service.dispatch ? 0 : -1;
}

static int serve_start_webhooks(struct serve *serve, struct err *err)
{
    const struct webhook_send_spec spec = {
        .database = serve->database,
        .writer = serve->service.writer,
        .disk = serve->service.disk,
        .private_too = serve->options.webhook_private,
    };

    serve->webhooks = webhook_send_start(&spec, err);
    return serve->webhooks ? 0 : -1;
}

static int serve_start_keeper(struct serve *serve, struct err *err)
{
    struct disk_spec disk = {.folder = serve->data,
                             .writer = serve->service.writer};

    memcpy(disk.percent, serve->options.disk_percent, sizeof disk.percent);
    serve->service.disk = disk_new(&disk);
    const struct keeper_spec spec = {
        .writer = serve->service.writer,
        .database = serve->database,
        .retention = serve->service.retention,
        .disk = serve->service.disk,
    };

    serve->service.keeper = keeper_start(&spec, err);
    return serve->service.keeper ? 0 : -1;
}

static int serve_start_server(struct serve *serve, struct err *err)
{
    const struct server_spec spec = {.service = &serve->service,
                                     .listen_fd = take_fd(&serve->listen_fd)};
    struct server *server = server_start(&spec, err);

    atomic_store(&serve->server, server);
    return server ? 0 : -1;
}

/* Before the first thread, which inherits it: only sigwait takes them. */
static void serve_block_signals(sigset_t *end)
{
    sigemptyset(end);
    sigaddset(end, SIGTERM);
    sigaddset(end, SIGINT);
    pthread_sigmask(SIG_BLOCK, end, NULL);
}

/* What the machine does not grant, in the doctor's words. */
static void serve_warn(const json_t *report, unsigned level)
{
    const json_t *check;
    size_t i;

    if (json_is_string(json_object_get(report, "next")))
        log_line(LOG_WARN, "serve", "jail level %u: %s", level,
                 json_string_value(json_object_get(report, "meaning")));
    json_array_foreach(json_object_get(report, "checks"), i, check) {
        if (!json_boolean_value(json_object_get(check, "ok")))
            log_line(LOG_WARN, "serve", "%s: %s",
                     json_string_value(json_object_get(check, "name")),
                     json_string_value(json_object_get(check, "detail")));
    }
}

/* What a bot is let loose in is known before the first one comes. */
static int serve_check_jail(const struct serve *serve, struct err *err)
{
    json_t *report;

    if (doctor_report(&report, err) < 0)
        return -1;
    uint64_t level =
        (uint64_t)json_integer_value(json_object_get(report, "level"));
    const char *next = json_string_value(json_object_get(report, "next"));
    int result = 0;

    if (level < serve->options.jail_level)
        result = err_set(err, ERR_SYSTEM,
                         "the jail reaches level %u here, --jail-level asks "
                         "for %u. %s",
                         (unsigned)level, (unsigned)serve->options.jail_level,
                         next ? next : "There is no such level.");
    else
        serve_warn(report, (unsigned)level);
    json_decref(report);
    return result;
}

/* Everything that needs no thread comes first, and the port before the data: a
 * start that fails leaves nothing behind. */
static int serve_start(struct serve *serve, sigset_t *end, struct err *err)
{
    struct service *service = &serve->service;

    serve->slots = slots_open();
    if (serve_check_jail(serve, err) < 0)
        return -1;
    serve->listen_fd =
        server_listen(serve->options.address, serve->options.port, err);
    if (serve->listen_fd < 0 || serve_lock_data(serve, err) < 0)
        return -1;
    service->games = serve_games_read(err);
    if (!service->games || build_fingerprint(service->fingerprint, err) < 0)
        return -1;
    serve_block_signals(end);
    if (serve_open_data(serve, err) < 0)
        return -1;
    serve_start_profile(serve);
    if (serve_start_keeper(serve, err) < 0 ||
        serve_start_webhooks(serve, err) < 0 ||
        serve_start_dispatch(serve, err) < 0)
        return -1;
    return serve_start_server(serve, err);
}

static void serve_stop(struct serve *serve)
{
    struct server *server = atomic_exchange(&serve->server, NULL);

    server_stop(server);
    if (serve->service.dispatch)
        dispatch_stop(serve->service.dispatch);
    webhook_send_stop(serve->webhooks);
    keeper_stop(serve->service.keeper);
    disk_free(serve->service.disk);
    if (serve->service.writer)
        writer_close(serve->service.writer);
    slots_close(serve->slots); /* those of killed workers too */
    selfprofile_close(serve->service.selfprofile);
    games_free(serve->service.games);
    library_free(serve->service.library);
    free(serve->game);
    fd_close(&serve->lock_fd);
    fd_close(&serve->listen_fd);
    free(serve->data);
    free(serve->database);
    serve_options_release(&serve->options);
}

static void serve_say_hello(const struct serve *serve)
{
    bool v6 = strchr(serve->options.address, ':') != NULL;

    printf("bout serve: listening on http://%s%s%s:%u, data in %s\n",
           v6 ? "[" : "", serve->options.address, v6 ? "]" : "",
           server_port(atomic_load(&serve->server)), serve->data);
    fflush(stdout);
}

static enum registration serve_registration(const char *word)
{
    if (!strcmp(word, "open"))
        return REGISTRATION_OPEN;
    return !strcmp(word, "invitation") ? REGISTRATION_INVITATION
                                       : REGISTRATION_ADMIN;
}

int cmd_serve(int argc, char **argv)
{
    struct serve serve = {
        .options = {.listen = "127.0.0.1:8080",
                    .registration = "admin",
                    .workers = SERVE_WORKERS_CORES,
                    .rate = 500,
                    .post_rate = 20,
                    .client_connections = SERVER_CONNECTIONS_A_CLIENT,
                    .ladder_rate = 30,
                    .suspend_after = 10,
                    .jail_level = JAIL_LIMITS},
        .lock_fd = -1,
        .listen_fd = -1,
    };
    int code = serve_options_read(&serve.options, argc, argv);
    struct err err = {0};
    sigset_t end;
    int signal_number = 0;

    if (code != CLI_GO_ON) {
        serve_options_release(&serve.options);
        return code;
    }
    const struct serve_options *o = &serve.options;
    if (o->strict_nan)
        toolchain_set_strict_nan();
    /* Uploads are megabytes, and copied a few times: what is freed goes back,
     * which glibc gives up after the first large one unless it is told. */
    // NOLINTBEGIN(concurrency-mt-unsafe): there is no other thread yet
    mallopt(M_MMAP_THRESHOLD, SERVE_LARGE_BYTES);
    mallopt(M_TRIM_THRESHOLD, SERVE_LARGE_BYTES);
    // NOLINTEND(concurrency-mt-unsafe)
    serve.metrics.started_ns = clock_wall_ns();
    serve.service.metrics = &serve.metrics;
    serve.service.library = library_new();
    serve.service.retention = o->retention;
    serve.service.registration = serve_registration(o->registration);
    serve.service.proxies = o->proxies;
    serve.service.client_connections = (unsigned)o->client_connections;
    serve.service.rate_per_s = (double)o->rate;
    serve.service.post_rate_per_s = (double)o->post_rate;

    if (serve_start(&serve, &end, &err) < 0) {
        serve_stop(&serve);
        return cli_fail(SERVE_NAME, &err);
    }
    serve_say_hello(&serve);
    sigwait(&end, &signal_number);
    log_line(LOG_INFO, "serve", "%s: stopping", sigdescr_np(signal_number));
    serve_stop(&serve);
    return CLI_DONE;
}
