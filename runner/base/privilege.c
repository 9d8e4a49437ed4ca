#include "runner/base/privilege.h"

#include <linux/capability.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

bool privilege_is_root(void)
{
    const uint32_t needed =
        1u << CAP_SETUID | 1u << CAP_SETGID | 1u << CAP_KILL;
    struct __user_cap_header_struct header = {.version =
                                                  _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct have[_LINUX_CAPABILITY_U32S_3] = {0};

    return geteuid() == 0 && syscall(SYS_capget, &header, have) == 0 &&
           (have[0].effective & needed) == needed;
}
