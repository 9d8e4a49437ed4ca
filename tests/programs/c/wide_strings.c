/* wchar_t: lengths, searches, classes, numbers, wide formatting. */
#include <stdio.h>
#include <wchar.h>
#include <wctype.h>

int main(void)
{
    wchar_t text[40], copy[40];
    const wchar_t *source = L"Hello wide World 42";

    wcscpy(text, source);
    wcscat(text, L"!");
    for (wchar_t *w = text; *w; w++)
        *w = (wchar_t)(iswupper((wint_t)*w) ? towlower((wint_t)*w)
                                            : towupper((wint_t)*w));
    swprintf(copy, 40, L"<%ls|%d|%5.2f>", L"abc", 42, 2.5);
    printf("%zu %zu %d\n", wcslen(text), sizeof *text, wcscmp(text, source) > 0);
    for (wchar_t *w = text; *w; w++)
        putchar((char)*w);
    putchar('\n');
    for (wchar_t *w = copy; *w; w++)
        putchar((char)*w);
    printf("\n%ld %ld\n", wcstol(L"123abc", NULL, 10),
           (long)(wcschr(source, L'W') - source));
    wchar_t *state, *word = wcstok(text, L" ", &state);
    int words = 0;
    for (; word; word = wcstok(NULL, L" ", &state))
        words++;
    printf("%d\n", words);
    return 0;
}
