#include "runner/match/match_log.h"

#include "runner/base/cleanup.h"

#include <inttypes.h>
#include <sodium.h>
#include <string.h>

/* Bytes of the UTF-8 sequence at `at`, or 0: truncated, overlong, a surrogate,
 * over U+10FFFF. Source: RFC 3629, section 4. */
static size_t utf8_length(const unsigned char *at, size_t left)
{
    unsigned char first = at[0];
    size_t length = first < 0x80   ? 1
                    : first < 0xc2 ? 0
                    : first < 0xe0 ? 2
                    : first < 0xf0 ? 3
                    : first < 0xf5 ? 4
                                   : 0;

    if (length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    if (length < 3)
        return length;
    if ((first == 0xe0 && at[1] < 0xa0) || (first == 0xed && at[1] > 0x9f) ||
        (first == 0xf0 && at[1] < 0x90) || (first == 0xf4 && at[1] > 0x8f))
        return 0;
    return length;
}

static bool text_is_plain(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size;) {
        size_t length = utf8_length((const unsigned char *)bytes + i, size - i);
        if (!length || !bytes[i])
            return false;
        i += length;
    }
    return true;
}

static void add_escaped(struct buf *to, const char *bytes, size_t size)
{
    static const char letters[] = "btn?fr"; /* 8 to 13; 11 has none */

    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c == '"' || c == '\\')
            buf_add_format(to, "\\%c", c);
        else if (c >= 8 && c <= 13 && c != 11)
            buf_add_format(to, "\\%c", letters[c - 8]);
        else if (c < ' ' || c == 127)
            buf_add_format(to, "\\u%04x", c);
        else
            buf_add_char(to, (char)c);
    }
}

void match_log_text(struct buf *to, const char *key, const char *bytes,
                    size_t size)
{
    if (text_is_plain(bytes, size)) {
        buf_add_format(to, "\"%s\":\"", key);
        add_escaped(to, bytes, size);
        buf_add_char(to, '"');
        return;
    }
    size_t room =
        sodium_base64_encoded_len(size, sodium_base64_VARIANT_ORIGINAL);
    auto_free char *base64 = mem_alloc(room);

    sodium_bin2base64(base64, room, (const unsigned char *)bytes, size,
                      sodium_base64_VARIANT_ORIGINAL);
    buf_add_format(to, "\"%s_base64\":\"%s\"", key, base64);
}

/* The text itself, or only its hash. */
static void add_text(struct buf *to, const char *key, const char *bytes,
                     size_t size, bool hashed)
{
    char hex[HASH_HEX_SIZE];

    if (!hashed) {
        match_log_text(to, key, bytes, size);
        return;
    }
    hash_bytes_hex(bytes, size, hex);
    buf_add_format(to, "\"%s_sha256\":\"%s\"", key, hex);
}

static uint64_t capped(uint64_t number)
{
    return number < LIMITS_MAX_NUMBER ? number : LIMITS_MAX_NUMBER;
}

void match_log_build(const char *seed, const char *build_hash,
                     char out[HASH_HEX_SIZE])
{
    struct hash hash;

    hash_init(&hash);
    hash_add_str(&hash, "bout log");
    hash_add_str(&hash, seed);
    hash_add_str(&hash, build_hash);
    hash_end_hex(&hash, out);
}

void match_log_chain(const char *chain, const char *line, size_t size,
                     char out[HASH_HEX_SIZE])
{
    struct hash hash;

    hash_init(&hash);
    if (chain)
        hash_add_str(&hash, chain);
    hash_add(&hash, line, size);
    hash_end_hex(&hash, out);
}

/* Chains the line that is open at the end of log->to ("{...", its last brace
 * still missing) and closes it. */
static void line_close(struct match_log *log, size_t start)
{
    buf_add_char(log->to, '}');
    match_log_chain(log->chain, log->to->data + start, log->to->size - start,
                    log->chain);
    log->to->size--; /* the brace comes after the chain */
    buf_add_format(log->to, ",\"chain\":\"%s\"}\n", log->chain);
}

void match_log_begin(struct match_log *log, struct buf *to,
                     const struct match_log_head *head)
{
    json_t *limits = limits_json(head->limits);
    auto_free char *limits_text = json_dumps(limits, JSON_COMPACT);
    json_t *seed = match_seed_json(head->seed);
    auto_free char *seed_text = json_dumps(seed, JSON_ENCODE_ANY);
    size_t start = to->size;

    json_decref(limits);
    json_decref(seed);
    *log = (struct match_log){.to = to, .cap = head->limits->match_log_bytes};
    buf_add_format(to,
                   "{\"bout\":1,\"game\":\"%s\",\"game_version\":\"%s\","
                   "\"fingerprint\":\"%s\",\"seed\":%s,\"limits\":%s,"
                   "\"builds\":[",
                   head->game, head->game_version, head->fingerprint, seed_text,
                   limits_text);
    for (unsigned slot = 0; slot < head->slots; slot++) {
        char hex[HASH_HEX_SIZE];
        match_log_build(head->seed, head->build[slot], hex);
        buf_add_format(to, "%s\"%s\"", slot ? "," : "", hex);
    }
    buf_add_str(to, "]}");
    match_log_chain(NULL, to->data + start, to->size - start, log->chain);
    buf_add_char(to, '\n');
}

static void add_step(struct match_log *log, uint32_t turn,
                     const struct match_log_entry *entry, size_t count)
{
    struct buf *to = log->to;

    buf_add_format(to, "{\"turn\":%" PRIu32 ",\"slots\":[", turn);
    for (size_t i = 0; i < count; i++) {
        const struct match_turn *row = entry[i].row;

        buf_add_format(to, "%s{\"slot\":%" PRIu32 ",", i ? "," : "", row->slot);
        add_text(to, "view", entry[i].view, entry[i].view_size, log->hashed);
        buf_add_char(to, ',');
        add_text(to, "reply", row->reply, row->reply_size, log->hashed);
        buf_add_format(to, ",\"status\":\"%s\",\"instructions\":",
                       turn_status_text(row->status));
        if (row->counted)
            buf_add_format(to, "%" PRIu64, capped(row->instructions));
        else
            buf_add_str(to, "null");
        buf_add_format(to, ",\"memory_bytes\":%" PRIu64 "}",
                       capped(row->memory_bytes));
    }
    buf_add_char(to, ']');
}

void match_log_step(struct match_log *log, uint32_t turn,
                    const struct match_log_entry *entry, size_t count)
{
    /* What line_close appends: the member, its hex, brace and newline. */
    static const size_t tail = sizeof(",\"chain\":\"\"}\n") - 1 + 64;
    size_t start = log->to->size;

    add_step(log, turn, entry, count);
    if (!log->hashed && log->to->size + tail > log->cap) {
        log->hashed = true;
        log->to->size = start;
        add_step(log, turn, entry, count);
    }
    line_close(log, start);
}

void match_log_end(struct match_log *log, const struct match_result *result,
                   unsigned slots)
{
    struct buf *to = log->to;
    size_t start = to->size;

    buf_add_str(to, "{\"results\":[");
    for (unsigned slot = 0; slot < slots; slot++) {
        buf_add_format(to,
                       "%s{\"slot\":%u,\"rank\":%u,\"score\":%" PRId64
                       ",\"verdict\":\"%s\",",
                       slot ? "," : "", slot, result[slot].rank,
                       result[slot].score, verdict_text(result[slot].verdict));
        match_log_text(to, "detail", result[slot].detail,
                       strlen(result[slot].detail));
        buf_add_format(to, ",\"instructions\":%" PRIu64 "}",
                       capped(result[slot].instructions));
    }
    buf_add_char(to, ']');
    line_close(log, start);
}
