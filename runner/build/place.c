#include "runner/build/place.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/build/line_table.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct bytes part(const struct build *build, uint64_t offset,
                         uint64_t size)
{
    struct bytes bytes = {(const uint8_t *)build->elf, build->elf_size};

    bytes_skip(&bytes, offset);
    if (size < bytes.left)
        bytes.left = size;
    return bytes;
}

/* The section header number `index`; all 0 if there is none. */
static Elf64_Shdr section_header(const struct build *build, unsigned index)
{
    Elf64_Ehdr head = {0};
    Elf64_Shdr section = {0};

    if (build->elf_size < sizeof head)
        return section;
    memcpy(&head, build->elf, sizeof head);
    if (index >= head.e_shnum)
        return section;
    struct bytes at =
        part(build, head.e_shoff + index * sizeof section, sizeof section);
    if (at.left == sizeof section)
        memcpy(&section, at.at, sizeof section);
    return section;
}

static struct bytes section_find(const struct build *build, const char *name)
{
    Elf64_Ehdr head = {0};

    if (build->elf_size < sizeof head)
        return (struct bytes){0};
    memcpy(&head, build->elf, sizeof head);
    Elf64_Shdr names = section_header(build, head.e_shstrndx);
    struct bytes texts = part(build, names.sh_offset, names.sh_size);
    for (unsigned i = 1; i < head.e_shnum; i++) {
        Elf64_Shdr section = section_header(build, i);
        if (!strcmp(bytes_string(texts, section.sh_name), name))
            return part(build, section.sh_offset, section.sh_size);
    }
    return (struct bytes){0};
}

/* The function that holds the address, or "". */
static const char *find_function(const struct build *build, uint64_t address)
{
    struct bytes symbols = section_find(build, ".symtab");
    struct bytes texts = section_find(build, ".strtab");
    Elf64_Sym symbol;

    for (; symbols.left >= sizeof symbol; bytes_skip(&symbols, sizeof symbol)) {
        memcpy(&symbol, symbols.at, sizeof symbol);
        if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
            address >= symbol.st_value &&
            address - symbol.st_value < symbol.st_size)
            return bytes_string(texts, symbol.st_name);
    }
    return "";
}

/* "bot.c:17 ", or nothing. */
static void print_line(const struct build *build, uint64_t address,
                       struct buf *to)
{
    auto_free char *file = NULL;
    uint64_t line = 0;

    if (line_table_find(section_find(build, ".debug_line"),
                        section_find(build, ".debug_line_str"), address, &file,
                        &line))
        buf_add_format(to, "%s:%" PRIu64 " ", file, line);
}

const char *build_place(const struct build *build, uint64_t address, char *text,
                        size_t size)
{
    static const char prefix[] = "bot."; /* of the bot's static functions */
    const char *function = address ? find_function(build, address) : "";
    auto_buf struct buf place = {0};

    if (!strncmp(function, prefix, sizeof prefix - 1))
        function += sizeof prefix - 1;
    if (*function) {
        print_line(build, address, &place);
        buf_add_format(&place, "in %s", function);
    }
    snprintf(text, size, "%s", place.data ? place.data : "");
    return text;
}
