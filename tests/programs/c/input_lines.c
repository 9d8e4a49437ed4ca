/* fgets, getchar and ungetc, getline, scanf on one stream. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char line[16], word[20];
    int n, c;

    if (scanf("%d", &n) == 1)
        printf("n=%d\n", n);
    while ((c = getchar()) != EOF && c != '#')
        ;
    ungetc('@', stdin);
    if (fgets(line, sizeof line, stdin))
        printf("%s|\n", line);
    if (scanf(" %19[^,],%d", word, &n) == 2)
        printf("%s %d\n", word, n);
    char *text = NULL;
    size_t size = 0;
    ssize_t got;
    while ((got = getline(&text, &size, stdin)) > 0)
        printf("%zd %s", got, text);
    printf("eof %d\n", feof(stdin) != 0);
    free(text);
    return 0;
}
