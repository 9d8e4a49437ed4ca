#include "instrument/meter/intrinsic.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    enum intrinsic_treatment treatment;
} treatments[] = {
#define INTRINSIC(name, treatment) {name, INTRINSIC_##treatment},
#include "instrument/intrinsics.def"
};

/* How much of `name` an entry covers: its whole name, up to an overload's
 * types. 0 if it is another intrinsic. */
static size_t covered(const char *entry, const char *name)
{
    size_t size = strlen(entry);

    if (strncmp(entry, name, size) != 0)
        return 0;
    return name[size] == '\0' || name[size] == '.' ? size : 0;
}

enum intrinsic_treatment intrinsic_find(const char *name)
{
    enum intrinsic_treatment found = INTRINSIC_UNKNOWN;
    size_t longest = 0;

    /* The longest wins: llvm.memcpy.inline is not llvm.memcpy. */
    for (size_t i = 0; i < sizeof treatments / sizeof *treatments; i++) {
        size_t size = covered(treatments[i].name, name);

        if (size > longest) {
            longest = size;
            found = treatments[i].treatment;
        }
    }
    return found;
}
