/* scan_code_aarch64: instructions that no honest build holds, aarch64.
 *
 * An instruction is an aligned word of 4 bytes and code holds no data (tables
 * and constants stand in read-only segments), so every word is looked at and
 * nothing can hide between two. Groups of instructions that reach outside the
 * program are refused as a whole, but for what is listed here; what is no
 * instruction of the base architecture is refused too.
 * Source: Arm ARM (DDI 0487), C4.1, A64 instruction set encoding. */
#include "instrument/meter/scan_internal.h"

#include <inttypes.h>
#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>
#include <string.h>

#define WORD_BYTES 4u

/* Instructions whose bits under `mask` are `value`. */
struct scan_words {
    const char *name;
    uint32_t mask;
    uint32_t value;
};

static const struct scan_words refused[] = {
    {"svc, hvc, smc or another exception", 0xff000000, 0xd4000000},
    {"a system instruction or register", 0xffc00000, 0xd5000000},
    {"eret or another branch of the kernel's", 0xfe000000, 0xd6000000},
};

/* What of the refused groups may stand. */
static const struct scan_words allowed[] = {
    {"brk", 0xffe0001f, 0xd4200000},
    {"nop", 0xffffffff, 0xd503201f},
    {"mrs of tpidr_el0", 0xffffffe0, 0xd53bd040},
    {"br", 0xfffffc1f, 0xd61f0000},
    {"blr", 0xfffffc1f, 0xd63f0000},
    {"ret", 0xfffffc1f, 0xd65f0000},
};

static const struct scan_words *find(const struct scan_words *list,
                                     size_t count, uint32_t word)
{
    for (size_t i = 0; i < count; i++)
        if ((word & list[i].mask) == list[i].value)
            return &list[i];
    return NULL;
}

static const char *judge(uint32_t word)
{
    const struct scan_words *group =
        find(refused, sizeof refused / sizeof *refused, word);

    if (!group || find(allowed, sizeof allowed / sizeof *allowed, word))
        return NULL;
    return group->name;
}

static int finding(struct err *err, const char *what,
                   const struct scan_range *code, uint64_t at)
{
    return err_set(err, ERR_INPUT,
                   "%s in the program's code (file offset 0x%" PRIx64
                   ", address 0x%" PRIx64 ")",
                   what, code->offset + at, code->address + at);
}

static LLVMDisasmContextRef open_decoder(void)
{
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64Disassembler();
    return LLVMCreateDisasmCPUFeatures("aarch64-unknown-linux-musl", "generic",
                                       "", NULL, 0, NULL, NULL);
}

static int scan_words(LLVMDisasmContextRef decoder, const uint8_t *bytes,
                      const struct scan_range *code, struct err *err)
{
    char text[8]; /* nobody reads it */

    for (uint64_t at = 0; at < code->size; at += WORD_BYTES) {
        uint8_t copy[WORD_BYTES];
        uint32_t word;

        memcpy(copy, bytes + at, sizeof copy);
        word = (uint32_t)copy[0] | (uint32_t)copy[1] << 8 |
               (uint32_t)copy[2] << 16 | (uint32_t)copy[3] << 24;
        const char *why = judge(word);
        if (why)
            return finding(err, why, code, at);
        if (LLVMDisasmInstruction(decoder, copy, sizeof copy,
                                  code->address + at, text,
                                  sizeof text) != WORD_BYTES)
            return finding(err, "a word that is no instruction", code, at);
    }
    return 0;
}

int scan_code_aarch64(const struct scan_file *file,
                      const struct scan_range *code, struct err *err)
{
    if (code->size % WORD_BYTES || code->address % WORD_BYTES)
        return finding(err, "a piece of an instruction", code, 0);
    if (!code->size)
        return 0;
    LLVMDisasmContextRef decoder = open_decoder();
    if (!decoder)
        return err_set(err, ERR_SYSTEM, "LLVM cannot decode aarch64");
    int done = scan_words(decoder, file->bytes + code->offset, code, err);
    LLVMDisasmDispose(decoder);
    return done;
}
