#include "instrument/meter/layout.h"

#include "instrument/bot/page.h"
#include "instrument/meter/adopt.h"
#include "instrument/meter/ir.h"
#include "instrument/meter/json.h"
#include "instrument/bot/plan.h"
#include "instrument/meter/plan.h"
#include "instrument/meter/pointer.h"
#include "instrument/meter/table.h"
#include "runner/base/cleanup.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MIN_ALIGN 16u

void layout_release(struct layout *layout)
{
    for (size_t i = 0; i < layout->symbol_count; i++)
        free(layout->symbols[i].name);
    free(layout->symbols);
    buf_release(&layout->functions);
    *layout = (struct layout){0};
}

static void add_symbol(struct layout *layout, const char *name,
                       uint64_t address)
{
    if (layout->symbol_count == layout->symbol_capacity) {
        layout->symbol_capacity =
            layout->symbol_capacity ? 2 * layout->symbol_capacity : 256;
        layout->symbols = mem_realloc(
            layout->symbols, layout->symbol_capacity * sizeof *layout->symbols);
    }
    layout->symbols[layout->symbol_count++] =
        (struct layout_symbol){.name = mem_dup_str(name), .address = address};
}

/* ---- data -----------------------------------------------------------------
 */

static bool is_bots(LLVMValueRef global)
{
    return !strncmp(ir_name(global), ADOPT_PREFIX, strlen(ADOPT_PREFIX));
}

static bool is_data(LLVMValueRef global)
{
    return !LLVMIsDeclaration(global) &&
           strcmp(ir_name(global), POINTER_TABLE) != 0;
}

static bool is_zero(LLVMValueRef global)
{
    return LLVMIsNull(LLVMGetInitializer(global));
}

/* The objects in the image's order; *initialised tells how many are not zero.
 */
static void collect_data(LLVMModuleRef module, struct ir_list *out,
                         size_t *initialised)
{
    for (int part = 0; part < 4; part++) {
        bool zero = part >= 2;
        bool bots = part % 2 == 0;

        for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
             g = LLVMGetNextGlobal(g))
            if (is_data(g) && is_zero(g) == zero && is_bots(g) == bots)
                ir_list_add(out, g);
        if (part == 1)
            *initialised = out->count;
    }
}

static uint64_t align_up(uint64_t value, uint64_t align)
{
    return (value + align - 1) / align * align;
}

/* The image as it grows: members of a packed struct. */
struct image {
    struct ir_list members;
    uint64_t size;
};

static void pad_image(struct image *image, LLVMContextRef context,
                      uint64_t size)
{
    LLVMTypeRef i8 = LLVMInt8TypeInContext(context);

    if (size > image->size)
        ir_list_add(&image->members,
                    LLVMConstNull(LLVMArrayType2(i8, size - image->size)));
    image->size = size;
}

static void define_part(LLVMModuleRef module, const char *name,
                        LLVMValueRef value, const char *section, unsigned align)
{
    LLVMValueRef part = LLVMAddGlobal(module, LLVMTypeOf(value), name);

    LLVMSetInitializer(part, value);
    LLVMSetSection(part, section);
    LLVMSetAlignment(part, align);
}

static int too_big(struct err *err)
{
    return err_set(err, ERR_INPUT,
                   "the program's data is larger than %u bytes; make its "
                   "arrays smaller",
                   PAGE_DATA_MAX_BYTES);
}

/* Gives each object its offset in `at`; the sum is layout->data_bytes. */
static int assign_offsets(struct layout *layout, LLVMModuleRef module,
                          const struct ir_list *data, uint64_t *at,
                          struct err *err)
{
    uint64_t end = 0;

    for (size_t i = 0; i < data->count; i++) {
        LLVMTypeRef type = LLVMGlobalGetValueType(data->at[i]);
        uint64_t size = ir_size(module, type);
        unsigned align = LLVMGetAlignment(data->at[i]);

        at[i] = align_up(end, align > MIN_ALIGN ? align : MIN_ALIGN);
        if (size > PAGE_DATA_MAX_BYTES || at[i] > PAGE_DATA_MAX_BYTES - size)
            return too_big(err);
        end = at[i] + size;
    }
    layout->data_bytes = end;
    return 0;
}

static void pin(LLVMValueRef object, uint64_t address)
{
    LLVMContextRef context = ir_context_of(object);

    LLVMReplaceAllUsesWith(
        object, LLVMConstIntToPtr(ir_i64(context, address), ir_ptr(context)));
}

int layout_data(struct layout *layout, LLVMModuleRef module, struct err *err)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    auto_ir_list struct ir_list data = {0};
    struct image image = {0};
    size_t initialised = 0;

    collect_data(module, &data, &initialised);
    auto_free uint64_t *at = mem_calloc(data.count + 1, sizeof *at);
    if (assign_offsets(layout, module, &data, at, err) < 0)
        return -1;
    for (size_t i = 0; i < data.count; i++) {
        if (!is_bots(data.at[i]))
            add_symbol(layout, ir_name(data.at[i]), PAGE_DATA_ADDRESS + at[i]);
        pin(data.at[i], PAGE_DATA_ADDRESS + at[i]);
    }
    /* Now no initialiser names an object any more. */
    for (size_t i = 0; i < initialised; i++) {
        LLVMValueRef value = LLVMGetInitializer(data.at[i]);

        pad_image(&image, context, at[i]);
        ir_list_add(&image.members, value);
        image.size += ir_size(module, LLVMTypeOf(value));
    }
    pad_image(&image, context, align_up(image.size, MIN_ALIGN));
    for (size_t i = 0; i < data.count; i++)
        LLVMDeleteGlobal(data.at[i]);

    if (image.size)
        define_part(module, "__bout_data",
                    LLVMConstStructInContext(context, image.members.at,
                                             (unsigned)image.members.count,
                                             true),
                    LAYOUT_DATA_SECTION, PAGE_BYTES);
    if (layout->data_bytes > image.size) {
        LLVMTypeRef i8 = LLVMInt8TypeInContext(context);
        uint64_t zeros = layout->data_bytes - image.size;

        define_part(module, LAYOUT_ZEROS,
                    LLVMConstNull(LLVMArrayType2(i8, zeros)),
                    LAYOUT_ZERO_SECTION, MIN_ALIGN);
    }
    ir_list_release(&image.members);
    return 0;
}

/* ---- counters -------------------------------------------------------------
 */

static bool is_bots_function(LLVMValueRef function)
{
    return is_bots(function) || !strcmp(ir_name(function), "main") ||
           !strcmp(ir_name(function), "__bot_ctors");
}

/* A function with its plan, in the layout's order. */
struct planned {
    LLVMValueRef function;
    struct plan plan;
    uint64_t at[PLAN_GROUPS]; /* the first word of each group */
};

struct planned_list {
    struct planned *at;
    size_t count;
    uint64_t total[PLAN_GROUPS];
};

static void release_planned(struct planned_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        plan_release(&list->at[i].plan);
    free(list->at);
}

static void collect_planned(LLVMModuleRef module, struct planned_list *list)
{
    auto_ir_list struct ir_list bodies = {0};

    ir_bodies(module, &bodies);
    list->at = mem_calloc(bodies.count + 1, sizeof *list->at);
    for (int bots = 1; bots >= 0; bots--)
        for (size_t i = 0; i < bodies.count; i++) {
            struct planned *planned = &list->at[list->count];

            if (is_bots_function(bodies.at[i]) != bots ||
                !plan_read(bodies.at[i], &planned->plan))
                continue;
            planned->function = bodies.at[i];
            list->count++;
        }
}

static void number_groups(struct layout *layout, struct planned_list *list)
{
    for (unsigned group = 0; group < PLAN_GROUPS; group++) {
        for (size_t i = 0; i < list->count; i++) {
            struct planned *planned = &list->at[i];
            uint32_t count = plan_count(&planned->plan, group);
            auto_free char *name = mem_format("%s%s", plan_prefix(group),
                                              ir_name(planned->function));

            planned->at[group] = layout->counter_count;
            layout->counter_count += count;
            list->total[group] += count;
            if (count)
                add_symbol(layout, name,
                           PAGE_HIDDEN_COUNTERS + 8 * planned->at[group]);
        }
    }
}

static void describe_planned(struct layout *layout,
                             const struct planned *planned)
{
    buf_add_str(&layout->functions,
                layout->functions.size ? ",\n{\"symbol\":" : "\n{\"symbol\":");
    json_add_string(&layout->functions, ir_name(planned->function));
    buf_add_format(&layout->functions, ",\"origin\":\"%s\",\"words\":[",
                   is_bots_function(planned->function) ? "bot" : "library");
    for (unsigned group = 0; group < PLAN_GROUPS; group++)
        buf_add_format(&layout->functions, "%s%llu", group ? "," : "",
                       (unsigned long long)planned->at[group]);
    buf_add_str(&layout->functions, "]}");
}

/* Of each stop: the fuel counter whose check it is, and its price. */
static void add_checks(const struct planned *planned, LLVMContextRef context,
                       struct ir_list *out)
{
    for (uint32_t i = 0; i < planned->plan.stop_count; i++) {
        bool is_check = i < planned->plan.fuel_count;
        uint64_t fuel = is_check ? planned->at[0] + i : PLAN_SITE;
        uint64_t price = is_check ? planned->plan.price[i] : 0;

        ir_list_add(out, ir_i64(context, price << 32 | fuel));
    }
}

static void add_weights(const struct planned *planned, unsigned group,
                        LLVMContextRef context, struct ir_list *out)
{
    const int64_t *weight = planned->plan.weight;

    for (unsigned i = 0; i < group; i++)
        weight += plan_count(&planned->plan, i);
    for (uint32_t i = 0; i < plan_count(&planned->plan, group); i++)
        ir_list_add(out, ir_i64(context, (uint64_t)weight[i]));
}

static void define_plan(LLVMModuleRef module, const struct planned_list *list,
                        enum placement placement)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
    auto_ir_list struct ir_list words = {0};

    ir_list_add(&words, ir_i64(context, placement));
    for (unsigned group = 0; group < PLAN_GROUPS; group++)
        ir_list_add(&words, ir_i64(context, list->total[group]));
    for (unsigned group = 0; group < PLAN_GROUPS - 1; group++)
        for (size_t i = 0; i < list->count; i++)
            add_weights(&list->at[i], group, context, &words);
    for (size_t i = 0; i < list->count; i++)
        add_checks(&list->at[i], context, &words);

    LLVMValueRef plan =
        LLVMAddGlobal(module, LLVMArrayType2(i64, words.count), "__bout_plan");
    LLVMSetInitializer(plan, LLVMConstArray2(i64, words.at, words.count));
    LLVMSetGlobalConstant(plan, true);
    LLVMSetAlignment(plan, 64);
}

void layout_counters(struct layout *layout, LLVMModuleRef module,
                     enum placement placement)
{
    __attribute__((cleanup(release_planned))) struct planned_list list = {0};

    collect_planned(module, &list);
    number_groups(layout, &list);
    for (size_t i = 0; i < list.count; i++)
        describe_planned(layout, &list.at[i]);
    define_plan(module, &list, placement);
    add_symbol(layout, "__bout_remaining", PAGE_HIDDEN_REMAINING);
    add_symbol(layout, "__bout_stack_pointer", PAGE_HIDDEN_STACK_POINTER);
    add_symbol(layout, "__bout_stack_floor", PAGE_HIDDEN_STACK_FLOOR);
    add_symbol(layout, "__bout_allowance", PAGE_HIDDEN_ALLOWANCE);
    add_symbol(layout, "__bout_check", PAGE_HIDDEN_CHECK);
}

void layout_pin_hidden(const struct layout *layout, LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef hidden = LLVMPointerTypeInContext(context, IR_HIDDEN_SPACE);

    for (size_t i = 0; i < layout->symbol_count; i++) {
        const struct layout_symbol *symbol = &layout->symbols[i];
        LLVMValueRef word = LLVMGetNamedGlobal(module, symbol->name);

        if (!word || LLVMTypeOf(word) != hidden)
            continue;
        LLVMReplaceAllUsesWith(
            word, LLVMConstIntToPtr(ir_i64(context, symbol->address), hidden));
        LLVMDeleteGlobal(word);
    }
}

/* ---- files ----------------------------------------------------------------
 */

void layout_format(const struct layout *layout, struct buf *out)
{
    buf_add_format(out,
                   "{\"data_bytes\":%llu,\"counters\":%llu,"
                   "\"functions\":[",
                   (unsigned long long)layout->data_bytes,
                   (unsigned long long)layout->counter_count);
    buf_add(out, layout->functions.data, layout->functions.size);
    buf_add_str(out, "]}\n");
}

/* Segments: code, read-only, data; no other. The runtime's code comes first and
 * alone in its section, so that the scan knows it. Its data would be in reach
 * of the bot: it may have none. */
static const char script[] =
    "ENTRY(__bout_start)\n"
    "PHDRS\n{\n"
    "  text PT_LOAD FLAGS(5);\n"
    "  rodata PT_LOAD FLAGS(4);\n"
    "  data PT_LOAD FLAGS(6);\n"
    "  stack PT_GNU_STACK FLAGS(6);\n"
    "}\n"
    "SECTIONS\n{\n"
    "  . = 0x%x;\n"
    "  bout_runtime : { KEEP(*(bout_runtime)) } :text\n"
    "  .text : ALIGN(64) { *(.text .text.*) } :text\n"
    "  .table : ALIGN(4096) { KEEP(*(" TABLE_SECTION ")) } :rodata\n"
    "  .rodata : { *(.rodata .rodata.*) } :rodata\n"
    "  .data 0x%x : { KEEP(*(" LAYOUT_DATA_SECTION ")) } :data\n"
    "  .bss : { KEEP(*(" LAYOUT_ZERO_SECTION ")) } :data\n"
    "  .other : { *(.data .data.* .bss .bss.* COMMON .tdata .tbss) } :data\n"
    "  ASSERT(SIZEOF(.other) == 0, \"the runtime has data\")\n"
    "  /DISCARD/ : { *(.comment) *(.note .note.*) *(.eh_frame*) *(.llvm*) }\n"
    "}\n";

void layout_format_script(const struct layout *layout, struct buf *out)
{
    buf_add_format(out, script, PAGE_TEXT_ADDRESS, PAGE_DATA_ADDRESS);
    for (size_t i = 0; i < layout->symbol_count; i++)
        buf_add_format(out, "\"%s\" = 0x%llx;\n", layout->symbols[i].name,
                       (unsigned long long)layout->symbols[i].address);
}
