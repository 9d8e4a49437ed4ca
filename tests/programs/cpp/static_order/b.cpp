#include "log.h"

static logged three("b.three");
int computed = (std::cout << "b.computed\n", 7);

int helper()
{
    static logged local("helper.local");
    return computed++;
}
