/* expect: crash bad function pointer
 * inputs: 1, 8, 16, 48, 160, 4194304, 1073741824, 34359738368, -16
 * A call of a number that is no function of this type. */
#include <stdint.h>
#include <stdio.h>

struct odd {
    int a[5];
};
typedef struct odd odd_function(double, struct odd, char, float);

int main(void)
{
    long value = 0;

    scanf("%ld", &value);
    odd_function *volatile call = (odd_function *)(uintptr_t)value;
    struct odd got = call(1.0, (struct odd){{1}}, 'x', 2.0f);
    printf("came back %d\n", got.a[0]);
    return 0;
}
