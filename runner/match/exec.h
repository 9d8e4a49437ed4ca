/* exec: a referee in any language, while it runs one match.
 *
 * A command of the game's folder (build.h), jailed like a step of a build: no
 * network, nothing writable, no other programs started, limits on memory and
 * processor time. It says and is told the same as a referee in C
 * (runner/games/referee.c), each frame one line of JSON; docs/organiser.md is
 * the manual. What it says becomes a frame in bytes, so that frame.c alone
 * judges what a referee may say.
 *
 * Whatever it does wrong is ERR_SYSTEM "the game failed: ...".
 */
#pragma once

#include "runner/base/buf.h"
#include "runner/build/build.h"
#include "runner/build/workbox.h"
#include "runner/match/frame.h"

/* Zeroed: not open. */
struct exec {
    struct workbox_live live;
    int fd;             /* of the socket to it, while live.pid is not 0 */
    size_t line_bytes;  /* the most that a line of it may hold */
    uint64_t answer_ns; /* the longest that it may take for one */
    struct buf in;      /* read and not yet used */
    size_t used;        /* of `in`: the line that was taken last */
};

/* Starts it. `line_bytes`: the most that a line of it may hold. */
int exec_open(struct exec *exec, const struct build *game, size_t line_bytes,
              struct err *err);
/* What it says first, as a HELLO frame appended to `frame`. */
int exec_hello(struct exec *exec, struct buf *frame, struct err *err);
/* The line that is frame_start's; the answer as a REPORT frame. */
struct exec_start {
    uint64_t seed;
    unsigned slots;
    unsigned out; /* bit mask */
    uint32_t turns;
};
int exec_begin(struct exec *exec, const struct exec_start *start,
               struct buf *frame, struct err *err);
/* The line that is frame_step's; the answer likewise. */
int exec_step(struct exec *exec, const struct frame_move *move, size_t count,
              struct buf *frame, struct err *err);
void exec_close(struct exec *exec);

/* The lines themselves, for tests: JSON text to the bytes of a frame. */
int exec_line_hello(const char *line, size_t size, struct buf *frame,
                    struct err *err);
int exec_line_report(const char *line, size_t size, struct buf *frame,
                     struct err *err);
