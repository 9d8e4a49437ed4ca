/* pthread_arch: the one thread's control block is an ordinary object (see
 * src/thread.c). */
extern struct __pthread __bout_thread;

static inline uintptr_t __get_tp(void)
{
    return (uintptr_t)&__bout_thread;
}

#define MC_PC gp_regs[32]
