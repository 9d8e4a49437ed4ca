/* The scan: patterns on code, and the form of an executable. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "instrument/bot/page.h"
#include "instrument/meter/scan.h"
#include "instrument/meter/scan_internal.h"

#include <stdlib.h>
#include <string.h>

struct sample {
    const char *what; /* of the message, or NULL: clean */
    uint8_t size;
    uint8_t bytes[12];
};

static const struct sample samples[] = {
    {"syscall", 2, {0x0f, 0x05}},
    {"syscall", 3, {0x90, 0x0f, 0x05}},
    {"syscall", 3, {0x48, 0x0f, 0x05}}, /* behind a prefix */
    {"sysenter", 2, {0x0f, 0x34}},
    {"int in", 2, {0xcd, 0x80}},
    {"fs or gs base", 5, {0xf3, 0x48, 0x0f, 0xae, 0xc8}},
    {"fs or gs base", 4, {0xf3, 0x0f, 0xae, 0xd8}},
    /* inside the constant of mov rax, imm64 */
    {"the bytes of an fs or gs base",
     10,
     {0x48, 0xb8, 0xf3, 0x48, 0x0f, 0xae, 0xc8, 0xc3, 0x00, 0x00}},
    {"rdtsc", 2, {0x0f, 0x31}},
    {"rdtscp", 3, {0x0f, 0x01, 0xf9}},
    {"rdpmc", 2, {0x0f, 0x33}},
    {"cpuid", 2, {0x0f, 0xa2}},
    {"rdrand", 3, {0x0f, 0xc7, 0xf0}},
    {"rdrand", 4, {0x48, 0x0f, 0xc7, 0xf8}},
    {"xgetbv", 3, {0x0f, 0x01, 0xd0}},
    {"mov to a segment", 2, {0x8e, 0xe8}},
    {"pop gs", 2, {0x0f, 0xa9}},
    {"far return", 1, {0xcb}},
    {"a gs operand", 9, {0x65, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0}},
    {"a gs operand", 8, {0x65, 0x48, 0xff, 0x05, 0, 0, 0, 0}},
    {"an fs operand through a register", 4, {0x64, 0x48, 0xff, 0x00}},
    {"an fs operand through a register",
     9,
     {0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0}}, /* absolute: no base */
    {"no instruction", 1, {0x06}},             /* push es: not in 64-bit mode */
    {"no instruction", 3, {0x90, 0x48, 0xb8}}, /* cut off */
    /* incq %fs:d(%rip); addq $-1, %fs:d(%rip) */
    {NULL, 8, {0x64, 0x48, 0xff, 0x05, 0, 0, 0, 0}},
    {NULL, 9, {0x64, 0x48, 0x83, 0x05, 0, 0, 0, 0, 0xff}},
    /* mov eax, 0x50f: the bytes of syscall where none begins */
    {NULL, 5, {0xb8, 0x0f, 0x05, 0x00, 0x00}},
    {NULL, 2, {0x0f, 0x0b}},             /* ud2 */
    {NULL, 1, {0xcc}},                   /* what the linker fills with */
    {NULL, 3, {0x0f, 0xae, 0xe8}},       /* lfence */
    {NULL, 2, {0xff, 0xd0}},             /* call rax */
    {NULL, 4, {0x0f, 0xc7, 0x0f, 0x90}}, /* cmpxchg8b (memory), nop */
};

typedef int scan_function(const struct scan_file *, const struct scan_range *,
                          struct err *);

static void check_sample(scan_function *scan, size_t i, const char *what,
                         const void *bytes, size_t size)
{
    struct scan_file file = {.bytes = bytes, .size = size};
    struct scan_range code = {0, size, 0x401000};
    struct err err = {0};
    int done = scan(&file, &code, &err);

    if (!what && done < 0)
        fail_msg("sample %zu: %s", i, err.msg);
    if (what && (done == 0 || !strstr(err.msg, what)))
        fail_msg("sample %zu: %s expected, got %s", i, what,
                 done < 0 ? err.msg : "nothing");
    if (what)
        assert_int_equal(ERR_INPUT, err.kind);
}

static void test_forbidden_instructions_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        check_sample(scan_code_x86_64, i, samples[i].what, samples[i].bytes,
                     samples[i].size);
}

struct word {
    const char *what;
    uint32_t word;
};

/* Assembled by llvm-mc-19 --triple=aarch64 -mattr=+all. */
static const struct word words[] = {
    {"svc", 0xd4000001},               /* svc #0 */
    {"svc", 0xd41fffe1},               /* svc #0xffff */
    {"svc", 0xd4000002},               /* hvc #0 */
    {"svc", 0xd4400000},               /* hlt #0 */
    {"svc", 0xd4a00001},               /* dcps1 */
    {"system", 0xd51bd040},            /* msr tpidr_el0, x0 */
    {"system", 0xd53be040},            /* mrs x0, cntvct_el0 */
    {"system", 0xd53be000},            /* mrs x0, cntfrq_el0 */
    {"system", 0xd53bd060},            /* mrs x0, tpidrro_el0 */
    {"system", 0xd5380000},            /* mrs x0, midr_el1 */
    {"system", 0xd53b0020},            /* mrs x0, ctr_el0 */
    {"system", 0xd53b9d00},            /* mrs x0, pmccntr_el0 */
    {"system", 0xd53b2400},            /* mrs x0, rndr */
    {"system", 0xd53b4400},            /* mrs x0, fpcr */
    {"system", 0xd51b4400},            /* msr fpcr, x0 */
    {"system", 0xd503207f},            /* wfi */
    {"system", 0xd503205f},            /* wfe */
    {"system", 0xd50b7420},            /* dc zva, x0 */
    {"system", 0xd50b7520},            /* ic ivau, x0 */
    {"eret", 0xd69f03e0},              /* eret */
    {"eret", 0xd61f081f},              /* braaz x0 */
    {"a word that is no", 0xffffffff}, /* */
    {"a word that is no", 0x04bf5000}, /* rdvl x0, #0 */
    {"a word that is no", 0x9ac01000}, /* irg x0, x0 */
    {NULL, 0xd53bd041},                /* mrs x1, tpidr_el0 */
    {NULL, 0xd4200020},                /* brk #1 */
    {NULL, 0xd503201f},                /* nop */
    {NULL, 0xd61f0000},                /* br x0 */
    {NULL, 0xd63f0100},                /* blr x8 */
    {NULL, 0xd65f03c0},                /* ret */
    {NULL, 0x00000000},                /* udf #0: what the linker fills with */
    {NULL, 0xf9400020},                /* ldr x0, [x1] */
    {NULL, 0x1e622820},                /* fadd d0, d1, d2 */
};

static void test_forbidden_words_are_found(void **state)
{
    static const uint8_t half[] = {0x1f, 0x20};

    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        uint8_t bytes[8] = {0x1f, 0x20, 0x03, 0xd5}; /* nop */

        for (unsigned k = 0; k < 4; k++)
            bytes[4 + k] = (uint8_t)(words[i].word >> 8 * k);
        check_sample(scan_code_aarch64, i, words[i].what, bytes, sizeof bytes);
    }
    check_sample(scan_code_aarch64, 0, "a piece of", half, sizeof half);
}

/* ---- the form -------------------------------------------------------------
 */

/* A small executable of the right form; tests break one thing each. */
struct image {
    Elf64_Ehdr head;
    Elf64_Phdr segment[4];
    Elf64_Shdr section[3];
    char names[32];
    uint8_t runtime[16];
    uint8_t code[16];
};

static void make_image(struct image *image)
{
    *image = (struct image){
        .head =
            {
                .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
                            ELFDATA2LSB, EV_CURRENT},
                .e_type = ET_EXEC,
                .e_machine = EM_X86_64,
                .e_entry = PAGE_TEXT_ADDRESS,
                .e_phoff = offsetof(struct image, segment),
                .e_phentsize = sizeof(Elf64_Phdr),
                .e_phnum = 4,
                .e_shoff = offsetof(struct image, section),
                .e_shentsize = sizeof(Elf64_Shdr),
                .e_shnum = 3,
                .e_shstrndx = 1,
            },
        .segment =
            {
                {.p_type = PT_LOAD,
                 .p_flags = PF_R | PF_X,
                 .p_offset = offsetof(struct image, runtime),
                 .p_vaddr = PAGE_TEXT_ADDRESS,
                 .p_filesz = 32,
                 .p_memsz = 32},
                {.p_type = PT_LOAD,
                 .p_flags = PF_R,
                 .p_vaddr = PAGE_TEXT_ADDRESS + PAGE_BYTES},
                {.p_type = PT_LOAD,
                 .p_flags = PF_R | PF_W,
                 .p_vaddr = PAGE_DATA_ADDRESS,
                 .p_memsz = 4096},
                {.p_type = PT_GNU_STACK, .p_flags = PF_R | PF_W},
            },
        .section =
            {
                {0},
                {.sh_name = 1,
                 .sh_type = SHT_STRTAB,
                 .sh_offset = offsetof(struct image, names),
                 .sh_size = 32},
                {.sh_name = 7,
                 .sh_type = SHT_PROGBITS,
                 .sh_addr = PAGE_TEXT_ADDRESS,
                 .sh_offset = offsetof(struct image, runtime),
                 .sh_size = 16},
            },
        .names = "\0names\0" SCAN_RUNTIME_SECTION,
        .runtime = {0x0f, 0x05}, /* the runtime may */
    };
    memset(image->code, 0x90, sizeof image->code);
}

static int scan_image(struct image *image, size_t size, struct err *err)
{
    struct buf elf = {.data = (char *)image, .size = size};

    return scan_executable(&elf, NULL, err);
}

static void refuse_image(struct image *image, const char *what)
{
    struct err err = {0};

    if (scan_image(image, sizeof *image, &err) == 0)
        fail_msg("%s: accepted", what);
    if (!strstr(err.msg, what))
        fail_msg("expected %s, got: %s", what, err.msg);
}

static void test_the_form_is_accepted(void **state)
{
    struct image image;
    struct err err = {0};

    (void)state;
    make_image(&image);
    if (scan_image(&image, sizeof image, &err) < 0)
        fail_msg("%s", err.msg);
}

static void test_a_syscall_outside_the_runtime_is_found(void **state)
{
    struct image image;

    (void)state;
    make_image(&image);
    image.code[3] = 0x0f;
    image.code[4] = 0x05;
    refuse_image(&image, "syscall");
}

static void test_writable_code_is_refused(void **state)
{
    struct image image;

    (void)state;
    make_image(&image);
    image.segment[0].p_flags |= PF_W;
    refuse_image(&image, "writable and executable");
    make_image(&image);
    image.segment[3].p_flags |= PF_X;
    refuse_image(&image, "stack is executable");
    make_image(&image);
    image.head.e_phnum = 3;
    refuse_image(&image, "no header says");
}

static void test_other_program_headers_are_refused(void **state)
{
    static const uint32_t kinds[] = {PT_INTERP, PT_DYNAMIC, PT_TLS,
                                     PT_GNU_RELRO, PT_NOTE};
    struct image image;

    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        make_image(&image);
        image.segment[1].p_type = kinds[i];
        refuse_image(&image, "a kind that no bot has");
    }
}

static void test_strange_addresses_are_refused(void **state)
{
    struct image image;

    (void)state;
    make_image(&image);
    image.head.e_entry += 16; /* the program's code */
    refuse_image(&image, "the entry");
    make_image(&image);
    image.segment[2].p_vaddr = PAGE_IO_ADDRESS;
    refuse_image(&image, "not where it belongs");
    make_image(&image);
    image.segment[2].p_memsz = 1ull << 40;
    refuse_image(&image, "not where it belongs");
    make_image(&image);
    image.segment[0].p_filesz = 1 << 20;
    refuse_image(&image, "outside the file");
    make_image(&image);
    image.section[2].sh_size = 1 << 20;
    refuse_image(&image, "outside the file");
}

/* Whatever the bytes are, the scan reads inside the file only (the sanitizers
 * watch) and accepts no file that is cut off. */
static void test_a_cut_file_is_refused(void **state)
{
    struct image image;

    (void)state;
    make_image(&image);
    for (size_t size = 0; size < sizeof image; size++) {
        struct image *cut = malloc(size + 1);
        struct err err = {0};

        memcpy(cut, &image, size);
        assert_int_equal(-1, scan_image(cut, size, &err));
        free(cut);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forbidden_instructions_are_found),
        cmocka_unit_test(test_forbidden_words_are_found),
        cmocka_unit_test(test_the_form_is_accepted),
        cmocka_unit_test(test_a_syscall_outside_the_runtime_is_found),
        cmocka_unit_test(test_writable_code_is_refused),
        cmocka_unit_test(test_other_program_headers_are_refused),
        cmocka_unit_test(test_strange_addresses_are_refused),
        cmocka_unit_test(test_a_cut_file_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
