/* expect: budget | stack
 * Calls itself for ever; as a tail call it is a loop. */
static int down(unsigned n)
{
    return down(n + 1);
}

int main(void)
{
    return down(0);
}
