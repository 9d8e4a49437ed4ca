/* expect: rejected asm label
 * A counter's symbol by an asm label. */
extern unsigned long counter __asm__("C.bot.main");

int main(void)
{
    counter = 0;
    return 0;
}
