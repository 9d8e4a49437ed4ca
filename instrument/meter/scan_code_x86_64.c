/* scan_code_x86_64: instructions that no honest build holds, x86-64.
 *
 * The code is decoded from its start; bytes that are no instruction are a
 * finding. Source: Intel SDM volume 2, opcode maps. */
#include "instrument/meter/scan_internal.h"

#include <inttypes.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <string.h>

/* What must hold of the byte that follows the opcode. */
enum scan_follow {
    FOLLOW_ANY,
    FOLLOW_IS,       /* equal to `value` */
    FOLLOW_REGISTER, /* ModRM, register form, reg field in mask `value` */
    FOLLOW_MEMORY,   /* ModRM, memory form, reg field in mask `value` */
};

#define REG(n) (1u << (n))

struct scan_pattern {
    const char *name;
    uint8_t opcode[2];
    uint8_t size; /* of the opcode */
    enum scan_follow follow;
    unsigned value;
};

static const struct scan_pattern patterns[] = {
    {"syscall", {0x0f, 0x05}, 2, FOLLOW_ANY, 0},
    {"sysenter", {0x0f, 0x34}, 2, FOLLOW_ANY, 0},
    {"sysret", {0x0f, 0x07}, 2, FOLLOW_ANY, 0},
    {"int", {0xcd}, 1, FOLLOW_ANY, 0},
    {"fs or gs base",
     {0x0f, 0xae},
     2,
     FOLLOW_REGISTER,
     REG(0) | REG(1) | REG(2) | REG(3)},
    {"xsave or xrstor",
     {0x0f, 0xae},
     2,
     FOLLOW_MEMORY,
     REG(4) | REG(5) | REG(6)},
    {"rdtsc", {0x0f, 0x31}, 2, FOLLOW_ANY, 0},
    {"rdtscp or swapgs", {0x0f, 0x01}, 2, FOLLOW_REGISTER, REG(7)},
    {"vmcall", {0x0f, 0x01}, 2, FOLLOW_REGISTER, REG(0) | REG(1)},
    {"xgetbv", {0x0f, 0x01}, 2, FOLLOW_REGISTER, REG(2)},
    {"rdpkru or wrpkru", {0x0f, 0x01}, 2, FOLLOW_REGISTER, REG(5)},
    {"sgdt or sidt", {0x0f, 0x01}, 2, FOLLOW_MEMORY, REG(0) | REG(1)},
    {"rdpmc", {0x0f, 0x33}, 2, FOLLOW_ANY, 0},
    {"cpuid", {0x0f, 0xa2}, 2, FOLLOW_ANY, 0},
    {"rdrand, rdseed or rdpid",
     {0x0f, 0xc7},
     2,
     FOLLOW_REGISTER,
     REG(6) | REG(7)},
    {"sldt or str", {0x0f, 0x00}, 2, FOLLOW_ANY, 0},
    {"lar", {0x0f, 0x02}, 2, FOLLOW_ANY, 0},
    {"lsl", {0x0f, 0x03}, 2, FOLLOW_ANY, 0},
    {"push fs", {0x0f, 0xa0}, 2, FOLLOW_ANY, 0},
    {"pop fs", {0x0f, 0xa1}, 2, FOLLOW_ANY, 0},
    {"push gs", {0x0f, 0xa8}, 2, FOLLOW_ANY, 0},
    {"pop gs", {0x0f, 0xa9}, 2, FOLLOW_ANY, 0},
    {"lss", {0x0f, 0xb2}, 2, FOLLOW_ANY, 0},
    {"lfs", {0x0f, 0xb4}, 2, FOLLOW_ANY, 0},
    {"lgs", {0x0f, 0xb5}, 2, FOLLOW_ANY, 0},
    {"mov to a segment register", {0x8e}, 1, FOLLOW_ANY, 0},
    {"mov from a segment register", {0x8c}, 1, FOLLOW_ANY, 0},
    {"far call or jump", {0xff}, 1, FOLLOW_MEMORY, REG(3) | REG(5)},
    {"far return", {0xcb}, 1, FOLLOW_ANY, 0},
    {"far return", {0xca}, 1, FOLLOW_ANY, 0},
    {"iret", {0xcf}, 1, FOLLOW_ANY, 0},
    {"xbegin", {0xc7}, 1, FOLLOW_IS, 0xf8},
};

static bool follows(const struct scan_pattern *pattern, uint8_t next)
{
    bool is_register = next >= 0xc0;
    bool is_reg = pattern->value & REG((next >> 3) & 7);

    switch (pattern->follow) {
    case FOLLOW_ANY:
        return true;
    case FOLLOW_IS:
        return next == pattern->value;
    case FOLLOW_REGISTER:
        return is_register && is_reg;
    case FOLLOW_MEMORY:
        return !is_register && is_reg;
    default:
        return true;
    }
}

static int finding(struct err *err, const char *what,
                   const struct scan_range *code, uint64_t at)
{
    return err_set(err, ERR_INPUT,
                   "%s in the program's code (file offset 0x%" PRIx64
                   ", address 0x%" PRIx64 ")",
                   what, code->offset + at, code->address + at);
}

/* ---- one instruction ------------------------------------------------------
 */

static bool is_prefix(uint8_t byte)
{
    return byte == 0x66 || byte == 0x67 || byte == 0xf0 || byte == 0xf2 ||
           byte == 0xf3 || byte == 0x26 || byte == 0x2e || byte == 0x36 ||
           byte == 0x3e || byte == 0x64 || byte == 0x65 ||
           (byte >= 0x40 && byte <= 0x4f); /* REX */
}

/* Hidden memory is reached by %fs:displacement(%rip) alone: no register ever
 * takes part in the address. */
static bool is_rip_relative(const uint8_t *opcode, size_t size)
{
    size_t modrm = opcode[0] == 0x0f ? 2 : 1;

    return modrm < size && (opcode[modrm] & 0xc7) == 0x05;
}

/* Why the instruction may not be there, or NULL. */
static const char *judge(const uint8_t *bytes, size_t size)
{
    bool uses_fs = false;
    size_t at = 0;

    for (; at < size && is_prefix(bytes[at]); at++) {
        uses_fs |= bytes[at] == 0x64;
        if (bytes[at] == 0x65)
            return "a gs operand";
    }
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        const struct scan_pattern *pattern = &patterns[i];
        size_t next = at + pattern->size;

        if (next <= size &&
            !memcmp(bytes + at, pattern->opcode, pattern->size) &&
            (pattern->follow == FOLLOW_ANY ||
             (next < size && follows(pattern, bytes[next]))))
            return pattern->name;
    }
    if (uses_fs && (at == size || !is_rip_relative(bytes + at, size - at)))
        return "an fs operand through a register";
    return NULL;
}

/* ---- a run of code --------------------------------------------------------
 */

/* F3 [REX] 0F AE with a register operand below 4: rdfsbase, rdgsbase, wrfsbase,
 * wrgsbase, wherever they stand. */
static int scan_every_offset(const uint8_t *bytes,
                             const struct scan_range *code, struct err *err)
{
    for (uint64_t at = 0; at + 4 <= code->size; at++) {
        if (bytes[at] != 0xf3)
            continue;
        uint64_t next = at + 1;
        if ((bytes[next] & 0xf0) == 0x40)
            next++;
        if (next + 3 <= code->size && bytes[next] == 0x0f &&
            bytes[next + 1] == 0xae && bytes[next + 2] >= 0xc0 &&
            bytes[next + 2] < 0xe0)
            return finding(err, "the bytes of an fs or gs base access", code,
                           at);
    }
    return 0;
}

static LLVMDisasmContextRef open_decoder(void)
{
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
    return LLVMCreateDisasm("x86_64-unknown-linux-musl", NULL, 0, NULL, NULL);
}

static int scan_instructions(LLVMDisasmContextRef decoder, const uint8_t *bytes,
                             const struct scan_range *code, struct err *err)
{
    uint8_t copy[16];
    char text[8]; /* nobody reads it */

    for (uint64_t at = 0; at < code->size;) {
        uint64_t left = code->size - at;
        size_t size = left < 15 ? left : 15; /* the longest instruction */

        memcpy(copy, bytes + at, size);
        size = LLVMDisasmInstruction(decoder, copy, size, code->address + at,
                                     text, sizeof text);
        if (!size)
            return finding(err, "bytes that are no instruction", code, at);
        const char *why = judge(bytes + at, size);
        if (why)
            return finding(err, why, code, at);
        at += size;
    }
    return 0;
}

int scan_code_x86_64(const struct scan_file *file,
                     const struct scan_range *code, struct err *err)
{
    const uint8_t *bytes = file->bytes + code->offset;

    if (!code->size)
        return 0;
    if (scan_every_offset(bytes, code, err) < 0)
        return -1;
    LLVMDisasmContextRef decoder = open_decoder();
    if (!decoder)
        return err_set(err, ERR_SYSTEM, "LLVM cannot decode x86-64");
    int done = scan_instructions(decoder, bytes, code, err);
    LLVMDisasmDispose(decoder);
    return done;
}
