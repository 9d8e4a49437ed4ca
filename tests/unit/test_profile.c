/* Blocks of a program's own: the calls, the stream, its reader. */
#include "profiler/decode.h"
#include "profiler/profile.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

static char memory[1 << 20];
static struct buf stream;

static void write_stream(void *data, uint64_t size)
{
    assert_int_equal(size % sizeof(struct record), 0);
    buf_add(&stream, data, size);
}

static void start(uint64_t size)
{
    buf_clear(&stream);
    assert_int_equal(profile_initialize("test", memory, size), 0);
    profile_output(write_stream);
    profile_output_wait(1);
    profile_enable(1);
}

/* What was decoded, as text: "kind name(parent's name) number". */
struct seen {
    struct buf text;
    char *name[100000];
    unsigned long items;
    uint64_t last_end;
};

static void take(void *user, const struct decode_item *item)
{
    struct seen *seen = user;
    const char *parent = item->parent ? seen->name[item->parent] : "";

    seen->items++;
    if (!strcmp(item->text, "profile_io"))
        return;
    seen->name[item->id] = mem_dup_str(item->text);
    buf_add_format(&seen->text, "%d %s(%s) ", (int)item->kind, item->text,
                   parent);
    if (item->kind == RECORD_FRAME)
        buf_add_format(&seen->text, "%llu ", (unsigned long long)item->end);
}

static struct seen *decode(const void *bytes, size_t size, size_t step,
                           struct decoder *decoder)
{
    struct seen *seen = mem_calloc(1, sizeof *seen);

    decoder_init(decoder, take, seen);
    for (size_t at = 0; at < size; at += step)
        decoder_feed(decoder, (const char *)bytes + at,
                     size - at < step ? size - at : step);
    decoder_end(decoder);
    if (!seen->text.data)
        buf_add_str(&seen->text, "");
    return seen;
}

static void seen_free(struct seen *seen)
{
    buf_release(&seen->text);
    for (size_t i = 0; i < 100000; i++)
        free(seen->name[i]);
    free(seen);
}

static void test_the_stream_has_the_tree_of_the_calls(void **state)
{
    struct decoder decoder;
    char name[8] = "inner";

    (void)state;
    start(sizeof memory);
    profile_begin_block("outer");
    profile_begin_block(name);
    profile_end_block();
    strcpy(name, "XXXXX"); /* it was copied at the call */
    profile_begin_block("second");
    profile_log("hello");
    profile_end_block();
    profile_end_block();
    profile_end_frame(17);
    profile_end_block(); /* one too many: nothing happens */
    assert_string_equal(profile_identifier(), "test");
    assert_int_equal(profile_shutdown(), 0);
    struct seen *seen = decode(stream.data, stream.size, 7, &decoder);
    assert_string_equal(seen->text.data,
                        "4 outer() 4 inner(outer) 4 second(outer) "
                        "6 hello(second) 5 () 17 ");
    assert_string_equal(decoder.identifier, "test");
    assert_true(decoder.ticks_per_second > 1000000);
    assert_true(decoder.has_ended);
    assert_int_equal(decoder.damages, 0);
    assert_int_equal(decoder.lost, 0);
    seen_free(seen);
    decoder_release(&decoder);
}

static void test_texts_of_any_length_survive(void **state)
{
    struct decoder decoder;
    char text[1001];

    (void)state;
    for (size_t size = 0; size <= 1000; size += size < 100 ? 1 : 50) {
        memset(text, 'a', size);
        text[size] = '\0';
        start(sizeof memory);
        profile_log(text);
        profile_begin_block(text);
        profile_end_block();
        assert_int_equal(profile_shutdown(), 0);
        struct seen *seen = decode(stream.data, stream.size, 64, &decoder);
        auto_free char *expected = mem_format("6 %s() 4 %s() ", text, text);
        assert_string_equal(seen->text.data, expected);
        seen_free(seen);
        decoder_release(&decoder);
    }
}

static void test_off_does_nothing_and_toggling_keeps_balance(void **state)
{
    struct decoder decoder;

    (void)state;
    profile_begin_block("before initialize");
    profile_end_block();
    start(sizeof memory);
    profile_begin_block("kept");
    profile_enable(0);
    profile_begin_block("left out");
    profile_log("left out");
    profile_enable(1);
    profile_end_block(); /* of "left out" */
    profile_begin_block("inside");
    profile_end_block();
    profile_end_block(); /* of "kept" */
    for (int frame = 0; frame < 300; frame++) {
        if (frame % 30 == 0)
            profile_enable(frame / 30 % 2);
        profile_begin_block("toggled");
        profile_end_block();
        profile_end_frame((uint64_t)frame);
    }
    assert_int_equal(profile_shutdown(), 0);
    struct seen *seen = decode(stream.data, stream.size, 64, &decoder);
    assert_non_null(strstr(seen->text.data, "4 kept() 4 inside(kept) "));
    assert_null(strstr(seen->text.data, "left out"));
    assert_non_null(strstr(seen->text.data, "5 () 31 "));
    assert_null(strstr(seen->text.data, "5 () 61 "));
    seen_free(seen);
    decoder_release(&decoder);
}

static void test_without_blocks_calls_are_left_out_and_balanced(void **state)
{
    struct decoder decoder;

    (void)state;
    assert_int_equal(profile_initialize("small", memory, 100), -1);
    start(96 * 4 + 15); /* three blocks */
    profile_output_wait(1000000);
    profile_begin_block("one");
    profile_begin_block("two");
    profile_begin_block("three");
    profile_begin_block("four: no block left");
    profile_begin_block("five: nor here");
    profile_end_block();
    profile_end_block();
    profile_end_block(); /* three, and not two */
    profile_end_block();
    profile_end_block();
    assert_true(profile_shutdown() >= 1);
    struct seen *seen = decode(stream.data, stream.size, 64, &decoder);
    assert_string_equal(seen->text.data, "4 one() 4 two(one) 4 three(two) ");
    assert_true(decoder.lost >= 1);
    seen_free(seen);
    decoder_release(&decoder);
}

static void test_open_blocks_are_counted_at_the_end(void **state)
{
    (void)state;
    start(sizeof memory);
    profile_begin_block("never ended");
    assert_int_equal(profile_shutdown(), 1);
    start(sizeof memory); /* and a new profiler starts afresh */
    profile_begin_block("fine");
    profile_end_block();
    assert_int_equal(profile_shutdown(), 0);
}

static void *leave_open(void *data)
{
    profile_begin_block("left open");
    profile_begin_block("this too");
    return data;
}

static void test_a_thread_that_ends_ends_its_blocks(void **state)
{
    struct decoder decoder;
    pthread_t thread;

    (void)state;
    start(sizeof memory);
    pthread_create(&thread, NULL, leave_open, NULL);
    pthread_join(thread, NULL);
    assert_int_equal(profile_shutdown(), 0);
    struct seen *seen = decode(stream.data, stream.size, 64, &decoder);
    assert_string_equal(seen->text.data,
                        "4 left open() 4 this too(left open) ");
    seen_free(seen);
    decoder_release(&decoder);
}

static void pin(size_t cpu)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    assert_int_equal(sched_setaffinity(0, sizeof set, &set), 0);
}

static void test_a_block_is_split_where_the_core_changes(void **state)
{
    struct decoder decoder;
    cpu_set_t before;

    (void)state;
    sched_getaffinity(0, sizeof before, &before);
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
        skip();
        return;
    }
    pin(0);
    start(sizeof memory);
    profile_begin_block("a block with a name longer than 24 letters");
    pin(1);
    profile_update_block();
    profile_begin_block("child");
    pin(0);
    profile_end_block(); /* splits the parent too */
    profile_end_block();
    assert_int_equal(profile_shutdown(), 0);
    sched_setaffinity(0, sizeof before, &before);
    struct seen *seen = decode(stream.data, stream.size, 64, &decoder);
#define LONG "a block with a name longer than 24 letters"
    assert_string_equal(seen->text.data, "4 " LONG "() 4 " LONG
                                         "() 4 child(" LONG ") 4 " LONG "() ");
    seen_free(seen);
    decoder_release(&decoder);
}

/* ---- the reader ---------------------------------------------------------- */

static void fill_stream(void)
{
    start(sizeof memory);
    for (int i = 0; i < 400; i++) {
        profile_begin_block("a name that needs two records to be told");
        profile_trylock("lock");
        profile_begin_block("short");
        profile_lock("lock");
        profile_end_block();
        profile_end_block();
        profile_end_frame((uint64_t)i);
        if (i % 20 == 0)
            usleep(2000); /* several writes, so several heads */
    }
    assert_int_equal(profile_shutdown(), 0);
}

static void test_a_late_reader_joins_at_the_next_head(void **state)
{
    (void)state;
    fill_stream();
    struct decoder decoder;
    size_t whole = stream.size;
    size_t joined = 0;
    for (size_t from = 0; from < whole; from += whole / 37 + 1) {
        struct seen *seen =
            decode(stream.data + from, whole - from, 1000, &decoder);
        assert_int_equal(decoder.damages, 0);
        joined += seen->items > 0;
        seen_free(seen);
        decoder_release(&decoder);
    }
    assert_true(joined > 1);
}

static void test_a_cut_stream_is_read_up_to_the_cut(void **state)
{
    (void)state;
    fill_stream();
    for (size_t size = 0; size < 4000; size += 13) {
        struct decoder decoder;
        struct seen *seen = decode(stream.data, size, 64, &decoder);
        assert_false(decoder.has_ended);
        assert_int_equal(decoder.damages != 0,
                         size >= 64 && (size % 64 || decoder.missing));
        seen_free(seen);
        decoder_release(&decoder);
    }
}

static void test_the_other_byte_order_is_read(void **state)
{
    struct decoder decoder;
    struct decoder again;

    (void)state;
    fill_stream();
    struct seen *plain = decode(stream.data, stream.size, 64, &decoder);
    auto_free char *swapped = mem_dup(stream.data, stream.size);
    for (size_t at = 0; at < stream.size; at += 64) {
        struct record record;
        memcpy(&record, swapped + at, 64);
        uint32_t *word[] = {&record.kind,   &record.id,        &record.parent,
                            &record.thread, &record.processor, &record.more};
        for (int i = 0; i < 6; i++)
            *word[i] = __builtin_bswap32(*word[i]);
        record.start = __builtin_bswap64(record.start);
        record.end = __builtin_bswap64(record.end);
        memcpy(swapped + at, &record, 64);
    }
    struct seen *other = decode(swapped, stream.size, 64, &again);
    assert_string_equal(plain->text.data, other->text.data);
    assert_int_equal(decoder.ticks_per_second, again.ticks_per_second);
    seen_free(plain);
    seen_free(other);
    decoder_release(&decoder);
    decoder_release(&again);
}

/* Bytes changed at random, from a fixed seed: whatever comes, it ends, and the
 * tree can be printed. */
static void test_a_hostile_stream_is_survived(void **state)
{
    uint64_t random = 88172645463325252u;

    (void)state;
    fill_stream();
    for (int round = 0; round < 300; round++) {
        struct decode_tree *tree = decode_tree_new();
        struct decoder decoder;
        struct buf out = {0};
        auto_free char *bytes = mem_dup(stream.data, stream.size);
        for (int i = 0; i < round; i++) {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            bytes[random % stream.size] = (char)(random >> 32);
        }
        decoder_init(&decoder, decode_tree_take, tree);
        decoder_feed(&decoder, bytes, stream.size);
        decoder_end(&decoder);
        decode_tree_format(tree, &decoder, &out);
        assert_true(out.size > 0);
        buf_release(&out);
        decode_tree_free(tree);
        decoder_release(&decoder);
    }
}

static void test_the_tree_shows_calls_and_waits(void **state)
{
    struct decode_tree *tree = decode_tree_new();
    struct decoder decoder;
    struct buf out = {0};

    (void)state;
    fill_stream();
    decoder_init(&decoder, decode_tree_take, tree);
    decoder_feed(&decoder, stream.data, stream.size);
    decoder_end(&decoder);
    decode_tree_format(tree, &decoder, &out);
    assert_non_null(strstr(out.data, "400 frames\n"));
    assert_non_null(strstr(out.data, "  a name that needs two records"));
    assert_non_null(strstr(out.data, "    short\n"));
    assert_non_null(strstr(out.data, "profile_io")); /* its own work */
    assert_non_null(strstr(out.data, "  lock\n"));
    buf_release(&out);
    decode_tree_free(tree);
    decoder_release(&decoder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_stream_has_the_tree_of_the_calls),
        cmocka_unit_test(test_texts_of_any_length_survive),
        cmocka_unit_test(test_off_does_nothing_and_toggling_keeps_balance),
        cmocka_unit_test(test_without_blocks_calls_are_left_out_and_balanced),
        cmocka_unit_test(test_open_blocks_are_counted_at_the_end),
        cmocka_unit_test(test_a_thread_that_ends_ends_its_blocks),
        cmocka_unit_test(test_a_block_is_split_where_the_core_changes),
        cmocka_unit_test(test_a_late_reader_joins_at_the_next_head),
        cmocka_unit_test(test_a_cut_stream_is_read_up_to_the_cut),
        cmocka_unit_test(test_the_other_byte_order_is_read),
        cmocka_unit_test(test_a_hostile_stream_is_survived),
        cmocka_unit_test(test_the_tree_shows_calls_and_waits),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    buf_release(&stream);
    return failed;
}
