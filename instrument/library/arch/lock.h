/* lock: one thread, so musl's internal locks are nothing. Laid over
 * src/internal/lock.h. */
#ifndef LOCK_H
#define LOCK_H

#define LOCK(x) ((void)0)
#define UNLOCK(x) ((void)0)

#endif
