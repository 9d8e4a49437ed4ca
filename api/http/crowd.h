/* crowd: how many of each client there are now: connections, requests.
 *
 * A client is a number (address.h). Memory is what the members need that are
 * there now. Safe from any thread.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct crowd;

struct crowd *crowd_new(void);
/* Whoever is still there is forgotten. */
void crowd_free(struct crowd *crowd);

/* One more of that client. False, and nothing has changed: `most` are there. */
bool crowd_enter(struct crowd *crowd, uint64_t key, unsigned most);
/* Once for each that entered. */
void crowd_leave(struct crowd *crowd, uint64_t key);

unsigned crowd_count(struct crowd *crowd, uint64_t key);
