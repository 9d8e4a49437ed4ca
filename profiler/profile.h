/* profile: a program's own blocks, frames, locks and messages, as a stream.
 *
 *     static char memory[1 << 20];
 *     profile_initialize("my program", memory, sizeof memory);
 *     profile_output(write_somewhere);
 *     profile_enable(1);
 *     profile_begin_block("search"); ... profile_end_block();
 *     profile_shutdown();
 *
 * All memory is the caller's; nothing is allocated. A block takes 96 bytes from
 * its beginning until it was written; a megabyte holds 10,000. Where there is
 * none left, the call is left out and counted, the first time said on standard
 * error; nothing gets out of step: the end of a block whose beginning failed
 * does nothing.
 *
 * Blocks nest, by thread, to any depth. Names may be of any length and need to
 * live for the call only. A block that goes on on another core is split there.
 * Whole trees are written, when their outermost block has ended, by a thread of
 * the profiler's own: profiled threads take no lock. When profiling is off, and
 * before initialize, every call does nothing.
 *
 * profile_initialize and profile_shutdown come from one thread while no other
 * call is under way; all else from any thread at any time. This header is C90.
 * What the stream holds: profiler/record.def; a reader: profiler/decode.h.
 * Ancestor: profile_lib (M. Jansson).
 *
 * In bots it is <bout/profile.h>, with this that differs: a tick is an
 * instruction, and each call has its price (`bout costs`). Blocks show in the
 * turn's profile without a writer: then a buffer for the open ones is enough. A
 * frame is a turn: a block that is open when a turn ends goes on in the next
 * one, and each turn has its part. profile_log's text is in the turn's log too.
 */
#ifndef BOUT_PROFILE_H
#define BOUT_PROFILE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Takes `size` bytes at `data`, whole records; called by the profiler's thread.
 * After profile_shutdown has returned it is not called any more. */
typedef void (*profile_write_fn)(void *data, uint64_t size);

#define PROFILE_BUFFER_BYTES 262144 /* a good size: 100 ms of busy threads */

#if !defined(BUILD_ENABLE_PROFILE) || BUILD_ENABLE_PROFILE

/* `identifier` is kept by reference until shutdown and written into the stream.
 * Returns 0, or -1 where the buffer holds no block. */
int profile_initialize(const char *identifier, void *buffer, uint64_t size);

/* Writes all that has ended and an end record. Returns how many blocks were
 * lost or never ended: 0 is right. */
uint64_t profile_shutdown(void);

/* Starts and stops the profiler's thread; blocks that are open go on. */
void profile_enable(int enabled);

void profile_output(profile_write_fn writer);

/* Milliseconds between two writes; 100 by default, at least 1. */
void profile_output_wait(uint64_t milliseconds);

const char *profile_identifier(void);

void profile_begin_block(const char *name);
void profile_update_block(void); /* splits it if the core has changed */
void profile_end_block(void);

void profile_end_frame(uint64_t number);

void profile_log(const char *message);

void profile_trylock(const char *name);
void profile_lock(const char *name);
void profile_unlock(const char *name);
void profile_wait(const char *name);
void profile_signal(const char *name);

#else

#define profile_initialize(identifier, buffer, size) \
    ((void)(identifier), (void)(buffer), (void)(size), 0)
#define profile_shutdown() ((uint64_t)0)
#define profile_enable(enabled) ((void)(enabled))
#define profile_output(writer) ((void)(writer))
#define profile_output_wait(milliseconds) ((void)(milliseconds))
#define profile_identifier() ("")
#define profile_begin_block(name) ((void)(name))
#define profile_update_block() ((void)0)
#define profile_end_block() ((void)0)
#define profile_end_frame(number) ((void)(number))
#define profile_log(message) ((void)(message))
#define profile_trylock(name) ((void)(name))
#define profile_lock(name) ((void)(name))
#define profile_unlock(name) ((void)(name))
#define profile_wait(name) ((void)(name))
#define profile_signal(name) ((void)(name))

#endif

#ifdef __cplusplus
}
#endif

#endif
