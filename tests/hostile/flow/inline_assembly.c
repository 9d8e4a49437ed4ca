/* expect: rejected assembly
 * An instruction that costs nothing. */
int main(void)
{
    __asm__ volatile("");
    return 0;
}
