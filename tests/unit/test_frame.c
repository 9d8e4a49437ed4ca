/* The worker's side of the referee framing: bytes from a hostile referee are
 * refused or understood, never believed. */
#include "runner/match/frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static void put(struct buf *to, uint64_t number, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        buf_add_char(to, (char)(number >> (8 * i)));
}

static void put_text(struct buf *to, const char *text)
{
    put(to, strlen(text), 4);
    buf_add_str(to, text);
}

/* The size in front of a frame whose first four bytes were kept free. */
static void seal(struct buf *frame)
{
    size_t size = frame->size - 4;

    for (unsigned i = 0; i < 4; i++)
        frame->data[i] = (char)(size >> (8 * i));
}

static const struct frame_move moves[] = {
    {.slot = 0, .act = FRAME_REPLY, .reply = {"x", 1}},
    {.slot = 1, .act = FRAME_PASS},
};
static const struct frame_context context = {
    .slots = 3,
    .view_bytes = 16,
    .move = moves,
    .moves = 2,
    .out = 0,
};

/* What a report is made of; the tests bend one member each. */
struct sketch {
    uint32_t kind, judged, legal[2], over, slots;
    int64_t score;
    uint32_t asked, slot[2];
    const char *view;
    const char *after;
};

static const struct sketch sound = {
    .kind = FRAME_REPORT,
    .judged = 2,
    .legal = {1, 1},
    .over = FRAME_GOES_ON,
    .slots = 3,
    .score = -5,
    .asked = 2,
    .slot = {0, 2},
    .view = "1 2\n",
    .after = "",
};

static void draw(const struct sketch *sketch, struct buf *frame)
{
    put(frame, 0, 4);
    put(frame, sketch->kind, 4);
    put(frame, sketch->judged, 4);
    for (unsigned i = 0; i < 2; i++) {
        put(frame, sketch->legal[i], 4);
        put_text(frame, sketch->legal[i] ? "" : "no");
    }
    put(frame, sketch->over, 4);
    put(frame, sketch->slots, 4);
    for (unsigned i = 0; i < 3; i++)
        put(frame, (uint64_t)sketch->score, 8);
    put_text(frame, "{}");
    put(frame, sketch->asked, 4);
    for (unsigned i = 0; i < sketch->asked && i < 2; i++) {
        put(frame, sketch->slot[i], 4);
        put_text(frame, sketch->view);
    }
    buf_add_str(frame, sketch->after);
    seal(frame);
}

static int parse(const struct sketch *sketch, struct frame_report *report)
{
    auto_buf struct buf frame = {0};
    struct err err = {0};

    draw(sketch, &frame);
    int status =
        frame_parse_report(frame.data, frame.size, &context, report, &err);
    if (status < 0)
        assert_int_equal(err.kind, ERR_SYSTEM);
    return status;
}

static void test_a_sound_report_is_understood(void **state)
{
    auto_buf struct buf frame = {0};
    struct frame_report report;
    struct err err;

    (void)state;
    draw(&sound, &frame);
    assert_int_equal(
        frame_parse_report(frame.data, frame.size, &context, &report, &err), 0);
    assert_int_equal(report.judged, 2);
    assert_true(report.judge[1].legal);
    assert_int_equal(report.over, FRAME_GOES_ON);
    assert_int_equal(report.score[2], -5);
    assert_int_equal(report.asked, 2);
    assert_int_equal(report.ask[1].slot, 2);
    assert_int_equal(report.ask[1].view.size, 4);
    assert_memory_equal(report.ask[1].view.bytes, "1 2\n", 4);
}

static void test_every_bent_report_is_refused(void **state)
{
    struct frame_report report;
    struct sketch bent[16];
    size_t count = 0;

    (void)state;
    for (size_t i = 0; i < 16; i++)
        bent[i] = sound;
    bent[count++].kind = FRAME_HELLO;
    bent[count++].judged = 3;
    bent[count++].legal[0] = 2;
    bent[count++].legal[1] = 0; /* refuses what was no reply */
    bent[count++].over = 3;
    bent[count++].over = FRAME_ENDED; /* over, and still asks */
    bent[count++].slots = 2;
    bent[count++].score = INT64_MAX;
    bent[count++].score = INT64_MIN;
    bent[count++].asked = 0; /* goes on, and asks nobody */
    bent[count++].asked = 4;
    bent[count++].slot[1] = 3;
    bent[count++].slot[1] = 0; /* twice */
    bent[count++].view = "no newline";
    bent[count++].view = "over sixteen bytes\n";
    bent[count++].after = "x";
    assert_int_equal(count, 16);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(parse(&bent[i], &report), -1);
    struct sketch empty_view = sound;
    empty_view.view = "";
    assert_int_equal(parse(&empty_view, &report), -1);
}

static void test_a_refused_slot_is_not_asked_again(void **state)
{
    struct frame_report report;
    struct sketch refused = sound;

    (void)state;
    refused.legal[0] = 0;
    assert_int_equal(parse(&refused, &report), -1); /* slot 0 is asked */
    refused.slot[0] = 1;
    assert_int_equal(parse(&refused, &report), 0);
    assert_false(report.judge[0].legal);
    assert_memory_equal(report.judge[0].reason.bytes, "no", 2);
}

static void test_every_cut_of_a_report_is_refused(void **state)
{
    auto_buf struct buf frame = {0};
    struct frame_report report;
    struct err err;

    (void)state;
    draw(&sound, &frame);
    for (size_t size = 0; size < frame.size; size++) {
        /* A copy of just that size, so that a sanitizer sees each over-read. */
        char *cut = malloc(size ? size : 1);
        memcpy(cut, frame.data, size);
        assert_int_equal(frame_parse_report(cut, size, &context, &report, &err),
                         -1);
        free(cut);
    }
}

static void test_no_mutation_breaks_the_parser(void **state)
{
    uint64_t chaos = 1;
    unsigned understood = 0;

    (void)state;
    for (int round = 0; round < 200000; round++) {
        auto_buf struct buf frame = {0};
        struct frame_report report;
        struct err err;

        draw(&sound, &frame);
        for (int i = 0; i < 3; i++) {
            chaos = chaos * 6364136223846793005u + 1442695040888963407u;
            frame.data[(chaos >> 40) % frame.size] = (char)(chaos >> 33);
        }
        char *exact = malloc(frame.size);
        memcpy(exact, frame.data, frame.size);
        if (frame_parse_report(exact, frame.size, &context, &report, &err) ==
            0) {
            understood++;
            for (unsigned i = 0; i < report.asked; i++)
                assert_true(report.ask[i].view.bytes +
                                report.ask[i].view.size <=
                            exact + frame.size);
        }
        free(exact);
    }
    assert_true(understood > 100); /* scores and texts may be anything */
}

static void test_hello_is_checked(void **state)
{
    static const struct {
        unsigned min, max;
        uint32_t turns;
        const char *name, *label;
        int status;
    } cases[] = {
        {2, 4, 300, "tron", "Tron", 0},     {1, 1, 1, "a-1", "A b", 0},
        {0, 4, 300, "tron", "Tron", -1},    {3, 2, 300, "tron", "Tron", -1},
        {2, 9, 300, "tron", "Tron", -1},    {2, 4, 0, "tron", "Tron", -1},
        {2, 4, 300, "Tron", "Tron", -1},    {2, 4, 300, "", "Tron", -1},
        {2, 4, 300, "tron", "", -1},        {2, 4, 300, "../x", "Tron", -1},
        {2, 4, 300, "tron", "\x1b[2J", -1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        auto_buf struct buf frame = {0};
        struct frame_hello hello;
        struct err err;

        put(&frame, 0, 4);
        put(&frame, FRAME_HELLO, 4);
        put(&frame, cases[i].min, 4);
        put(&frame, cases[i].max, 4);
        put(&frame, 77, 8);
        put(&frame, cases[i].turns, 4);
        put(&frame, 0, 8);
        put(&frame, 88, 8);
        put_text(&frame, cases[i].name);
        put_text(&frame, cases[i].label);
        seal(&frame);
        assert_int_equal(
            frame_parse_hello(frame.data, frame.size, &hello, &err),
            cases[i].status);
        if (cases[i].status == 0) {
            assert_int_equal(hello.turn_soft, 77);
            assert_int_equal(hello.view_bytes, 1 << 20);
            assert_int_equal(hello.turn_bank, 88);
        }
    }
}

static void test_frames_to_the_referee_have_the_documented_bytes(void **state)
{
    auto_buf struct buf start = {0};
    auto_buf struct buf step = {0};

    (void)state;
    frame_start(&start, 0x0102030405060708u, 2, 1, 300);
    assert_int_equal(start.size, 28);
    assert_memory_equal(start.data,
                        "\x18\0\0\0"
                        "\1\0\0\0"
                        "\x08\7\6\5\4\3\2\1"
                        "\2\0\0\0"
                        "\1\0\0\0"
                        "\x2c\1\0\0",
                        28);
    frame_step(&step, moves, 2);
    assert_int_equal(step.size, 37);
    assert_memory_equal(step.data,
                        "\x21\0\0\0"
                        "\2\0\0\0"
                        "\2\0\0\0"
                        "\0\0\0\0"
                        "\0\0\0\0"
                        "\1\0\0\0"
                        "x"
                        "\1\0\0\0"
                        "\1\0\0\0"
                        "\0\0\0\0",
                        37);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sound_report_is_understood),
        cmocka_unit_test(test_every_bent_report_is_refused),
        cmocka_unit_test(test_a_refused_slot_is_not_asked_again),
        cmocka_unit_test(test_every_cut_of_a_report_is_refused),
        cmocka_unit_test(test_no_mutation_breaks_the_parser),
        cmocka_unit_test(test_hello_is_checked),
        cmocka_unit_test(test_frames_to_the_referee_have_the_documented_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
