/* Walks and turns round linked lists, builds and frees them. */
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    long sum = 0;

    for (int round = 0; round < 240; round++) {
        struct node *list = NULL, *other = NULL;

        for (int i = 0; i < 20000; i++) {
            struct node *node = malloc(sizeof *node);

            *node = (struct node){list, i};
            list = node;
        }
        for (int walk = 0; walk < 40; walk++)
            for (struct node *node = list; node; node = node->next)
                sum += node->value & 1 ? node->value : -walk;
        while (list) {
            struct node *next = list->next;

            list->next = other;
            other = list;
            list = next;
        }
        while (other) {
            struct node *next = other->next;

            free(other);
            other = next;
        }
    }
    printf("%ld\n", sum);
}
