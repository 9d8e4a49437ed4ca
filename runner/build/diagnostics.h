/* diagnostics: what the toolchain says about a submission, as contract section
 * 6 shows it: [{"file","line","severity","message"}].
 *
 * `file` is a path of the upload, "<libc>/include/..." or "" where nothing is
 * known; `line` is null then. Text that is not UTF-8 comes with U+FFFD in the
 * place of bad bytes. At most DIAGNOSTICS_MAX entries and DIAGNOSTICS_MAX_BYTES
 * of text are kept, errors before others; a last entry says that some are
 * missing. No host path and no file's content is in them.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define DIAGNOSTICS_MAX 50u
#define DIAGNOSTICS_MAX_BYTES 65536u

/* The caller owns it: start with diagnostics_init, end with release. */
struct diagnostics {
    json_t *list;
    size_t bytes;
    bool cut;
};

void diagnostics_init(struct diagnostics *diagnostics);
void diagnostics_release(struct diagnostics *diagnostics);

/* `line` 0: unknown. `file` may be "". Severities: error, warning, note. */
void diagnostics_add(struct diagnostics *diagnostics, const char *file,
                     unsigned line, const char *severity, const char *message);
void diagnostics_add_format(struct diagnostics *diagnostics, const char *file,
                            unsigned line, const char *format, ...)
    __attribute__((format(printf, 4, 5))); /* severity error */

/* clang's plain text: "file:line:column: severity: message" a line. Lines of
 * another form ("In file included from", "2 errors generated.") are dropped.
 * Returns the number of errors among them. */
size_t diagnostics_add_clang(struct diagnostics *diagnostics, const char *text,
                             size_t size);

/* bout-meter's document; false if the text is not one. */
bool diagnostics_add_meter(struct diagnostics *diagnostics, const char *text,
                           size_t size);

/* A copy with every byte that is not UTF-8 replaced; free it. */
char *diagnostics_utf8(const char *text, size_t size);
