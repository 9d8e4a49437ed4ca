/* Attributes to an allow-list, and a trap before every `unreachable`.
 *
 * An attribute is a promise (memory, noreturn, noalias, range, ...) that code
 * generation may exploit, differently on each target and wrongly once counters
 * and the linear stack are written everywhere; or a wish about code (sections,
 * features, stack layout) that is not the bot's to make. What is kept promises
 * nothing about values. Whoever extends integers does it by itself: signext and
 * zeroext go too, so that a caller of another declaration cannot pass dirt.
 */
#include "instrument/bot/page.h"
#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <string.h>

#define FUNCTION_INDEX ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)

static const char *const kept[] = {"cold", "noinline", "returns_twice"};

static unsigned kind_of(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static bool is_kept(LLVMAttributeRef attribute)
{
    unsigned kind = LLVMGetEnumAttributeKind(attribute);

    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        if (kind == kind_of(kept[i]))
            return true;
    }
    return false;
}

static void strip_function_index(LLVMValueRef function,
                                 LLVMAttributeIndex index)
{
    unsigned count = LLVMGetAttributeCountAtIndex(function, index);
    auto_free LLVMAttributeRef *all = mem_calloc(count + 1, sizeof *all);

    LLVMGetAttributesAtIndex(function, index, all);
    for (unsigned i = 0; i < count; i++) {
        if (LLVMIsStringAttribute(all[i])) {
            unsigned size;
            const char *key = LLVMGetStringAttributeKind(all[i], &size);

            LLVMRemoveStringAttributeAtIndex(function, index, key, size);
        } else if (!is_kept(all[i])) {
            LLVMRemoveEnumAttributeAtIndex(function, index,
                                           LLVMGetEnumAttributeKind(all[i]));
        }
    }
}

static void strip_call_index(LLVMValueRef call, LLVMAttributeIndex index)
{
    unsigned count = LLVMGetCallSiteAttributeCount(call, index);
    auto_free LLVMAttributeRef *all = mem_calloc(count + 1, sizeof *all);

    LLVMGetCallSiteAttributes(call, index, all);
    for (unsigned i = 0; i < count; i++) {
        if (LLVMIsStringAttribute(all[i])) {
            unsigned size;
            const char *key = LLVMGetStringAttributeKind(all[i], &size);

            LLVMRemoveCallSiteStringAttribute(call, index, key, size);
        } else if (!is_kept(all[i])) {
            LLVMRemoveCallSiteEnumAttribute(call, index,
                                            LLVMGetEnumAttributeKind(all[i]));
        }
    }
}

/* nounwind: exceptions are ordinary returns by now. no-builtins, nobuiltin:
 * code generation must not take a function for the C library's by its name. */
static void rewrite_function(LLVMValueRef function)
{
    LLVMContextRef context = ir_context_of(function);

    if (LLVMGetIntrinsicID(function))
        return;
    for (unsigned i = 0; i <= LLVMCountParams(function); i++)
        strip_function_index(function, i);
    strip_function_index(function, FUNCTION_INDEX);
    LLVMAddAttributeAtIndex(
        function, FUNCTION_INDEX,
        LLVMCreateEnumAttribute(context, kind_of("nounwind"), 0));
    LLVMAddAttributeAtIndex(
        function, FUNCTION_INDEX,
        LLVMCreateStringAttribute(context, "no-builtins", 11, "", 0));
    LLVMSetFunctionCallConv(function, LLVMCCallConv);
    if (LLVMGetGC(function))
        LLVMSetGC(function, NULL);
}

/* immarg and elementtype on an intrinsic's declaration come with its name. */
static void rewrite_call(LLVMValueRef call)
{
    LLVMContextRef context = ir_context_of(call);
    bool must_tail = LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;

    for (unsigned i = 0; i <= LLVMGetNumArgOperands(call); i++)
        strip_call_index(call, i);
    strip_call_index(call, FUNCTION_INDEX);
    if (!must_tail)
        LLVMSetTailCallKind(call, LLVMTailCallKindNone);
    if (ir_intrinsic(call))
        return;
    LLVMSetInstructionCallConv(call, LLVMCCallConv);
    LLVMAddCallSiteAttribute(
        call, FUNCTION_INDEX,
        LLVMCreateEnumAttribute(context, kind_of("nounwind"), 0));
    LLVMAddCallSiteAttribute(
        call, FUNCTION_INDEX,
        LLVMCreateEnumAttribute(context, kind_of("nobuiltin"), 0));
}

/* Natives that never return need no trap behind them. */
static bool is_final(LLVMValueRef inst)
{
    return ir_is_call_of(inst, "__bout_trap") ||
           ir_is_call_of(inst, "__bout_stop") ||
           ir_is_call_of(inst, "__bout_exit") ||
           ir_is_call_of(inst, "__bout_longjmp");
}

static void trap_before(LLVMBuilderRef builder, LLVMValueRef unreachable)
{
    LLVMContextRef context = ir_context_of(unreachable);
    LLVMValueRef before = LLVMGetPreviousInstruction(unreachable);
    LLVMValueRef reason = ir_i32(context, PAGE_TRAP_UNREACHABLE);

    if (before && is_final(before))
        return;
    ir_at(builder, unreachable);
    ir_call(builder, "__bout_trap", LLVMVoidTypeInContext(context), &reason, 1);
}

static void place_traps(LLVMModuleRef module)
{
    auto_ir_list struct ir_list all = {0};
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    ir_module_instructions(module, &all);
    for (size_t i = 0; i < all.count; i++) {
        if (LLVMIsAUnreachableInst(all.at[i]))
            trap_before(builder, all.at[i]);
    }
}

int lower_attribute(LLVMModuleRef module, struct err *err)
{
    auto_ir_list struct ir_list all = {0};

    (void)err;
    place_traps(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        rewrite_function(f);
    ir_module_instructions(module, &all);
    for (size_t i = 0; i < all.count; i++) {
        if (LLVMIsACallInst(all.at[i]))
            rewrite_call(all.at[i]);
    }
    return 0;
}
