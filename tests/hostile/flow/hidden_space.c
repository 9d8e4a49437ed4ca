/* expect: rejected address_space
 * The address space of the counters. */
int main(void)
{
    return *(int __attribute__((address_space(256))) *)16;
}
