/* privilege: what this process may do to others. */
#pragma once

#include <stdbool.h>

/* Root that may make a child another user, and end it then: has CAP_SETUID,
 * CAP_SETGID and CAP_KILL. One without them (a container's, a service's) is to
 * be taken for an ordinary user. Source: capabilities(7), capget(2). */
bool privilege_is_root(void);
