#include "instrument/meter/json.h"

#include <string.h>

/* Bytes of the UTF-8 sequence at `text` (RFC 3629), 0 if there is none. */
static size_t utf8_size(const unsigned char *text, size_t size)
{
    unsigned char lead = text[0];
    size_t want = lead < 0x80   ? 1
                  : lead < 0xc2 ? 0
                  : lead < 0xe0 ? 2
                  : lead < 0xf0 ? 3
                  : lead < 0xf5 ? 4
                                : 0;

    if (!want || want > size)
        return 0;
    for (size_t i = 1; i < want; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    if (want == 3 &&
        ((lead == 0xe0 && text[1] < 0xa0) || (lead == 0xed && text[1] >= 0xa0)))
        return 0;
    if (want == 4 &&
        ((lead == 0xf0 && text[1] < 0x90) || (lead == 0xf4 && text[1] >= 0x90)))
        return 0;
    return want;
}

void json_add_string_size(struct buf *out, const char *text, size_t size)
{
    const unsigned char *at = (const unsigned char *)text;

    buf_add_char(out, '"');
    for (size_t i = 0; i < size;) {
        size_t length = utf8_size(at + i, size - i);

        if (!length)
            buf_add_str(out, "\\ufffd");
        else if (at[i] == '"' || at[i] == '\\')
            buf_add_format(out, "\\%c", at[i]);
        else if (at[i] < 0x20 || at[i] == 0x7f)
            buf_add_format(out, "\\u%04x", at[i]);
        else
            buf_add(out, at + i, length);
        i += length ? length : 1;
    }
    buf_add_char(out, '"');
}

void json_add_string(struct buf *out, const char *text)
{
    json_add_string_size(out, text, strlen(text));
}
