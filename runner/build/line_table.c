#include "runner/build/line_table.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/build/view.h"

#include <string.h>

/* ---- bytes ------------------------------------------------------------------
 */

void bytes_skip(struct bytes *bytes, uint64_t count)
{
    if (count > bytes->left)
        count = bytes->left;
    bytes->at += count;
    bytes->left -= count;
}

uint64_t bytes_take(struct bytes *bytes, unsigned size)
{
    uint64_t number = 0;

    if (size > bytes->left) {
        bytes_skip(bytes, bytes->left);
        return 0;
    }
    memcpy(&number, bytes->at, size); /* little-endian, as all our hosts */
    bytes_skip(bytes, size);
    return number;
}

const char *bytes_string(struct bytes bytes, uint64_t offset)
{
    bytes_skip(&bytes, offset);
    return bytes.left && memchr(bytes.at, '\0', bytes.left)
               ? (const char *)bytes.at
               : "";
}

static uint64_t take_uleb(struct bytes *bytes)
{
    uint64_t number = 0;

    for (unsigned shift = 0; bytes->left; shift += 7) {
        uint8_t byte = (uint8_t)bytes_take(bytes, 1);
        if (shift < 64)
            number |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            break;
    }
    return number;
}

static int64_t take_sleb(struct bytes *bytes)
{
    uint64_t number = 0;
    unsigned shift = 0;
    uint8_t byte = 0;

    do {
        byte = (uint8_t)bytes_take(bytes, 1);
        if (shift < 64)
            number |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80 && bytes->left);
    if (byte & 0x40 && shift < 64)
        number |= ~(uint64_t)0 << shift;
    return (int64_t)number;
}

/* ---- the head of a unit
 * ------------------------------------------------------ */

enum { MOST_FORMATS = 8, MOST_NAMES = 4096 };

/* A name as a line table's head lists it. */
struct name {
    const char *text;
    uint64_t folder;
};

/* One unit's head: what the program below it needs. */
struct unit {
    uint8_t minimum_step;
    int8_t line_base;
    uint8_t line_range;
    uint8_t opcode_base;
    uint8_t operands[256]; /* of the standard opcodes */
    struct name *file;
    size_t file_count;
    struct name *folder;
    size_t folder_count;
};

static void unit_release(struct unit *unit)
{
    free(unit->file);
    free(unit->folder);
}
#define auto_unit __attribute__((cleanup(unit_release)))

/* A member of a name's entry; text goes to *text. Forms: DWARF 5, 7.5.6. */
static uint64_t take_form(struct bytes *bytes, uint64_t form,
                          struct bytes strings, const char **text)
{
    switch (form) {
    case 0x0b: /* data1 */
        return bytes_take(bytes, 1);
    case 0x05: /* data2 */
        return bytes_take(bytes, 2);
    case 0x0f: /* udata */
        return take_uleb(bytes);
    case 0x1e: /* data16: the MD5 */
        bytes_skip(bytes, 16);
        return 0;
    case 0x1f: /* line_strp */
        *text = bytes_string(strings, bytes_take(bytes, 4));
        return 0;
    case 0x08: { /* string */
        *text = bytes_string(*bytes, 0);
        bytes_skip(bytes, strlen(*text) + 1);
        return 0;
    }
    default: /* none that our compiler writes */
        bytes_skip(bytes, bytes->left);
        return 0;
    }
}

/* A list of folders or files. */
static struct name *take_names(struct bytes *bytes, struct bytes strings,
                               size_t *count)
{
    uint64_t type[MOST_FORMATS] = {0};
    uint64_t form[MOST_FORMATS] = {0};
    unsigned formats = (unsigned)bytes_take(bytes, 1);

    for (unsigned i = 0; i < formats && i < MOST_FORMATS; i++) {
        type[i] = take_uleb(bytes);
        form[i] = take_uleb(bytes);
    }
    uint64_t wanted = take_uleb(bytes);
    if (formats > MOST_FORMATS || wanted > MOST_NAMES)
        wanted = 0;
    struct name *names = mem_calloc(wanted, sizeof *names);
    for (uint64_t i = 0; i < wanted; i++) {
        names[i].text = "";
        for (unsigned j = 0; j < formats; j++) {
            uint64_t value = take_form(bytes, form[j], strings, &names[i].text);
            if (type[j] == 2) /* directory_index */
                names[i].folder = value;
        }
    }
    *count = wanted;
    return names;
}

/* Reads the head; `bytes` is at the unit's program then. False for a version
 * that our compiler does not write. */
static bool unit_read(struct unit *unit, struct bytes *bytes,
                      struct bytes strings)
{
    if (bytes_take(bytes, 2) != 5)
        return false;
    bytes_skip(bytes, 2); /* address and segment selector size */
    uint64_t head_size = bytes_take(bytes, 4);
    struct bytes head = *bytes;
    if (head_size < head.left)
        head.left = head_size;
    bytes_skip(bytes, head_size);

    unit->minimum_step = (uint8_t)bytes_take(&head, 1);
    bytes_skip(&head, 2); /* operations an instruction; default_is_stmt */
    unit->line_base = (int8_t)bytes_take(&head, 1);
    unit->line_range = (uint8_t)bytes_take(&head, 1);
    unit->opcode_base = (uint8_t)bytes_take(&head, 1);
    for (unsigned i = 1; i < unit->opcode_base; i++)
        unit->operands[i] = (uint8_t)bytes_take(&head, 1);
    unit->folder = take_names(&head, strings, &unit->folder_count);
    unit->file = take_names(&head, strings, &unit->file_count);
    return unit->line_range != 0;
}

/* ---- its program ------------------------------------------------------------
 */

/* The line table's machine, and what is looked for. */
struct walk {
    uint64_t wanted;
    uint64_t address;
    uint64_t file;
    uint64_t line;
    bool has_row; /* in this sequence: the three below are its last row */
    uint64_t row_address;
    uint64_t row_file;
    uint64_t row_line;
    bool found; /* the row's three are the answer */
};

static void walk_row(struct walk *walk)
{
    if (walk->has_row && walk->wanted >= walk->row_address &&
        walk->wanted < walk->address) {
        walk->found = true;
        return;
    }
    walk->has_row = true;
    walk->row_address = walk->address;
    walk->row_file = walk->file;
    walk->row_line = walk->line;
}

static void walk_restart(struct walk *walk)
{
    *walk = (struct walk){.wanted = walk->wanted, .file = 1, .line = 1};
}

static void walk_extended(struct walk *walk, struct bytes *bytes)
{
    uint64_t size = take_uleb(bytes);
    struct bytes operation = *bytes;

    if (size < operation.left)
        operation.left = size;
    bytes_skip(bytes, size);
    switch (bytes_take(&operation, 1)) {
    case 1: /* end_sequence */
        walk_row(walk);
        if (!walk->found)
            walk_restart(walk);
        return;
    case 2: /* set_address */
        walk->address = bytes_take(&operation, 8);
        return;
    default:
        return;
    }
}

static void walk_special(struct walk *walk, const struct unit *unit,
                         unsigned opcode)
{
    unsigned step = opcode - unit->opcode_base;

    walk->address += (uint64_t)(step / unit->line_range) * unit->minimum_step;
    walk->line += (uint64_t)(unit->line_base + (int)(step % unit->line_range));
    walk_row(walk);
}

/* Standard opcodes: DWARF 5, 6.2.5.2. */
static void walk_standard(struct walk *walk, const struct unit *unit,
                          unsigned opcode, struct bytes *bytes)
{
    switch (opcode) {
    case 1: /* copy */
        walk_row(walk);
        return;
    case 2: /* advance_pc */
        walk->address += take_uleb(bytes) * unit->minimum_step;
        return;
    case 3: /* advance_line */
        walk->line += (uint64_t)take_sleb(bytes);
        return;
    case 4: /* set_file */
        walk->file = take_uleb(bytes);
        return;
    case 8: /* const_add_pc */
        walk->address += (255u - unit->opcode_base) / unit->line_range *
                         (uint64_t)unit->minimum_step;
        return;
    case 9: /* fixed_advance_pc */
        walk->address += bytes_take(bytes, 2);
        return;
    default:
        for (unsigned i = 0; i < unit->operands[opcode]; i++)
            take_uleb(bytes);
        return;
    }
}

static void unit_walk(const struct unit *unit, struct bytes bytes,
                      struct walk *walk)
{
    walk_restart(walk);
    while (bytes.left && !walk->found) {
        unsigned opcode = (unsigned)bytes_take(&bytes, 1);
        if (opcode == 0)
            walk_extended(walk, &bytes);
        else if (opcode >= unit->opcode_base)
            walk_special(walk, unit, opcode);
        else
            walk_standard(walk, unit, opcode, &bytes);
    }
}

/* "dir/name" as people are shown it; to be freed. */
static char *file_name(const struct unit *unit, uint64_t file)
{
    const struct name *name = &unit->file[file];
    const char *folder = name->folder && name->folder < unit->folder_count
                             ? unit->folder[name->folder].text
                             : ".";
    auto_free char *inside = !strcmp(folder, ".") || name->text[0] == '/'
                                 ? mem_dup_str(name->text)
                                 : mem_format("%s/%s", folder, name->text);
    return view_name(inside);
}

bool line_table_find(struct bytes lines, struct bytes strings, uint64_t address,
                     char **file, uint64_t *line)
{
    while (lines.left) {
        auto_unit struct unit unit = {0};
        struct walk walk = {.wanted = address};
        uint64_t size = bytes_take(&lines, 4);
        struct bytes bytes = lines;

        if (size < bytes.left)
            bytes.left = size;
        bytes_skip(&lines, size);
        if (!unit_read(&unit, &bytes, strings))
            continue;
        unit_walk(&unit, bytes, &walk);
        if (!walk.found)
            continue;
        if (!walk.row_line || walk.row_file >= unit.file_count)
            return false;
        *file = file_name(&unit, walk.row_file);
        *line = walk.row_line;
        return true;
    }
    return false;
}
