/* alloca in a loop: each block stays until the function returns. */
#include <alloca.h>
#include <stdio.h>
#include <string.h>

struct node {
    struct node *next;
    int value;
};

static long chain(int n)
{
    struct node *head = NULL;
    long total = 0;

    for (int i = 0; i < n; i++) {
        struct node *node = alloca(sizeof *node + (size_t)(i % 5));

        node->next = head;
        node->value = i * i;
        head = node;
    }
    for (; head; head = head->next)
        total += head->value;
    return total;
}

int main(void)
{
    for (int n = 1; n < 3000; n *= 3)
        printf("%ld\n", chain(n));
    return 0;
}
