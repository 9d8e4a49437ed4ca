/* A match log. After a first line "chain" its chain is made right, which by
 * chance it would never be: so what lies behind that check is reached. */
#include "tests/fuzz/fuzz.h"

#include "runner/match/match_log.h"
#include "runner/match/replay.h"

static void chain_line(struct buf *log, const char *line, char *chain)
{
    static const char member[] = ",\"chain\":\"";
    const char *end = strstr(line, member);
    size_t size = strlen(line);
    bool first = log->size == 0;

    if (end) /* one that is there is made anew */
        size = (size_t)(end - line) + 1;
    auto_free char *bare = mem_dup(line, size);
    if (!first && size)
        bare[size - 1] = '}';
    match_log_chain(first ? NULL : chain, bare, size, chain);
    if (first || !size)
        buf_add_format(log, "%s\n", bare);
    else
        buf_add_format(log, "%.*s%s%s\"}\n", (int)size - 1, bare, member,
                       chain);
}

static void check(const struct replay *replay)
{
    auto_buf struct buf text = {0};

    assert(replay->slots >= 1 && replay->slots <= MATCH_MAX_SLOTS);
    for (uint32_t turn = 0; turn < replay->step_count; turn++)
        for (unsigned slot = 0; slot < replay->slots; slot++) {
            const json_t *entry = replay_entry(replay, turn, slot);
            if (!entry)
                continue;
            replay_text(entry, "view", &text);
            replay_text(entry, "reply", &text);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    auto_buf struct buf log = {0};
    char chain[HASH_HEX_SIZE] = "";
    struct replay replay = {0};
    struct err err = {0};

    if (size > 6 && !memcmp(data, "chain\n", 6)) {
        data += 6;
        size -= 6;
        while (size) {
            auto_free char *line = fuzz_line(&data, &size);
            chain_line(&log, line, chain);
        }
    } else {
        buf_add(&log, data, size);
    }
    if (replay_parse(&replay, log.data ? log.data : "", log.size, &err) == 0)
        check(&replay);
    else
        assert(err.kind == ERR_INPUT || err.kind == ERR_TOO_BIG);
    replay_release(&replay);
    return 0;
}
