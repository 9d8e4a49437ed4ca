#include "runner/build/view.h"

#include "runner/base/buf.h"

#include <string.h>

static const char cxx[] = VIEW_HEADERS "/c++/v1/";
static const char headers[] = VIEW_HEADERS "/";

static const char *without_here(const char *inside)
{
    while (!strncmp(inside, "./", 2))
        inside += 2;
    return inside;
}

char *view_name(const char *inside)
{
    inside = without_here(inside);
    if (!strncmp(inside, cxx, sizeof cxx - 1))
        return mem_format("<libc++>/%s", inside + sizeof cxx - 1);
    if (!strncmp(inside, headers, sizeof headers - 1))
        return mem_format("<libc>/include/%s", inside + sizeof headers - 1);
    if (inside[0] == '/')
        return mem_dup_str(strrchr(inside, '/') + 1);
    return mem_dup_str(inside);
}
