/* setjmp and longjmp to the runtime's tickets (instrument/bot/runtime.h).
 *
 * A function that calls setjmp marks at entry and releases at every return, so
 * that no ticket outlives the frame it leads to. After each setjmp the linear
 * stack pointer is set to what it was before the call: the second return comes
 * from a deeper frame.
 */
#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"

#include <string.h>

static const char *const setters[] = {"setjmp", "_setjmp", "sigsetjmp",
                                      "__sigsetjmp"};
static const char *const jumpers[] = {"longjmp", "_longjmp", "siglongjmp"};

/* Calls of one of the functions of these names. */
static void find_calls(LLVMValueRef function, const char *const *names,
                       size_t count, struct ir_list *out)
{
    auto_ir_list struct ir_list all = {0};

    ir_list_clear(out);
    ir_instructions(function, &all);
    for (size_t i = 0; i < all.count; i++) {
        for (size_t k = 0; k < count; k++) {
            if (ir_is_call_of(all.at[i], names[k]))
                ir_list_add(out, all.at[i]);
        }
    }
}

static void mark_returns_twice(LLVMValueRef call)
{
    static const char returns_twice[] = "returns_twice";
    unsigned kind = LLVMGetEnumAttributeKindForName(returns_twice,
                                                    sizeof returns_twice - 1);

    LLVMAddCallSiteAttribute(
        call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(ir_context_of(call), kind, 0));
}

static void rewrite_setter(LLVMBuilderRef builder, LLVMValueRef call)
{
    LLVMValueRef pointer =
        ir_hidden(ir_module_of(call), "__bout_stack_pointer");
    LLVMTypeRef word = LLVMGlobalGetValueType(pointer);
    LLVMValueRef environment = LLVMGetOperand(call, 0);

    ir_at(builder, call);
    LLVMValueRef kept = LLVMBuildLoad2(builder, word, pointer, "");
    LLVMValueRef new =
        ir_call(builder, "__bout_setjmp", LLVMTypeOf(call), &environment, 1);
    mark_returns_twice(new);
    LLVMBuildStore(builder, kept, pointer);
    ir_replace(call, new);
}

static void rewrite_jumper(LLVMBuilderRef builder, LLVMValueRef call)
{
    LLVMValueRef arguments[] = {LLVMGetOperand(call, 0),
                                LLVMGetOperand(call, 1)};

    ir_at(builder, call);
    ir_call(builder, "__bout_longjmp", LLVMTypeOf(call), arguments, 2);
    LLVMInstructionEraseFromParent(call);
}

static void bracket(LLVMBuilderRef builder, LLVMValueRef function)
{
    LLVMContextRef context = ir_context_of(function);
    LLVMValueRef first =
        LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    auto_ir_list struct ir_list exits = {0};

    ir_at(builder, first);
    LLVMValueRef mark = ir_call(builder, "__bout_jump_mark",
                                LLVMInt64TypeInContext(context), NULL, 0);
    ir_exits(function, &exits);
    for (size_t i = 0; i < exits.count; i++) {
        ir_at(builder, exits.at[i]);
        ir_call(builder, "__bout_jump_release", LLVMVoidTypeInContext(context),
                &mark, 1);
    }
}

int lower_jump(LLVMModuleRef module, struct err *err)
{
    auto_ir_list struct ir_list functions = {0};
    auto_ir_list struct ir_list calls = {0};
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    (void)err;
    ir_bodies(module, &functions);
    for (size_t i = 0; i < functions.count; i++) {
        LLVMValueRef function = functions.at[i];

        find_calls(function, jumpers, sizeof jumpers / sizeof *jumpers, &calls);
        for (size_t k = 0; k < calls.count; k++)
            rewrite_jumper(builder, calls.at[k]);

        find_calls(function, setters, sizeof setters / sizeof *setters, &calls);
        for (size_t k = 0; k < calls.count; k++)
            rewrite_setter(builder, calls.at[k]);
        if (calls.count)
            bracket(builder, function);
    }
    return 0;
}
