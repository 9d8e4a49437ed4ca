/* scan_form: headers of a linked bot, and the identity of its runtime. */
#include "instrument/meter/scan_internal.h"

#include "instrument/bot/page.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <string.h>

static int finding(struct err *err, const char *what, uint64_t offset)
{
    return err_set(err, ERR_INPUT, "%s (file offset 0x%llx)", what,
                   (unsigned long long)offset);
}

/* ---- program headers ------------------------------------------------------
 */

static bool is_inside(uint64_t at, uint64_t size, uint64_t from, uint64_t bytes)
{
    return at >= from && size <= bytes && at - from <= bytes - size;
}

static int check_load(const struct scan_file *file, const Elf64_Phdr *segment,
                      uint64_t header, struct err *err)
{
    bool is_writable = segment->p_flags & PF_W;

    if (is_writable && (segment->p_flags & PF_X))
        return finding(err, "a segment is writable and executable", header);
    if (!is_inside(segment->p_offset, segment->p_filesz, 0, file->size) ||
        segment->p_filesz > segment->p_memsz)
        return finding(err, "a segment lies outside the file", header);
    if (is_writable
            ? !is_inside(segment->p_vaddr, segment->p_memsz, PAGE_DATA_ADDRESS,
                         PAGE_DATA_MAX_BYTES)
            : !is_inside(segment->p_vaddr, segment->p_memsz, PAGE_TEXT_ADDRESS,
                         PAGE_DATA_ADDRESS - PAGE_TEXT_ADDRESS))
        return finding(err, "a segment is not where it belongs", header);
    return 0;
}

static int check_segment(const struct scan_file *file,
                         const Elf64_Phdr *segment, struct err *err)
{
    uint64_t header = (uint64_t)((const uint8_t *)segment - file->bytes);

    switch (segment->p_type) {
    case PT_LOAD:
        return check_load(file, segment, header, err);
    case PT_GNU_STACK:
        if (segment->p_flags & PF_X)
            return finding(err, "the stack is executable", header);
        return 0;
    default:
        return finding(err, "a program header of a kind that no bot has",
                       header);
    }
}

int scan_form(const struct scan_file *file, struct scan_range *runtime,
              struct err *err)
{
    const Elf64_Phdr *segment =
        (const void *)(file->bytes + file->head->e_phoff);
    const Elf64_Shdr *section = scan_section(file, SCAN_RUNTIME_SECTION);
    bool has_stack = false;
    bool is_held = false;

    if (!section || section->sh_type != SHT_PROGBITS || !section->sh_size)
        return err_set(err, ERR_INPUT, "no section " SCAN_RUNTIME_SECTION);
    *runtime = (struct scan_range){section->sh_offset, section->sh_size,
                                   section->sh_addr};
    for (unsigned i = 0; i < file->head->e_phnum; i++) {
        if (check_segment(file, &segment[i], err) < 0)
            return -1;
        has_stack |= segment[i].p_type == PT_GNU_STACK;
        is_held |= segment[i].p_type == PT_LOAD &&
                   (segment[i].p_flags & PF_X) &&
                   is_inside(runtime->offset, runtime->size,
                             segment[i].p_offset, segment[i].p_filesz) &&
                   runtime->address - segment[i].p_vaddr ==
                       runtime->offset - segment[i].p_offset;
    }
    if (!has_stack)
        return err_set(err, ERR_INPUT,
                       "no header says that the stack is not "
                       "executable");
    if (!is_held ||
        !is_inside(file->head->e_entry, 1, runtime->address, runtime->size))
        return finding(err, "the entry is not in the runtime's code",
                       offsetof(Elf64_Ehdr, e_entry));
    return 0;
}

/* ---- the runtime ----------------------------------------------------------
 */

/* What a relocation fills in: the bits of `mask` in a little-endian word of
 * `bytes` bytes. Types that are missing are none that the runtime has. */
static const struct fill {
    Elf64_Half machine;
    uint32_t type;
    unsigned bytes;
    uint64_t mask;
} fills[] = {
    {EM_X86_64, R_X86_64_64, 8, UINT64_MAX},
    {EM_X86_64, R_X86_64_32, 4, UINT32_MAX},
    {EM_X86_64, R_X86_64_32S, 4, UINT32_MAX},
    {EM_X86_64, R_X86_64_PC32, 4, UINT32_MAX},
    {EM_X86_64, R_X86_64_PLT32, 4, UINT32_MAX},
    {EM_AARCH64, R_AARCH64_ABS64, 8, UINT64_MAX},
    {EM_AARCH64, R_AARCH64_CALL26, 4, 0x03ffffff},
    {EM_AARCH64, R_AARCH64_JUMP26, 4, 0x03ffffff},
    {EM_AARCH64, R_AARCH64_ADR_PREL_PG_HI21, 4, 0x60ffffe0},
    {EM_AARCH64, R_AARCH64_ADD_ABS_LO12_NC, 4, 0x003ffc00},
    {EM_AARCH64, R_AARCH64_LDST8_ABS_LO12_NC, 4, 0x003ffc00},
    {EM_AARCH64, R_AARCH64_LDST32_ABS_LO12_NC, 4, 0x003ffc00},
    {EM_AARCH64, R_AARCH64_LDST64_ABS_LO12_NC, 4, 0x003ffc00},
    {EM_AARCH64, R_AARCH64_LDST128_ABS_LO12_NC, 4, 0x003ffc00},
};

static const struct fill *find_fill(Elf64_Half machine, uint64_t type)
{
    for (size_t i = 0; i < sizeof fills / sizeof *fills; i++)
        if (fills[i].machine == machine && fills[i].type == type)
            return &fills[i];
    return NULL;
}

/* Takes the linker's fields from the executable into the copy `code`. */
static int fill_in(const struct scan_file *object,
                   const Elf64_Shdr *relocations, uint8_t *code,
                   const uint8_t *linked, size_t size)
{
    const Elf64_Rela *entry =
        (const void *)(object->bytes + relocations->sh_offset);
    size_t count = relocations->sh_size / sizeof *entry;

    for (size_t i = 0; i < count; i++) {
        const struct fill *fill =
            find_fill(object->head->e_machine, ELF64_R_TYPE(entry[i].r_info));

        if (!fill || !is_inside(entry[i].r_offset, fill->bytes, 0, size))
            return -1;
        for (unsigned k = 0; k < fill->bytes; k++) {
            uint8_t mask = (uint8_t)(fill->mask >> 8 * k);
            uint8_t *byte = code + entry[i].r_offset + k;

            *byte = (uint8_t)((*byte & ~mask) |
                              (linked[entry[i].r_offset + k] & mask));
        }
    }
    return 0;
}

int scan_runtime(const struct scan_file *file, const struct scan_range *runtime,
                 const void *bytes, size_t size, struct err *err)
{
    struct scan_file object;

    if (scan_open(&object, bytes, size, ET_REL, err) < 0)
        return err_wrap(err, "the installed runtime");
    if (object.head->e_machine != file->head->e_machine)
        return err_set(err, ERR_INPUT,
                       "the executable is for another processor than the "
                       "installed runtime");
    const Elf64_Shdr *section = scan_section(&object, SCAN_RUNTIME_SECTION);
    if (!section || section->sh_size != runtime->size)
        return err_set(err, ERR_INPUT,
                       "the runtime's code is not the installed one");
    auto_free uint8_t *code =
        (uint8_t *)mem_dup(object.bytes + section->sh_offset, section->sh_size);
    const uint8_t *linked = file->bytes + runtime->offset;
    unsigned index = (unsigned)(section - object.sections);
    for (unsigned i = 0; i < object.head->e_shnum; i++) {
        const Elf64_Shdr *other = &object.sections[i];

        if (other->sh_type == SHT_RELA && other->sh_info == index &&
            fill_in(&object, other, code, linked, runtime->size) < 0)
            return err_set(err, ERR_SYSTEM,
                           "the installed runtime has a strange relocation");
    }
    for (uint64_t i = 0; i < runtime->size; i++)
        if (code[i] != linked[i])
            return finding(err, "the runtime's code is not the installed one",
                           runtime->offset + i);
    return 0;
}
