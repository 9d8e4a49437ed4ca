/* An exit code that a shell's tools use for what they find themselves. */
int main(void)
{
    return 124;
}
