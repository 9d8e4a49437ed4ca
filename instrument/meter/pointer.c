#include "instrument/meter/pointer.h"

#include "instrument/bot/page.h"
#include "instrument/meter/ir.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <stdbool.h>
#include <string.h>

LLVMTypeRef pointer_entry_type(LLVMContextRef context)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
    LLVMTypeRef member[] = {ir_ptr(context), i64, i64};

    return LLVMStructTypeInContext(context, member, 3, false);
}

/* ---- addresses ------------------------------------------------------------
 */

LLVMValueRef pointer_declare(LLVMModuleRef module, LLVMValueRef function)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    auto_free char *name = mem_format(POINTER_PREFIX "%s", ir_name(function));
    LLVMValueRef entry = LLVMGetNamedGlobal(module, name);

    if (entry)
        return entry;
    entry = LLVMAddGlobal(module, pointer_entry_type(context), name);
    LLVMSetGlobalConstant(entry, true);
    LLVMSetAlignment(entry, POINTER_ENTRY_BYTES);
    return entry;
}

static size_t count_uses(LLVMValueRef value)
{
    size_t count = 0;

    for (LLVMUseRef use = LLVMGetFirstUse(value); use;
         use = LLVMGetNextUse(use))
        count++;
    return count;
}

/* The calls of `function` by its own type. */
static void direct_calls(LLVMValueRef function, struct ir_list *out)
{
    size_t kept = 0;

    ir_call_users(function, out);
    for (size_t i = 0; i < out->count; i++)
        if (LLVMGetCalledFunctionType(out->at[i]) ==
            LLVMGlobalGetValueType(function))
            out->at[kept++] = out->at[i];
    out->count = kept;
}

static void set_callee(LLVMValueRef call, LLVMValueRef callee)
{
    unsigned last = (unsigned)LLVMGetNumOperands(call) - 1;

    LLVMSetOperand(call, last, callee);
}

static int take_address(LLVMModuleRef module, LLVMValueRef function,
                        struct err *err)
{
    auto_ir_list struct ir_list calls = {0};

    direct_calls(function, &calls);
    if (count_uses(function) == calls.count)
        return 0;
    if (!strncmp(ir_name(function), "__bout_", 7) &&
        LLVMIsDeclaration(function))
        return err_set(err, ERR_SYSTEM,
                       "the address of the native %s is taken, or it is "
                       "called by another type",
                       ir_name(function));
    LLVMReplaceAllUsesWith(function, pointer_declare(module, function));
    for (size_t i = 0; i < calls.count; i++)
        set_callee(calls.at[i], function);
    return 0;
}

int pointer_take(LLVMModuleRef module, struct err *err)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        if (!LLVMGetIntrinsicID(f) && take_address(module, f, err) < 0)
            return -1;
    return 0;
}

/* ---- types ----------------------------------------------------------------
 */

/* What of an attribute list changes how a value is passed. */
static const struct {
    const char *name;
    char mark;
} passing[] = {{"signext", 's'}, {"zeroext", 'z'}, {"sret", 'r'}};

static bool has_attribute(LLVMValueRef value, bool is_call, unsigned index,
                          const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

    return is_call ? LLVMGetCallSiteEnumAttribute(value, index, kind)
                   : LLVMGetEnumAttributeAtIndex(value, index, kind);
}

/* The id of the type of a function, or of the function that a call expects. */
static uint32_t type_id(struct manifest *manifest, LLVMValueRef value)
{
    bool is_call = LLVMIsACallInst(value);
    LLVMTypeRef type = is_call ? LLVMGetCalledFunctionType(value)
                               : LLVMGlobalGetValueType(value);
    auto_buf struct buf key = {0};
    char *text = LLVMPrintTypeToString(type);

    buf_add_str(&key, text);
    LLVMDisposeMessage(text);
    for (unsigned i = 0; i <= LLVMCountParamTypes(type); i++)
        for (size_t k = 0; k < sizeof passing / sizeof *passing; k++)
            if (has_attribute(value, is_call, i, passing[k].name))
                buf_add_format(&key, " %u%c", i, passing[k].mark);
    return manifest_type(manifest, key.data);
}

void pointer_define(LLVMModuleRef module, struct manifest *manifest)
{
    LLVMContextRef context = LLVMGetModuleContext(module);

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f)) {
        auto_free char *name = mem_format(POINTER_PREFIX "%s", ir_name(f));
        LLVMValueRef entry = LLVMGetNamedGlobal(module, name);

        if (!entry || !ir_is_body(f))
            continue;
        LLVMValueRef member[] = {
            f,
            ir_i64(context, type_id(manifest, f)),
            ir_i64(context, manifest->indices++),
        };
        LLVMSetInitializer(entry,
                           LLVMConstStructInContext(context, member, 3, false));
    }
}

/* ---- checks ---------------------------------------------------------------
 */

static LLVMBasicBlockRef trap_block(LLVMBuilderRef builder,
                                    LLVMValueRef function)
{
    LLVMContextRef context = ir_context_of(function);
    LLVMBasicBlockRef block = ir_append_block(function);
    LLVMValueRef reason = ir_i32(context, PAGE_TRAP_POINTER);

    LLVMPositionBuilderAtEnd(builder, block);
    LLVMSetCurrentDebugLocation2(builder, NULL);
    ir_call(builder, "__bout_trap", LLVMVoidTypeInContext(context), &reason, 1);
    ir_call_intrinsic(builder, "llvm.trap", NULL, 0, NULL, 0);
    LLVMBuildUnreachable(builder);
    return block;
}

static LLVMValueRef get_table(LLVMModuleRef module)
{
    LLVMTypeRef i8 = LLVMInt8TypeInContext(LLVMGetModuleContext(module));
    LLVMValueRef table = LLVMGetNamedGlobal(module, POINTER_TABLE);

    if (table)
        return table;
    table = LLVMAddGlobal(module,
                          LLVMArrayType2(i8, (uint64_t)POINTER_TABLE_ENTRIES *
                                                 POINTER_ENTRY_BYTES),
                          POINTER_TABLE);
    LLVMSetGlobalConstant(table, true);
    LLVMSetAlignment(table, POINTER_ENTRY_BYTES);
    return table;
}

static LLVMValueRef build_entry(LLVMBuilderRef builder, LLVMModuleRef module,
                                LLVMValueRef pointer)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    uint64_t mask = (uint64_t)(POINTER_TABLE_ENTRIES - 1) * POINTER_ENTRY_BYTES;
    LLVMValueRef value = LLVMBuildPtrToInt(builder, pointer,
                                           LLVMInt64TypeInContext(context), "");
    LLVMValueRef offset =
        LLVMBuildAnd(builder, value, ir_i64(context, mask), "");

    return LLVMBuildGEP2(builder, LLVMInt8TypeInContext(context),
                         get_table(module), &offset, 1, "");
}

static void check_call(LLVMBuilderRef builder, struct manifest *manifest,
                       LLVMValueRef call, LLVMBasicBlockRef trap)
{
    LLVMModuleRef module = ir_module_of(call);
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
    LLVMValueRef eight = ir_i64(context, 8);
    LLVMBasicBlockRef rest = LLVMGetInstructionParent(call);
    LLVMBasicBlockRef head = ir_split_before(call);

    ir_at_end(builder, head, call);
    LLVMValueRef entry = build_entry(builder, module, LLVMGetCalledValue(call));
    LLVMValueRef type_at = LLVMBuildGEP2(
        builder, LLVMInt8TypeInContext(context), entry, &eight, 1, "");
    LLVMValueRef is_other = LLVMBuildICmp(
        builder, LLVMIntNE, LLVMBuildLoad2(builder, i64, type_at, ""),
        ir_i64(context, type_id(manifest, call)), "");
    LLVMBuildCondBr(builder, is_other, trap, rest);

    ir_at(builder, call);
    set_callee(call, LLVMBuildLoad2(builder, ir_ptr(context), entry, ""));
}

static bool is_indirect(LLVMValueRef inst)
{
    return LLVMIsACallInst(inst) &&
           !LLVMIsAFunction(LLVMGetCalledValue(inst)) &&
           !LLVMIsAInlineAsm(LLVMGetCalledValue(inst));
}

static void check_function(LLVMBuilderRef builder, struct manifest *manifest,
                           LLVMValueRef function)
{
    auto_ir_list struct ir_list all = {0};
    LLVMBasicBlockRef trap = NULL;

    ir_instructions(function, &all);
    for (size_t i = 0; i < all.count; i++) {
        if (!is_indirect(all.at[i]))
            continue;
        if (!trap)
            trap = trap_block(builder, function);
        check_call(builder, manifest, all.at[i], trap);
    }
}

void pointer_check(LLVMModuleRef module, struct manifest *manifest)
{
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    auto_ir_list struct ir_list bodies = {0};

    ir_bodies(module, &bodies);
    for (size_t i = 0; i < bodies.count; i++)
        check_function(builder, manifest, bodies.at[i]);
}
