/* expect: crash; detail abort; turn 0; status stopped */
#include <stdlib.h>

int main(void)
{
    abort();
}
