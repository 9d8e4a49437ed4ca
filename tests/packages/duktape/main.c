/* Runs the ECMAScript programs of standard input, each in a fresh heap: a line
 * `//8<-- NAME` begins one. Prints what they print and how each ended. */
#include "duktape.h"

#include <stdio.h>
#include <string.h>

static char text[1 << 20];

static duk_ret_t print(duk_context *js)
{
    duk_push_string(js, " ");
    duk_insert(js, 0);
    duk_join(js, duk_get_top(js) - 1);
    printf("%s\n", duk_to_string(js, -1));
    return 0;
}

static void run(const char *name, const char *script, size_t size)
{
    duk_context *js = duk_create_heap_default();

    duk_push_c_function(js, print, DUK_VARARGS);
    duk_put_global_string(js, "print");
    if (duk_peval_lstring(js, script, size))
        printf("%s: %s\n", name, duk_safe_to_string(js, -1));
    else
        printf("%s: ok\n", name);
    duk_destroy_heap(js);
}

int main(void)
{
    size_t size = fread(text, 1, sizeof(text) - 1, stdin);
    char *at = text;

    text[size] = '\0';
    while (strncmp(at, "//8<-- ", 7) == 0) {
        char *script = strchr(at, '\n') + 1;
        char *end = strstr(script, "//8<-- ");

        script[-1] = '\0';
        run(at + 7, script, end ? (size_t)(end - script) : strlen(script));
        at = end ? end : script + strlen(script);
    }
}
