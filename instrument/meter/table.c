#include "instrument/meter/table.h"

#include "instrument/meter/ir.h"
#include "instrument/meter/pointer.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <stdbool.h>
#include <string.h>

struct table_entry {
    LLVMValueRef code; /* NULL: empty */
    LLVMValueRef type;
};

static void collect_pointers(LLVMModuleRef module, struct ir_list *out)
{
    size_t size = strlen(POINTER_PREFIX);

    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
         g = LLVMGetNextGlobal(g))
        if (!strncmp(ir_name(g), POINTER_PREFIX, size))
            ir_list_add(out, g);
}

static uint32_t fixed_index(LLVMValueRef entry)
{
    LLVMValueRef index = LLVMGetAggregateElement(LLVMGetInitializer(entry), 2);

    return (uint32_t)LLVMConstIntGetZExtValue(index);
}

static void replace_by_number(LLVMValueRef entry, uint32_t index)
{
    LLVMContextRef context = ir_context_of(entry);
    uint64_t value = (uint64_t)index * POINTER_ENTRY_BYTES;

    LLVMReplaceAllUsesWith(
        entry, LLVMConstIntToPtr(ir_i64(context, value), ir_ptr(context)));
    LLVMDeleteGlobal(entry);
}

void table_number(LLVMModuleRef module)
{
    auto_ir_list struct ir_list pointers = {0};

    collect_pointers(module, &pointers);
    for (size_t i = 0; i < pointers.count; i++)
        replace_by_number(pointers.at[i], fixed_index(pointers.at[i]));
}

/* The used part as entries, the rest as bytes, which are written faster. */
static LLVMValueRef table_value(LLVMContextRef context,
                                const struct table_entry *entries,
                                uint32_t count)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
    LLVMTypeRef member[] = {ir_ptr(context), i64};
    LLVMTypeRef type = LLVMStructTypeInContext(context, member, 2, false);
    auto_free LLVMValueRef *used = mem_calloc(count, sizeof(LLVMValueRef));

    for (uint32_t i = 0; i < count; i++) {
        LLVMValueRef value[] = {entries[i].code, entries[i].type};

        used[i] = entries[i].code
                      ? LLVMConstStructInContext(context, value, 2, false)
                      : LLVMConstNull(type);
    }
    uint64_t rest =
        (uint64_t)(POINTER_TABLE_ENTRIES - count) * POINTER_ENTRY_BYTES;
    LLVMTypeRef i8 = LLVMInt8TypeInContext(context);
    LLVMValueRef part[] = {
        LLVMConstArray2(type, used, count),
        LLVMConstNull(LLVMArrayType2(i8, rest)),
    };
    return LLVMConstStructInContext(context, part, 2, true);
}

static void define_table(LLVMModuleRef module, LLVMValueRef value)
{
    LLVMValueRef declared = LLVMGetNamedGlobal(module, POINTER_TABLE);
    LLVMValueRef table = LLVMAddGlobal(module, LLVMTypeOf(value), "");

    if (declared) {
        LLVMReplaceAllUsesWith(declared, table);
        LLVMDeleteGlobal(declared);
    }
    LLVMSetValueName2(table, POINTER_TABLE, strlen(POINTER_TABLE));
    LLVMSetInitializer(table, value);
    LLVMSetGlobalConstant(table, true);
    LLVMSetAlignment(table, 4096);
    LLVMSetSection(table, TABLE_SECTION);
}

int table_fill(LLVMModuleRef module, struct err *err)
{
    auto_ir_list struct ir_list pointers = {0};
    auto_free struct table_entry *entries =
        mem_calloc(POINTER_TABLE_ENTRIES, sizeof *entries);
    uint32_t used = 1;

    collect_pointers(module, &pointers);
    for (size_t i = 0; i < pointers.count; i++) {
        LLVMValueRef value = LLVMGetInitializer(pointers.at[i]);

        if (!value)
            return err_set(err, ERR_SYSTEM, "%s has no function",
                           ir_name(pointers.at[i]));
        uint32_t index = fixed_index(pointers.at[i]);
        if (!index || index >= POINTER_TABLE_ENTRIES || entries[index].code)
            return err_set(err, ERR_SYSTEM, "%s has index %u",
                           ir_name(pointers.at[i]), index);
        entries[index].code = LLVMGetAggregateElement(value, 0);
        entries[index].type = LLVMGetAggregateElement(value, 1);
        used = index >= used ? index + 1 : used;
        replace_by_number(pointers.at[i], index);
    }
    define_table(module,
                 table_value(LLVMGetModuleContext(module), entries, used));
    return 0;
}
