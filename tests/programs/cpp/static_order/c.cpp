#include "log.h"

logged four("c.four");
thread_local int perThread = computed * 2;
struct user {
    user() { std::cout << "user " << perThread << '\n'; }
} user;
