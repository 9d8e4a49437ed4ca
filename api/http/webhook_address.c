#include "api/http/webhook_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

/* IANA's registries of special-purpose addresses, as far as they are not
 * globally reachable. */
static bool v4_is_public(uint32_t address)
{
    static const struct {
        uint32_t net;
        unsigned bits;
    } special[] = {
        {0x00000000, 8},  {0x0a000000, 8},  {0x64400000, 10}, {0x7f000000, 8},
        {0xa9fe0000, 16}, {0xac100000, 12}, {0xc0000000, 24}, {0xc0000200, 24},
        {0xc0a80000, 16}, {0xc6120000, 15}, {0xc6336400, 24}, {0xcb007100, 24},
        {0xe0000000, 4},  {0xf0000000, 4},
    };

    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if ((address ^ special[i].net) >> (32 - special[i].bits) == 0)
            return false;
    return true;
}

/* Only global unicast, 2000::/3, less what carries an IPv4 address or is for
 * documents. */
static bool v6_is_public(const struct in6_addr *address)
{
    const uint8_t *b = address->s6_addr;

    if (IN6_IS_ADDR_V4MAPPED(address))
        return v4_is_public((uint32_t)b[12] << 24 | (uint32_t)b[13] << 16 |
                            (uint32_t)b[14] << 8 | b[15]);
    bool teredo_or_docs = b[0] == 0x20 && b[1] == 0x01 &&
                          (b[2] < 0x02 || (b[2] == 0x0d && b[3] == 0xb8));
    bool six_to_four = b[0] == 0x20 && b[1] == 0x02;
    return b[0] >> 5 == 1 && !teredo_or_docs && !six_to_four;
}

bool webhook_is_public(const struct sockaddr *address)
{
    const void *bytes = address;

    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *v4 = bytes;
        return v4_is_public(ntohl(v4->sin_addr.s_addr));
    }
    if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = bytes;
        return v6_is_public(&v6->sin6_addr);
    }
    return false;
}
