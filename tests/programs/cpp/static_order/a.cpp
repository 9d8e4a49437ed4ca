// Static constructors run file by file in the order of the paths, locals when
// first reached, destructors backwards.
#include "log.h"

static logged one("a.one");
static logged two("a.two");

int main()
{
    static logged local("main.local");
    std::cout << "main " << helper() << helper() << '\n';
}
