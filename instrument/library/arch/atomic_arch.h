/* atomic_arch: musl's atomics for a machine with one thread: plain memory. */
#define a_cas a_cas
static inline int a_cas(volatile int *word, int expected, int wanted)
{
    int found = *word;

    if (found == expected)
        *word = wanted;
    return found;
}

#define a_cas_p a_cas_p
static inline void *a_cas_p(volatile void *word, void *expected, void *wanted)
{
    void *volatile *slot = (void *volatile *)word;
    void *found = *slot;

    if (found == expected)
        *slot = wanted;
    return found;
}

#define a_barrier a_barrier
static inline void a_barrier(void)
{
}

#define a_crash a_crash
static inline void a_crash(void)
{
    __builtin_trap();
}

#define a_clz_64 a_clz_64
static inline int a_clz_64(uint64_t value)
{
    return __builtin_clzll(value);
}

#define a_clz_32 a_clz_32
static inline int a_clz_32(uint32_t value)
{
    return __builtin_clz(value);
}

#define a_ctz_64 a_ctz_64
static inline int a_ctz_64(uint64_t value)
{
    return __builtin_ctzll(value);
}

#define a_ctz_32 a_ctz_32
static inline int a_ctz_32(uint32_t value)
{
    return __builtin_ctz(value);
}
