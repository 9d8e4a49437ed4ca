/* expect: budget
 * A loop without effect, which C++ lets a compiler assume to end. */
int main()
{
    unsigned x = 1;

    while (true) {
        if (x == 0)
            break;
        x = x * 5 + 1;
        if (x % 2 == 0)
            x++;
    }
}
