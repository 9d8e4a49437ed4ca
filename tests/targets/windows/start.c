/* start: from the process's entry to turn 0, under Windows: start.c of
 * instrument/bot without a jail. Whatever the bot can see of its memory is at
 * the same addresses; the native stack is where there is room. */
#include "instrument/bot/inside.h"
#include "instrument/bot/syscall.h"
#include "tests/targets/windows/kernel32.h"
#include "tests/targets/windows/windows.h"

#define STEP_BYTES 0x10000u          /* Windows reserves by so much */
#define NATIVE_ADDRESS 0x4000000000u /* above all else of the bot's */

/* Of the executable, the image of the bot's data (meter/layout.h): the section
 * of this name that is not read-only; linkers cut names at a dot. */
#define DATA_SECTION ".bout\0\0"
#define PE_OFFSET_AT 0x3c
#define PE_SECTIONS_AT 6
#define PE_OPTIONAL_BYTES_AT 20
#define PE_OPTIONAL_AT 24
#define PE_SECTION_BYTES 40
#define PE_SECTION_SIZE_AT 8
#define PE_SECTION_ADDRESS_AT 12
#define PE_SECTION_FLAGS_AT 36
#define PE_SECTION_WRITE 0x80000000u

extern const uint8_t __ImageBase[];

void bot_fail(enum page_step step, long result)
{
    (void)result;
    ExitProcess(100 + (uint32_t)step);
}

/* Whole pages; `step` is what fails. */
static void map(uint64_t address, uint64_t bytes, enum page_step step)
{
    uint64_t from = address / STEP_BYTES * STEP_BYTES;

    if (bytes && (!VirtualAlloc(from, address - from + bytes, MEM_RESERVE,
                                PAGE_NOACCESS) ||
                  !VirtualAlloc(address, bytes, MEM_COMMIT, PAGE_READWRITE)))
        bot_fail(step, 0);
}

static uint32_t word_at(const uint8_t *at)
{
    return *(const uint32_t *)at;
}

static const uint8_t *find_data(void)
{
    const uint8_t *pe = __ImageBase + word_at(__ImageBase + PE_OFFSET_AT);
    uint32_t count = word_at(pe + PE_SECTIONS_AT) & 0xffff;
    const uint8_t *section =
        pe + PE_OPTIONAL_AT + (word_at(pe + PE_OPTIONAL_BYTES_AT) & 0xffff);

    for (; count; count--, section += PE_SECTION_BYTES)
        if (__bout_memcmp(section, DATA_SECTION, 8) == 0 &&
            word_at(section + PE_SECTION_FLAGS_AT) & PE_SECTION_WRITE)
            return section;
    return NULL;
}

/* What a linker script would have placed there. */
static void lay_data(uint64_t bytes)
{
    const uint8_t *section = find_data();

    map(PAGE_DATA_ADDRESS, page_round(bytes), PAGE_STEP_AREAS);
    if (section)
        __builtin_memcpy((void *)PAGE_DATA_ADDRESS,
                         __ImageBase + word_at(section + PE_SECTION_ADDRESS_AT),
                         word_at(section + PE_SECTION_SIZE_AT));
}

static void map_hidden(const struct page_start *start)
{
    uint64_t bytes = page_hidden_bytes(start);

    if (bytes > WINDOWS_HIDDEN_END - WINDOWS_HIDDEN_ADDRESS)
        bot_fail(PAGE_STEP_HIDDEN, 0);
    map(WINDOWS_HIDDEN_ADDRESS, bytes, PAGE_STEP_HIDDEN);
    bot_hidden.start = *start;
    bot_hidden.jump_offset = PAGE_HIDDEN_COUNTERS + start->counters_bytes;
}

static void map_arena(const struct page_start *start)
{
    uint64_t stack = start->stack_bytes / PAGE_BYTES * PAGE_BYTES;

    map(PAGE_HEAP_ADDRESS, bot_arena_bytes(start), PAGE_STEP_ARENA);
    map(PAGE_STACK_TOP - stack, stack, PAGE_STEP_ARENA);
    bot_hidden.heap_end = PAGE_HEAP_ADDRESS;
    bot_hidden.heap_limit = PAGE_HEAP_ADDRESS + bot_arena_bytes(start);
    bot_hidden.stack_pointer = PAGE_STACK_TOP;
    bot_hidden.stack_floor = PAGE_STACK_TOP;
    bot_hidden.stack_limit = PAGE_STACK_TOP - stack;
}

/* Windows looks for the stack of an exception within these bounds. */
static void name_stack(uint64_t from, uint64_t to)
{
    __asm__ volatile("movq %1, %%gs:0x8\n\t"
                     "movq %0, %%gs:0x10\n\t"
                     "movq %0, %%gs:0x1478"
                     :
                     : "r"(from), "r"(to)
                     : "memory");
}

uint64_t bot_prepare(void)
{
    struct page_start start;

    windows_receive(&start, sizeof start);
    map(PAGE_IO_ADDRESS, PAGE_BYTES, PAGE_STEP_AREAS);
    BOT_IO->request = PAGE_TURN_NONE;
    BOT_IO->answer = PAGE_TURN_NONE;
    map_hidden(&start);
    map(PAGE_FAR_ADDRESS, page_areas_bytes(&start) - PAGE_BYTES,
        PAGE_STEP_AREAS);
    bot_hidden.view_address = PAGE_FAR_ADDRESS;
    lay_data(start.data_bytes);
    map_arena(&start);

    map(NATIVE_ADDRESS, page_round(start.native_bytes), PAGE_STEP_NATIVE);
    name_stack(NATIVE_ADDRESS, NATIVE_ADDRESS + start.native_bytes);
    return NATIVE_ADDRESS + start.native_bytes / 16 * 16;
}

void bot_enter(void)
{
    if (windows_catch_faults() < 0)
        bot_fail(PAGE_STEP_SIGNALS, 0);
    bot_hidden.answered = PAGE_TURN_NONE;
    bot_hidden.ready = 1;
    BOT_IO->phase = PAGE_READY;
    bot_wait(PAGE_TURN_NONE);
    bot_open_memory();
}
