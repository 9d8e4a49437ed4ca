/* foreign: `bout` for code that this machine does not run by itself, for tests:
 * the whole program but for the zygote, which the linker wraps. A bot is
 * started by foreign_run, without a jail; the turns are the real runner's, over
 * the same shared memory. One program for each run_*.c.
 */
#pragma once

/* In a process of its own, which the runner takes for the bot's: runs the
 * executable in fds[0] with the memory in fds[1] (bot/page.h). */
_Noreturn void foreign_run(const int fds[2]);
