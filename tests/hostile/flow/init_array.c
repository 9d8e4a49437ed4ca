/* expect: rejected section
 * An entry of one's own in the list of constructors. */
static void early(void)
{
}
__attribute__((section(".init_array"),
               used)) static void (*entry)(void) = early;

int main(void)
{
    return 0;
}
