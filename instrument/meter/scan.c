#include "instrument/meter/scan.h"

#include "instrument/meter/scan_internal.h"

#include <assert.h>
#include <string.h>

/* Whose code an ELF file may hold. */
static const struct scan_target {
    Elf64_Half machine;
    int (*code)(const struct scan_file *, const struct scan_range *,
                struct err *);
} targets[] = {
    {EM_X86_64, scan_code_x86_64},
    {EM_AARCH64, scan_code_aarch64},
};

static const struct scan_target *find_target(const Elf64_Ehdr *head)
{
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (targets[i].machine == head->e_machine)
            return &targets[i];
    return NULL;
}

int scan_open(struct scan_file *file, const void *bytes, size_t size,
              unsigned type, struct err *err)
{
    const Elf64_Ehdr *head = bytes;

    if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 ||
        head->e_ident[EI_DATA] != ELFDATA2LSB || !find_target(head) ||
        head->e_type != type)
        return err_set(err, ERR_INPUT, "not a %s ELF file of x86-64 or aarch64",
                       type == ET_EXEC ? "static" : "relocatable");
    if (head->e_phentsize != (head->e_phnum ? sizeof(Elf64_Phdr) : 0) ||
        head->e_phoff > size ||
        head->e_phnum > (size - head->e_phoff) / sizeof(Elf64_Phdr) ||
        head->e_shentsize != sizeof(Elf64_Shdr) || head->e_shoff > size ||
        head->e_shoff % 8 || head->e_phoff % 8 ||
        head->e_shnum > (size - head->e_shoff) / sizeof(Elf64_Shdr) ||
        head->e_shstrndx >= head->e_shnum)
        return err_set(err, ERR_INPUT, "the ELF headers lie outside the file");
    *file = (struct scan_file){
        .bytes = bytes,
        .size = size,
        .head = head,
        .sections = (const void *)((const uint8_t *)bytes + head->e_shoff),
    };
    for (unsigned i = 0; i < head->e_shnum; i++) {
        const Elf64_Shdr *section = &file->sections[i];

        if (section->sh_type != SHT_NOBITS &&
            (section->sh_offset > size ||
             section->sh_size > size - section->sh_offset))
            return err_set(err, ERR_INPUT, "section %u lies outside the file",
                           i);
    }
    return 0;
}

const char *scan_section_name(const struct scan_file *file,
                              const Elf64_Shdr *section)
{
    const Elf64_Shdr *names = &file->sections[file->head->e_shstrndx];
    const char *text = (const char *)file->bytes + names->sh_offset;

    if (!names->sh_size || text[names->sh_size - 1] ||
        section->sh_name >= names->sh_size)
        return "";
    return text + section->sh_name;
}

const Elf64_Shdr *scan_section(const struct scan_file *file, const char *name)
{
    for (unsigned i = 0; i < file->head->e_shnum; i++)
        if (!strcmp(scan_section_name(file, &file->sections[i]), name))
            return &file->sections[i];
    return NULL;
}

/* The parts of an executable segment before and after the runtime's code. */
static int scan_segment(const struct scan_file *file, const Elf64_Phdr *segment,
                        const struct scan_range *runtime, struct err *err)
{
    uint64_t begin = segment->p_offset;
    uint64_t end = begin + segment->p_filesz;
    uint64_t cut = runtime->offset;
    uint64_t resume = runtime->offset + runtime->size;

    if (cut < begin || resume > end)
        cut = resume = begin;
    struct scan_range before = {begin, cut - begin, segment->p_vaddr};
    struct scan_range after = {resume, end - resume,
                               segment->p_vaddr + (resume - begin)};
    const struct scan_target *target = find_target(file->head);
    assert(target);
    if (target->code(file, &before, err) < 0)
        return -1;
    return target->code(file, &after, err);
}

int scan_executable(const struct buf *elf, const struct buf *runtime,
                    struct err *err)
{
    struct scan_file file = {0};
    struct scan_range trusted = {0};

    if (scan_open(&file, elf->data, elf->size, ET_EXEC, err) < 0 ||
        scan_form(&file, &trusted, err) < 0)
        return -1;
    if (runtime &&
        scan_runtime(&file, &trusted, runtime->data, runtime->size, err) < 0)
        return -1;
    assert(file.head);
    const Elf64_Phdr *segment = (const void *)(file.bytes + file.head->e_phoff);
    for (unsigned i = 0; i < file.head->e_phnum; i++)
        if (segment[i].p_type == PT_LOAD && (segment[i].p_flags & PF_X) &&
            scan_segment(&file, &segment[i], &trusted, err) < 0)
            return -1;
    return 0;
}
