/* expect: budget
 * Two labels that lead to each other: a loop with two entries. */
int main(int argc, char **argv)
{
    static void *volatile next[] = {&&a, &&b};

    (void)argv;
    if (argc > 1)
        goto b;
a:
    goto *next[1];
b:
    goto *next[0];
}
