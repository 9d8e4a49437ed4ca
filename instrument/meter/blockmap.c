#include "instrument/meter/blockmap.h"

#include "instrument/meter/ir.h"
#include "instrument/meter/json.h"
#include "runner/base/cleanup.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void blockmap_init(struct blockmap *map)
{
    *map = (struct blockmap){0};
}

void blockmap_release(struct blockmap *map)
{
    for (size_t i = 0; i < map->file_count; i++)
        free(map->files[i].path);
    for (size_t i = 0; i < 2 * map->prefix_count; i++)
        free(map->prefixes[i]);
    free(map->files);
    free(map->prefixes);
    free(map->lines);
    free(map->blocks);
    free(map->sites);
    buf_release(&map->functions);
    buf_release(&map->calls);
    blockmap_init(map);
}

/* ---- files ----------------------------------------------------------------
 */

void blockmap_add_prefix(struct blockmap *map, const char *name,
                         const char *path)
{
    size_t n = 2 * map->prefix_count++;

    map->prefixes = mem_realloc(map->prefixes, (n + 2) * sizeof *map->prefixes);
    map->prefixes[n] = mem_dup_str(name);
    map->prefixes[n + 1] = mem_dup_str(path);
}

/* "./x" is "x"; a path below a prefix's folder is shown by the prefix's name.
 */
static char *shown_path(const struct blockmap *map, const char *path)
{
    while (!strncmp(path, "./", 2))
        path += 2;
    for (size_t i = 0; i < map->prefix_count; i++) {
        const char *folder = map->prefixes[2 * i + 1];
        size_t size = strlen(folder);

        if (strncmp(path, folder, size) != 0 ||
            (size && path[size] != '/' && folder[size - 1] != '/'))
            continue;
        const char *rest = path + size;
        while (*rest == '/')
            rest++;
        return mem_format("<%s>/%s", map->prefixes[2 * i], rest);
    }
    return mem_dup_str(path);
}

static char *file_path(const struct blockmap *map, LLVMMetadataRef file)
{
    unsigned name_size;
    unsigned folder_size;
    const char *name = LLVMDIFileGetFilename(file, &name_size);
    const char *folder = LLVMDIFileGetDirectory(file, &folder_size);
    bool relative = name_size && name[0] != '/' && folder_size &&
                    !(folder_size == 1 && folder[0] == '.');
    auto_free char *path = relative ? mem_format("%.*s/%.*s", (int)folder_size,
                                                 folder, (int)name_size, name)
                                    : mem_format("%.*s", (int)name_size, name);

    return shown_path(map, path);
}

static uint32_t find_file(struct blockmap *map, LLVMMetadataRef file)
{
    for (size_t i = 0; i < map->file_count; i++)
        if (map->files[i].node == file)
            return (uint32_t)i;

    /* Modules that were linked have a node each for one path. */
    char *path = file ? file_path(map, file) : mem_dup_str("");
    for (size_t i = 0; i < map->file_count; i++) {
        if (!strcmp(map->files[i].path, path)) {
            free(path);
            map->files[i].node = file;
            return (uint32_t)i;
        }
    }
    if (map->file_count == map->file_capacity) {
        map->file_capacity = map->file_capacity ? 2 * map->file_capacity : 16;
        map->files =
            mem_realloc(map->files, map->file_capacity * sizeof *map->files);
    }
    map->files[map->file_count] =
        (struct blockmap_file){.node = file, .path = path};
    return (uint32_t)map->file_count++;
}

/* ---- functions ------------------------------------------------------------
 */

/* A DISubprogram's name has no getter: it is operand 2 of the node in this
 * version of LLVM (a unit test holds that). */
static void add_subprogram_name(struct blockmap *map, LLVMValueRef function,
                                LLVMMetadataRef subprogram)
{
    LLVMValueRef node =
        LLVMMetadataAsValue(ir_context_of(function), subprogram);
    LLVMValueRef operand[16] = {0};
    unsigned count = (unsigned)LLVMGetMDNodeNumOperands(node);
    unsigned size = 0;
    const char *name = NULL;

    if (count > 2 && count <= 16) {
        LLVMGetMDNodeOperands(node, operand);
        name = operand[2] ? LLVMGetMDString(operand[2], &size) : NULL;
    }
    if (!name || !size)
        json_add_string(&map->functions, ir_name(function));
    else
        json_add_string_size(&map->functions, name, size);
}

void blockmap_open_function(struct blockmap *map, LLVMValueRef function)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    struct blockmap_line *home = &map->home;

    assert(!map->function);
    map->function = function;
    map->block_count = 0;
    map->site_count = 0;
    map->line_count = 0;
    buf_clear(&map->calls);
    *home = (struct blockmap_line){0};
    home->file =
        find_file(map, subprogram ? LLVMDIScopeGetFile(subprogram) : NULL);
    if (subprogram)
        home->line = LLVMDISubprogramGetLine(subprogram);
    buf_add_str(&map->functions, map->function_count++ ? ",\n{" : "\n{");
    buf_add_str(&map->functions, "\"symbol\":");
    json_add_string(&map->functions, ir_name(function));
    buf_add_str(&map->functions, ",\"name\":");
    if (subprogram)
        add_subprogram_name(map, function, subprogram);
    else
        json_add_string(&map->functions, ir_name(function));
}

/* ---- blocks and sites -----------------------------------------------------
 */

/* Where `inst` was written. Leaves *place alone if nothing says so. */
static void find_place(struct blockmap *map, LLVMValueRef inst,
                       struct blockmap_line *place)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(inst);

    if (!location || LLVMDILocationGetLine(location) == 0)
        return;
    place->line = LLVMDILocationGetLine(location);
    place->file =
        find_file(map, LLVMDIScopeGetFile(LLVMDILocationGetScope(location)));
}

static struct blockmap_line *add_line(struct blockmap *map, uint32_t file,
                                      uint32_t line)
{
    if (map->line_count == map->line_capacity) {
        map->line_capacity = map->line_capacity ? 2 * map->line_capacity : 64;
        map->lines =
            mem_realloc(map->lines, map->line_capacity * sizeof *map->lines);
    }
    struct blockmap_line *added = &map->lines[map->line_count++];
    *added = (struct blockmap_line){.file = file, .line = line};
    return added;
}

static struct blockmap_piece *open_block(struct blockmap *map)
{
    return &map->blocks[map->block_count - 1];
}

uint32_t blockmap_open_block(struct blockmap *map)
{
    if (map->block_count == map->block_capacity) {
        map->block_capacity =
            map->block_capacity ? 2 * map->block_capacity : 64;
        map->blocks =
            mem_realloc(map->blocks, map->block_capacity * sizeof *map->blocks);
    }
    struct blockmap_piece *piece = &map->blocks[map->block_count++];
    *piece = (struct blockmap_piece){0};
    piece->line = (uint32_t)map->line_count;
    piece->call = map->calls.size;
    map->last = map->home;
    return (uint32_t)map->block_count - 1;
}

static struct blockmap_line *get_line(struct blockmap *map, uint32_t file,
                                      uint32_t line)
{
    for (size_t i = map->line_count; i-- > open_block(map)->line;)
        if (map->lines[i].file == file && map->lines[i].line == line)
            return &map->lines[i];
    return add_line(map, file, line);
}

static void add_type(struct buf *out, LLVMTypeRef type)
{
    char *text = LLVMPrintTypeToString(type);

    json_add_string(out, text);
    LLVMDisposeMessage(text);
}

static void add_call(struct blockmap *map, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    bool is_direct = LLVMIsAFunction(callee) != NULL;
    bool is_first = map->calls.size == open_block(map)->call;

    if (LLVMIsAInlineAsm(callee) ||
        (is_direct && LLVMGetIntrinsicID(callee) != 0))
        return;
    buf_add_format(&map->calls, "%s[%u,%u,", is_first ? "" : ",",
                   map->last.file, map->last.line);
    json_add_string(&map->calls, is_direct ? ir_name(callee) : "");
    if (!is_direct) {
        buf_add_char(&map->calls, ',');
        add_type(&map->calls, LLVMGetCalledFunctionType(call));
    }
    buf_add_char(&map->calls, ']');
}

void blockmap_add_instruction(struct blockmap *map, LLVMValueRef inst,
                              uint64_t cost)
{
    find_place(map, inst, &map->last);
    if (LLVMIsACallInst(inst) || LLVMIsAInvokeInst(inst))
        add_call(map, inst);
    if (!cost)
        return;
    get_line(map, map->last.file, map->last.line)->instructions += cost;
    open_block(map)->charge += cost;
}

static int by_place(const void *a, const void *b)
{
    const struct blockmap_line *x = a;
    const struct blockmap_line *y = b;

    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

uint64_t blockmap_close_block(struct blockmap *map)
{
    struct blockmap_piece *piece = open_block(map);

    piece->line_count = (uint32_t)map->line_count - piece->line;
    piece->call_size = map->calls.size - piece->call;
    if (piece->line_count)
        qsort(map->lines + piece->line, piece->line_count, sizeof *map->lines,
              by_place);
    return piece->charge;
}

uint32_t blockmap_add_site(struct blockmap *map, LLVMValueRef inst)
{
    if (map->site_count == map->site_capacity) {
        map->site_capacity = map->site_capacity ? 2 * map->site_capacity : 16;
        map->sites =
            mem_realloc(map->sites, map->site_capacity * sizeof *map->sites);
    }
    struct blockmap_line *site = &map->sites[map->site_count++];
    find_place(map, inst, &map->last);
    *site = (struct blockmap_line){0};
    site->file = map->last.file;
    site->line = map->last.line;
    return (uint32_t)map->site_count - 1;
}

/* ---- a function's words ---------------------------------------------------
 */

/* Which derived words the blocks need, and their numbers when only those are
 * kept. */
struct derived {
    uint32_t base; /* the first derived word */
    uint32_t count;
    uint32_t *number;
};

static void need(const struct derived *derived, uint32_t word)
{
    if (word != FLOW_NONE && word - derived->base < derived->count)
        derived->number[word - derived->base] = 1;
}

static uint32_t number_of(const struct derived *derived, uint32_t word)
{
    return word - derived->base < derived->count
               ? derived->number[word - derived->base]
               : word;
}

static void find_needed(const struct blockmap *map,
                        const struct blockmap_words *words,
                        struct derived *derived)
{
    const struct tree *tree = words->tree;
    uint32_t next = tree_word_count(tree) + words->reference_count;

    derived->base = tree_word_count(tree);
    derived->count = tree->derived_count;
    derived->number =
        mem_calloc(tree->derived_count + 1, sizeof *derived->number);
    for (size_t i = 0; i < map->block_count; i++)
        if (map->blocks[i].charge)
            need(derived, words->block[i]);
    for (uint32_t i = tree->derived_count; i-- > 0;)
        for (uint32_t k = 0;
             derived->number[i] && k < tree->derived[i].term_count; k++)
            need(derived, tree->term[tree->derived[i].term + k].word);
    for (uint32_t i = 0; i < tree->derived_count; i++)
        derived->number[i] = derived->number[i] ? next++ : FLOW_NONE;
}

static void add_derived(struct blockmap *map, const struct tree *tree,
                        const struct derived *derived)
{
    bool first = true;

    buf_add_str(&map->functions, ",\"derived\":[");
    for (uint32_t i = 0; i < tree->derived_count; i++) {
        if (derived->number[i] == FLOW_NONE)
            continue;
        buf_add_str(&map->functions, first ? "[" : ",[");
        first = false;
        for (uint32_t k = 0; k < tree->derived[i].term_count; k++) {
            const struct tree_term *term =
                &tree->term[tree->derived[i].term + k];

            buf_add_format(&map->functions, "%s%u,%lld", k ? "," : "",
                           number_of(derived, term->word),
                           (long long)term->factor);
        }
        buf_add_char(&map->functions, ']');
    }
}

static void add_blocks(struct blockmap *map, const struct blockmap_words *words,
                       const struct derived *derived)
{
    struct buf *out = &map->functions;
    bool first = true;

    buf_add_str(out, "],\"blocks\":[");
    for (size_t i = 0; i < map->block_count; i++) {
        const struct blockmap_piece *piece = &map->blocks[i];

        if (!piece->charge || words->block[i] == FLOW_NONE)
            continue;
        buf_add_format(out, "%s{\"word\":%u,\"charge\":%llu,", first ? "" : ",",
                       number_of(derived, words->block[i]),
                       (unsigned long long)piece->charge);
        if (words->reference)
            buf_add_format(out, "\"reference\":%u,", words->reference[i]);
        buf_add_str(out, "\"lines\":[");
        first = false;
        for (uint32_t k = 0; k < piece->line_count; k++) {
            const struct blockmap_line *line = &map->lines[piece->line + k];

            buf_add_format(out, "%s[%u,%u,%llu]", k ? "," : "", line->file,
                           line->line, (unsigned long long)line->instructions);
        }
        buf_add_char(out, ']');
        if (piece->call_size) {
            buf_add_str(out, ",\"calls\":[");
            buf_add(out, map->calls.data + piece->call, piece->call_size);
            buf_add_char(out, ']');
        }
        buf_add_char(out, '}');
    }
}

static void add_sites(struct blockmap *map, const struct blockmap_words *words)
{
    buf_add_str(&map->functions, "],\"sites\":[");
    for (size_t i = 0; i < map->site_count; i++)
        buf_add_format(&map->functions, "%s{\"word\":%u,\"lines\":[[%u,%u,1]]}",
                       i ? "," : "", words->site[i], map->sites[i].file,
                       map->sites[i].line);
    buf_add_str(&map->functions, "]}");
}

void blockmap_close_function(struct blockmap *map,
                             const struct blockmap_words *words)
{
    const struct tree *tree = words->tree;
    struct derived derived;

    assert(map->function);
    find_needed(map, words, &derived);
    buf_add_format(&map->functions,
                   ",\"file\":%u,\"line\":%u,\"type\":", map->home.file,
                   map->home.line);
    add_type(&map->functions, LLVMGlobalGetValueType(map->function));
    buf_add_format(&map->functions,
                   ",\"fuel\":%u,\"counters\":%u,\"stops\":%u,"
                   "\"reference\":%u",
                   tree->fuel_count, tree->counter_count, tree->stop_count,
                   words->reference_count);
    add_derived(map, tree, &derived);
    add_blocks(map, words, &derived);
    add_sites(map, words);
    free(derived.number);
    map->function = NULL;
}

void blockmap_format(const struct blockmap *map, struct buf *out)
{
    buf_add_str(out, "{\"files\":[");
    for (size_t i = 0; i < map->file_count; i++) {
        if (i)
            buf_add_char(out, ',');
        json_add_string(out, map->files[i].path);
    }
    buf_add_str(out, "],\"functions\":[");
    buf_add(out, map->functions.data, map->functions.size);
    buf_add_str(out, "]}\n");
}
