/* debug: a bot of an old match, built natively, under gdb with the inputs of
 * the log, stopped where it has just read those of one turn.
 *
 *   feeder (child)  writes a view after the other into a pipe in packet mode
 *                   (O_DIRECT, pipe(2)): no read(2) crosses from one packet
 *                   into the next, so reads tell the turns apart
 *   gdb             runs the bot with that pipe, by its name in /proc, as
 *                   standard input and counts the reads
 *
 * Natively, random numbers and clocks are the machine's: moves may differ from
 * the log's where a bot uses them; what it reads is the log's all the same.
 */
#include "api/cli/cli.h"

#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/match/match_log.h"
#include "runner/match/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int cmd_debug(int argc, char **argv);

struct debug {
    const char *program; /* a .bot or source, or NULL: where builds are kept */
    uint64_t turn;
    uint64_t slot;
    bool print; /* only the inputs */
    bool batch; /* gdb prints the place and ends */
};

/* ---- the bot ----------------------------------------------------------------
 */

/* The slot's build from where builds are kept. */
static struct build *find_kept(const struct replay *replay, unsigned slot,
                               struct err *err)
{
    auto_free char *folder = build_cache_folder(err);
    auto_dir DIR *dir = folder ? opendir(folder) : NULL;
    struct dirent *entry;

    while (dir && (entry = readdir(dir)) != NULL) {
        char hash[HASH_HEX_SIZE] = "";
        char hex[HASH_HEX_SIZE];
        if (strlen(entry->d_name) != 64 + 4)
            continue;
        memcpy(hash, entry->d_name, 64);
        match_log_build(replay->seed, hash, hex);
        if (!strcmp(hex, replay->build[slot]))
            return build_cache_get(hash, err);
    }
    err_set(err, ERR_MISSING,
            "the build of slot %u is not kept here: name its .bot file or "
            "source",
            slot);
    return NULL;
}

static struct build *open_bot(const struct replay *replay,
                              const struct debug *debug, struct err *err)
{
    unsigned slot = (unsigned)debug->slot;

    if (!debug->program)
        return find_kept(replay, slot, err);
    struct build *build = build_open_or_make(debug->program, err);
    if (build && !replay_is_build(replay, slot, build))
        fprintf(stderr,
                "bout debug: this is not the version that played slot %u\n",
                slot);
    return build;
}

static int write_source(const struct build *build, const char *folder,
                        struct err *err)
{
    for (size_t i = 0; i < build->source.count; i++) {
        const struct build_file *file = &build->source.file[i];
        auto_free char *path = mem_format("%s/%s", folder, file->path);
        char *slash = strrchr(path, '/');
        *slash = '\0';
        int made = io_make_folders(path, 0755, err);
        *slash = '/';
        if (made < 0 ||
            io_write_file(path, file->bytes, file->size, 0644, err) < 0)
            return -1;
    }
    return 0;
}

/* The exit code of a command; -1 if it did not run or was killed. */
static int run_command(const char *const *argv, struct err *err)
{
    int status = 0;
    pid_t pid = fork();

    if (pid < 0)
        return err_sys(err, errno, "fork");
    if (pid == 0) {
        execvp(argv[0], (char **)(uintptr_t)argv); /* const by habit only */
        fprintf(stderr, "bout debug: %s: %s\n", argv[0],
                strerrordesc_np(errno));
        _exit(127);
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status) != 127)
        return WEXITSTATUS(status);
    return err_set(err, ERR_SYSTEM, "%s did not run", argv[0]);
}

static bool ends_with(const char *text, const char *end)
{
    size_t size = strlen(text);

    return size >= strlen(end) && !strcmp(text + size - strlen(end), end);
}

/* Each source to an object of its language, then one program. */
static int compile(const struct build *build, const char *source,
                   const char *work, struct err *err)
{
    auto_free char *include = mem_format("-I%s", source);
    auto_free char *program = mem_format("%s/bot", work);
    const char *link[1024] = {"clang++-19", "-g", "-o", program};
    size_t count = 4;
    int code = 0;

    for (size_t i = 0; i < build->source.count && code == 0; i++) {
        const char *path = build->source.file[i].path;
        bool is_c = ends_with(path, ".c");
        if (!is_c && !ends_with(path, ".cc") && !ends_with(path, ".cpp"))
            continue;
        char *from = mem_format("%s/%s", source, path);
        char *object = mem_format("%s/%zu.o", work, i);
        const char *argv[] = {is_c ? "clang-19" : "clang++-19",
                              is_c ? "-std=gnu17" : "-std=gnu++20",
                              "-g",
                              "-O0",
                              "-w",
                              "-DBOUT",
                              include,
                              "-c",
                              from,
                              "-o",
                              object,
                              NULL};
        code = run_command(argv, err);
        free(from);
        link[count++] = object;
    }
    if (code == 0)
        code = run_command(link, err);
    while (count > 4)
        free((void *)(uintptr_t)link[--count]);
    if (code > 0)
        return err_set(err, ERR_INPUT, "it does not compile natively");
    return code;
}

/* ---- the inputs -------------------------------------------------------------
 */

/* Appends the slot's view of a turn. 1; 0: it was not asked; -1. */
static int add_view(const struct replay *replay, const struct debug *debug,
                    uint32_t turn, struct buf *to, struct err *err)
{
    const json_t *entry = replay_entry(replay, turn, (unsigned)debug->slot);

    if (!entry)
        return 0;
    if (!replay_text(entry, "view", to))
        return err_set(err, ERR_MISSING,
                       "turn %" PRIu32 ": the log was cut: it keeps only a "
                       "hash of the view",
                       turn);
    return 1;
}

static int print_inputs(const struct replay *replay, const struct debug *debug,
                        struct err *err)
{
    auto_buf struct buf text = {0};

    for (uint32_t turn = 1; turn <= debug->turn; turn++)
        if (add_view(replay, debug, turn, &text, err) < 0)
            return -1;
    fwrite(text.data ? text.data : "", 1, text.size, stdout);
    return cli_finish("debug");
}

/* How many reads it takes until the turn has been read. */
static int count_reads(const struct replay *replay, const struct debug *debug,
                       unsigned *before, struct err *err)
{
    *before = 0;
    for (uint32_t turn = 1; turn < debug->turn; turn++) {
        auto_buf struct buf view = {0};
        if (add_view(replay, debug, turn, &view, err) < 0)
            return -1;
        *before += (unsigned)((view.size + PIPE_BUF - 1) / PIPE_BUF);
    }
    return 0;
}

/* In the child: all views, then the end. */
static void feed(const struct replay *replay, const struct debug *debug, int to)
{
    struct err err;

    for (uint32_t turn = 1; turn < replay->step_count; turn++) {
        auto_buf struct buf view = {0};
        if (add_view(replay, debug, turn, &view, &err) < 0)
            return;
        for (size_t at = 0; at < view.size; at += PIPE_BUF) {
            size_t part = view.size - at < PIPE_BUF ? view.size - at : PIPE_BUF;
            if (write(to, view.data + at, part) < 0)
                return;
        }
    }
}

/* The read end of a pipe that a child fills; -1 on failure. */
static int start_feeder(const struct replay *replay, const struct debug *debug,
                        pid_t *feeder, struct err *err)
{
    int end[2];

    if (pipe2(end, O_DIRECT | O_CLOEXEC) < 0)
        return err_sys(err, errno, "pipe");
    *feeder = fork();
    if (*feeder == 0) {
        close(end[0]);
        feed(replay, debug, end[1]);
        _exit(0);
    }
    close(end[1]);
    if (*feeder > 0)
        return end[0];
    close(end[0]);
    return err_sys(err, errno, "fork");
}

/* ---- gdb --------------------------------------------------------------------
 */

/* A read stops twice, when called and when it returns. */
static int write_script(const struct debug *debug, const char *work,
                        const char *pipe, unsigned before, struct err *err)
{
    auto_free char *path = mem_format("%s/script", work);
    auto_buf struct buf text = {0};

    buf_add_format(&text,
                   "set pagination off\nset confirm off\n"
                   "set startup-with-shell on\nset debuginfod enabled off\n"
                   "catch syscall read\ncondition 1 $rdi == 0\n"
                   "ignore 1 %u\nrun <%s >%s/out\ndelete 1\n",
                   2 * before + 1, pipe, work);
    buf_add_format(
        &text,
        "python\n"
        "frame = gdb.newest_frame() if gdb.selected_thread() else None\n"
        "def ours(f):\n"
        "    table = f.find_sal().symtab\n"
        "    return table and table.fullname().startswith('%s/')\n"
        "while frame and not ours(frame):\n"
        "    frame = frame.older()\n"
        "if frame:\n"
        "    frame.select()\n"
        "end\n"
        "echo \\nturn %" PRIu64 " has been read:\\n\n"
        "frame\nlist\n",
        work, debug->turn);
    return io_write_file(path, text.data, text.size, 0600, err);
}

static int run_gdb(const struct debug *debug, const char *work, struct err *err)
{
    auto_free char *program = mem_format("%s/bot", work);
    auto_free char *script = mem_format("%s/script", work);
    const char *argv[] = {"gdb",
                          "-q",
                          "-nx",
                          "-x",
                          script,
                          program,
                          debug->batch ? "-batch" : NULL,
                          NULL};

    return run_command(argv, err);
}

static int debug_in(const struct replay *replay, const struct debug *debug,
                    const struct build *build, const char *work,
                    struct err *err)
{
    auto_free char *source = mem_format("%s/source", work);
    unsigned before;
    pid_t feeder = 0;

    if (write_source(build, source, err) < 0 ||
        compile(build, source, work, err) < 0 ||
        count_reads(replay, debug, &before, err) < 0)
        return -1;
    auto_fd int input = start_feeder(replay, debug, &feeder, err);
    if (input < 0 || feeder <= 0)
        return -1;
    auto_free char *name = mem_format("/proc/%ld/fd/%d", (long)getpid(), input);
    int code = write_script(debug, work, name, before, err);
    if (code == 0)
        code = run_gdb(debug, work, err);
    kill(feeder, SIGKILL); /* it may wait for a reader that never came */
    waitpid(feeder, NULL, 0);
    return code < 0 ? -1 : CLI_DONE;
}

static int run(const struct replay *replay, const struct debug *debug,
               struct err *err)
{
    if (debug->slot >= replay->slots)
        return cli_usage("debug", "--slot: there are slots 0 to %u",
                         replay->slots - 1);
    if (!debug->turn || debug->turn >= replay->step_count)
        return cli_usage("debug", "--turn: there are turns 1 to %zu",
                         replay->step_count - 1);
    if (!replay_entry(replay, (uint32_t)debug->turn, (unsigned)debug->slot))
        return cli_usage("debug",
                         "slot %" PRIu64 " did not move in turn %" PRIu64,
                         debug->slot, debug->turn);
    if (debug->print)
        return print_inputs(replay, debug, err);

    struct build *build = open_bot(replay, debug, err);
    if (!build)
        return -1;
    char *work = io_make_temp_folder("bout-debug", err);
    int code = work ? debug_in(replay, debug, build, work, err) : -1;
    struct err ignored;
    if (work)
        io_remove_tree(work, &ignored);
    free(work);
    build_free(build);
    return code;
}

int cmd_debug(int argc, char **argv)
{
    struct debug debug = {.turn = 1};
    const struct cli_option options[] = {
        {"turn", 't', CLI_NUMBER, &debug.turn, "N",
         "stop when this turn has been read; default 1", false},
        {"slot", 's', CLI_NUMBER, &debug.slot, "SLOT", "whose; default 0",
         false},
        {"print", 0, CLI_FLAG, &debug.print, NULL,
         "only print what it read up to that turn", false},
        {"batch", 0, CLI_FLAG, &debug.batch, NULL,
         "print the place and end, with no prompt", false},
        {0},
    };
    const struct cli_command command = {
        .name = "debug",
        .operands = "LOG [BOT|SRC]",
        .text = "Runs a bot of an old match natively under gdb with the inputs "
                "of the log, stopped\nwhere it has just read a turn. Random "
                "numbers and clocks are this machine's own.",
        .option = options,
        .operands_min = 1,
        .operands_max = 2,
    };
    struct cli_operands operands;
    struct replay replay;
    struct err err = {0};
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    debug.program = operands.count > 1 ? operands.item[1] : NULL;
    if (replay_open(&replay, operands.item[0], &err) < 0)
        return cli_fail(command.name, &err);
    code = run(&replay, &debug, &err);
    replay_release(&replay);
    return code < 0 ? cli_fail(command.name, &err) : code;
}
