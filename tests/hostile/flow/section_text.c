/* expect: rejected section
 * Bytes among the code. */
__attribute__((section(".text"))) const unsigned char code[] = {0x0f, 0x05};

int main(void)
{
    return code[0];
}
