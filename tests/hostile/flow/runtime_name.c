/* expect: rejected belongs to the runtime
 * The runtime's own symbol, called with a number of the bot's choice. */
void __bout_charge(unsigned long);

int main(void)
{
    __bout_charge(-1ul);
    return 0;
}
