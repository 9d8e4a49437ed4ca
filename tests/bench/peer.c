/* peer: an ordinary program that echoes messages of 64 bytes. */
#include <unistd.h>

int main(void)
{
    char text[64];

    while (read(0, text, sizeof text) == sizeof text)
        if (write(1, text, sizeof text) != sizeof text)
            return 1;
    return 0;
}
