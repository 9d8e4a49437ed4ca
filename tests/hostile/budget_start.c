/* expect: budget; detail over startup of 100000000; turn 0; status stopped
 * Thinks for ever before it reads anything. */
int main(void)
{
    volatile int going = 1;

    while (going)
        ;
    return 0;
}
