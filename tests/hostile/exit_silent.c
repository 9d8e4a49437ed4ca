/* expect: exit; detail exit code 3; turn 1; status stopped */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    getchar();
    exit(3);
}
