/* expect: budget
 * for (;;); is nothing but its own branch. */
int main()
{
    for (;;)
        ;
}
