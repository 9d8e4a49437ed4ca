#include "runner/match/exec.h"

#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/match/match_log.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Generous, and reached by a broken game only. */
#define ANSWER_WALL_NS 60000000000u
#define LIFE_CPU_NS 600000000000u
#define MEMORY_BYTES (UINT64_C(1) << 30) /* address space */
#define WORK_BYTES (64u << 20)           /* the folder's files, stderr */
#define TAIL_BYTES 120u
#define READ_BYTES 65536u

/* "the game failed: WHAT: the end of its stderr" */
static int exec_fail(const struct exec *exec, const char *what, struct err *err)
{
    auto_buf struct buf tail = {0};
    struct err ignored;

    workbox_log_tail(&exec->live, TAIL_BYTES, &tail, &ignored);
    for (size_t i = 0; i < tail.size; i++)
        if (tail.data[i] < ' ' || tail.data[i] > '~')
            tail.data[i] = ' ';
    return err_set(err, ERR_SYSTEM, "the game failed: %s%s%s", what,
                   tail.size ? ": " : "", tail.size ? tail.data : "");
}

/* ---- lines ------------------------------------------------------------------
 */

/* Waits for `events` on the socket. */
static int exec_wait(const struct exec *exec, short events,
                     uint64_t deadline_ns, struct err *err)
{
    struct pollfd wait = {.fd = exec->fd, .events = events};

    for (;;) {
        uint64_t now_ns = clock_mono_ns();
        if (now_ns >= deadline_ns)
            return exec_fail(exec, "it took too long", err);
        int ready =
            poll(&wait, 1, (int)((deadline_ns - now_ns) / 1000000u) + 1);
        if (ready > 0)
            return 0;
        if (ready < 0 && errno != EINTR)
            return err_sys(err, errno, "the game: poll");
    }
}

/* Takes in what is there: 1 some, 0 it has ended. */
static int exec_take_in(struct exec *exec, struct err *err)
{
    buf_reserve(&exec->in, READ_BYTES);
    ssize_t got =
        recv(exec->fd, exec->in.data + exec->in.size, READ_BYTES, MSG_DONTWAIT);

    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return 1;
    if (got <= 0)
        return exec_fail(exec, "it ended by itself", err);
    exec->in.size += (size_t)got;
    exec->in.data[exec->in.size] = '\0';
    if (exec->in.size > exec->line_bytes)
        return exec_fail(exec, "its line is longer than the limits allow", err);
    return 1;
}

/* Sends a line. It may speak meanwhile: that is taken in, so that neither waits
 * for the other. */
static int exec_send(struct exec *exec, const struct buf *line,
                     uint64_t deadline_ns, struct err *err)
{
    size_t sent = 0;

    while (sent < line->size) {
        ssize_t put = send(exec->fd, line->data + sent, line->size - sent,
                           MSG_NOSIGNAL | MSG_DONTWAIT);
        if (put >= 0) {
            sent += (size_t)put;
            continue;
        }
        if (errno == EPIPE || errno == ECONNRESET)
            return exec_fail(exec, "it ended by itself", err);
        if (errno != EAGAIN && errno != EINTR)
            return err_sys(err, errno, "the game: send");
        if (exec_wait(exec, POLLIN | POLLOUT, deadline_ns, err) < 0 ||
            exec_take_in(exec, err) < 0)
            return -1;
    }
    return 0;
}

/* The next line, without its newline, is at the start of exec->in; *size is its
 * length. */
static int exec_receive(struct exec *exec, size_t *size, uint64_t deadline_ns,
                        struct err *err)
{
    size_t looked = 0;

    for (;;) {
        char *end =
            looked < exec->in.size
                ? memchr(exec->in.data + looked, '\n', exec->in.size - looked)
                : NULL;
        if (end) {
            *size = (size_t)(end - exec->in.data);
            exec->used = *size + 1;
            return 0;
        }
        looked = exec->in.size;
        if (exec_wait(exec, POLLIN, deadline_ns, err) < 0 ||
            exec_take_in(exec, err) < 0)
            return -1;
    }
}

/* Sends `line`, unless it is empty, and turns the answer into a frame. */
static int exec_exchange(struct exec *exec, const struct buf *line,
                         int (*parse)(const char *, size_t, struct buf *,
                                      struct err *),
                         struct buf *frame, struct err *err)
{
    uint64_t deadline_ns = clock_mono_ns() + exec->answer_ns;
    size_t size;

    exec->in.size -= exec->used;
    if (exec->in.size)
        memmove(exec->in.data, exec->in.data + exec->used, exec->in.size);
    exec->used = 0;
    if (exec->in.size)
        return exec_fail(exec, "it spoke before it was asked", err);
    if (exec_send(exec, line, deadline_ns, err) < 0 ||
        exec_receive(exec, &size, deadline_ns, err) < 0)
        return -1;
    exec->in.data[size] = '\0';
    return parse(exec->in.data, size, frame, err);
}

/* ---- what it is told --------------------------------------------------------
 */

int exec_hello(struct exec *exec, struct buf *frame, struct err *err)
{
    const struct buf nothing = {0};

    return exec_exchange(exec, &nothing, exec_line_hello, frame, err);
}

int exec_begin(struct exec *exec, const struct exec_start *start,
               struct buf *frame, struct err *err)
{
    auto_buf struct buf line = {0};
    const char *comma = "";

    /* A text: not every language has whole numbers of 64 bits. */
    buf_add_format(&line,
                   "{\"kind\":\"start\",\"seed\":\"%" PRIu64
                   "\",\"slots\":%u,\"out\":[",
                   start->seed, start->slots);
    for (unsigned slot = 0; slot < start->slots; slot++) {
        if (!(start->out >> slot & 1))
            continue;
        buf_add_format(&line, "%s%u", comma, slot);
        comma = ",";
    }
    buf_add_format(&line, "],\"turns\":%" PRIu32 "}\n", start->turns);
    return exec_exchange(exec, &line, exec_line_report, frame, err);
}

static void add_move(struct buf *line, const struct frame_move *move)
{
    static const char *const act[] = {"reply", "pass", "out", "last_reply"};
    bool has_reply = move->act == FRAME_REPLY || move->act == FRAME_LAST_REPLY;

    buf_add_format(line, "{\"slot\":%u,\"act\":\"%s\"", move->slot,
                   act[move->act]);
    if (has_reply) {
        buf_add_char(line, ',');
        match_log_text(line, "reply", move->reply.bytes, move->reply.size);
    }
    buf_add_char(line, '}');
}

int exec_step(struct exec *exec, const struct frame_move *move, size_t count,
              struct buf *frame, struct err *err)
{
    auto_buf struct buf line = {0};

    buf_add_str(&line, "{\"kind\":\"step\",\"moves\":[");
    for (size_t i = 0; i < count; i++) {
        if (i)
            buf_add_char(&line, ',');
        add_move(&line, &move[i]);
    }
    buf_add_str(&line, "]}\n");
    return exec_exchange(exec, &line, exec_line_report, frame, err);
}

/* ---- its life ---------------------------------------------------------------
 */

static int exec_spawn(struct exec *exec, const struct build *game, int talk_fd,
                      struct err *err)
{
    static const struct workbox_mount mount[] = {{"usr/bin", "/usr/bin"},
                                                 {"bin", "/bin"}};
    const struct build_source *source = &game->source;
    size_t parts = json_array_size(game->exec);
    auto_free const char **argv = mem_calloc(parts + 1, sizeof *argv);
    auto_free struct workbox_input *input =
        mem_calloc(source->count + 1, sizeof *input);

    for (size_t i = 0; i < parts; i++)
        argv[i] = json_string_value(json_array_get(game->exec, i));
    for (size_t i = 0; i < source->count; i++)
        input[i] = (struct workbox_input){
            source->file[i].path, source->file[i].bytes, source->file[i].size};
    const struct workbox_spec spec = {
        .name = "the game",
        .argv = argv,
        .mount = mount,
        .mount_count = sizeof mount / sizeof *mount,
        .input = input,
        .input_count = source->count,
        .cpu_ns = LIFE_CPU_NS,
        .memory_bytes = MEMORY_BYTES,
        .work_bytes = WORK_BYTES,
        .talk_fd = talk_fd,
    };
    return workbox_open(&spec, &exec->live, err);
}

int exec_open(struct exec *exec, const struct build *game, size_t line_bytes,
              struct err *err)
{
    auto_fd int own_fd = -1;
    auto_fd int its_fd = -1;
    int pair[2];

    *exec = (struct exec){
        .fd = -1, .line_bytes = line_bytes, .answer_ns = ANSWER_WALL_NS};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return err_sys(err, errno, "the game: socketpair");
    own_fd = pair[0];
    its_fd = pair[1];
    if (exec_spawn(exec, game, its_fd, err) < 0)
        return -1;
    exec->fd = take_fd(&own_fd);
    return 0;
}

void exec_close(struct exec *exec)
{
    if (exec->live.pid) {
        workbox_close(&exec->live);
        fd_close(&exec->fd);
    }
    buf_release(&exec->in);
    *exec = (struct exec){.fd = -1};
}
