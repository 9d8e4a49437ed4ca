/* The string functions, each at least once. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int main(void)
{
    char text[64] = "alpha,beta;;gamma", *save, *copy = strdup("MiXed");

    for (char *t = strtok_r(text, ",;", &save); t; t = strtok_r(NULL, ",;", &save))
        printf("[%s]", t);
    printf("%zu %zu %zu\n", strspn("aabbc", "ab"), strcspn("hello", "lo"),
           strnlen("abcdef", 3));
    printf("%s %s %s\n", strchr("a.b.c", '.'), strrchr("a.b.c", '.'),
           strstr("haystack with needle in it", "needle"));
    printf("%d %d %d\n", strcmp("a", "b") < 0, strncmp("abcd", "abce", 3),
           strcasecmp("HELLO", "hello"));
    for (char *c = copy; *c; c++)
        *c = (char)(islower((unsigned char)*c) ? toupper((unsigned char)*c)
                                               : tolower((unsigned char)*c));
    printf("%s %s\n", copy, strpbrk("value=7", "=:"));
    memset(text, '-', 20);
    memmove(text + 3, "0123456789", 10);
    memmove(text + 5, text + 3, 10);
    text[20] = 0;
    printf("%s %d %ld\n", text, memcmp("abc", "abd", 3) < 0,
           (long)((char *)memchr(text, '7', 20) - text));
    strncpy(text, "long text", 4);
    strncat(text, "tail", 2);
    printf("%s\n", text);
    free(copy);
    return 0;
}
