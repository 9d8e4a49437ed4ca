/* webhook_address: which addresses a webhook may speak to. */
#pragma once

#include <stdbool.h>
#include <sys/socket.h>

/* Is it an address that anybody on the Internet may reach? */
bool webhook_is_public(const struct sockaddr *address);
