/* Intrinsics that are hints, traps or questions to the optimiser: to nothing,
 * to an operand, to a constant, or to the runtime's trap.
 */
#include "instrument/bot/page.h"
#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"

#include <string.h>

enum action {
    ERASE,       /* a hint */
    OPERAND,     /* its first operand */
    TRAP,        /* __bout_trap */
    FALSE_VALUE, /* 0 */
    TRUE_VALUE,  /* 1: also the number of "to nearest" */
    SIZE,        /* llvm.objectsize: unknown */
    STRICT,      /* stays; its last operand, "this case is poison", becomes 0 */
};

static const struct {
    const char *intrinsic;
    enum action action;
} actions[] = {
    {"llvm.abs", STRICT},
    {"llvm.allow.runtime.check", TRUE_VALUE},
    {"llvm.allow.ubsan.check", TRUE_VALUE},
    {"llvm.annotation", OPERAND},
    {"llvm.arithmetic.fence", OPERAND},
    {"llvm.assume", ERASE},
    {"llvm.ctlz", STRICT},
    {"llvm.cttz", STRICT},
    {"llvm.dbg.assign", ERASE},
    {"llvm.dbg.declare", ERASE},
    {"llvm.dbg.label", ERASE},
    {"llvm.dbg.value", ERASE},
    {"llvm.debugtrap", TRAP},
    {"llvm.donothing", ERASE},
    {"llvm.expect", OPERAND},
    {"llvm.expect.with.probability", OPERAND},
    {"llvm.experimental.noalias.scope.decl", ERASE},
    {"llvm.get.rounding", TRUE_VALUE},
    {"llvm.invariant.end", ERASE},
    {"llvm.is.constant", FALSE_VALUE},
    {"llvm.launder.invariant.group", OPERAND},
    {"llvm.lifetime.end", ERASE},
    {"llvm.lifetime.start", ERASE},
    {"llvm.objectsize", SIZE},
    {"llvm.prefetch", ERASE},
    {"llvm.pseudoprobe", ERASE},
    {"llvm.ptr.annotation", OPERAND},
    {"llvm.sideeffect", ERASE},
    {"llvm.ssa.copy", OPERAND},
    {"llvm.strip.invariant.group", OPERAND},
    {"llvm.trap", TRAP},
    {"llvm.ubsantrap", TRAP},
    {"llvm.var.annotation", ERASE},
};

static void replace_by_number(LLVMValueRef call, int64_t value)
{
    ir_replace(call, ir_number(LLVMTypeOf(call), value));
}

static void build_trap(LLVMBuilderRef builder, LLVMValueRef call)
{
    LLVMContextRef context = ir_context_of(call);
    LLVMValueRef reason = ir_i32(context, PAGE_TRAP_UNREACHABLE);

    ir_at(builder, call);
    ir_call(builder, "__bout_trap", LLVMVoidTypeInContext(context), &reason, 1);
    LLVMInstructionEraseFromParent(call);
}

static void act(LLVMBuilderRef builder, LLVMValueRef call, enum action action)
{
    switch (action) {
    case ERASE:
        LLVMInstructionEraseFromParent(call);
        return;
    case OPERAND:
        ir_replace(call, LLVMGetOperand(call, 0));
        return;
    case TRAP:
        build_trap(builder, call);
        return;
    case FALSE_VALUE:
        replace_by_number(call, 0);
        return;
    case TRUE_VALUE:
        replace_by_number(call, 1);
        return;
    case SIZE: /* operand 1: the least is asked for, else the most */
        replace_by_number(
            call, LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1)) ? 0 : -1);
        return;
    case STRICT:
        LLVMSetOperand(call, 1,
                       LLVMConstNull(LLVMTypeOf(LLVMGetOperand(call, 1))));
        return;
    }
}

/* invariant.start's token is used by invariant.end alone, gone by then. */
static void erase_invariants(const struct ir_list *starts)
{
    for (size_t i = 0; i < starts->count; i++)
        ir_replace(starts->at[i], LLVMConstNull(LLVMTypeOf(starts->at[i])));
}

/* The inline forms must not call memcpy; here every copy is priced alike. */
static void rewrite_inline_copy(LLVMBuilderRef builder, LLVMValueRef call)
{
    LLVMValueRef to = LLVMGetOperand(call, 0);
    LLVMValueRef from = LLVMGetOperand(call, 1);
    LLVMValueRef size = LLVMGetOperand(call, 2);

    ir_at(builder, call);
    if (ir_has_base(ir_intrinsic(call), "llvm.memcpy.inline"))
        LLVMBuildMemCpy(builder, to, 1, from, 1, size);
    else
        LLVMBuildMemSet(builder, to, from, size, 1);
    LLVMInstructionEraseFromParent(call);
}

/* The longest name wins, as in intrinsic_find; -1 for one that is not listed.
 */
static int find_action(const char *name)
{
    int found = -1;
    size_t longest = 0;

    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        size_t size = strlen(actions[i].intrinsic);

        if (size > longest && ir_has_base(name, actions[i].intrinsic)) {
            longest = size;
            found = (int)actions[i].action;
        }
    }
    return found;
}

/* What annotations leave in the data: a table for nobody, texts for nobody. */
static void drop_annotations(LLVMModuleRef module)
{
    LLVMValueRef table = LLVMGetNamedGlobal(module, "llvm.global.annotations");

    if (table)
        LLVMDeleteGlobal(table);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
         g = LLVMGetNextGlobal(g)) {
        const char *section = LLVMGetSection(g);

        if (section && !strcmp(section, "llvm.metadata"))
            LLVMSetSection(g, "");
    }
}

int lower_intrinsic(LLVMModuleRef module, struct err *err)
{
    auto_ir_list struct ir_list all = {0};
    auto_ir_list struct ir_list invariants = {0};
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    (void)err;
    ir_module_instructions(module, &all);
    for (size_t i = 0; i < all.count; i++) {
        const char *name = ir_intrinsic(all.at[i]);
        int action = name ? find_action(name) : -1;

        if (action >= 0)
            act(builder, all.at[i], (enum action)action);
        else if (name && ir_has_base(name, "llvm.invariant.start"))
            ir_list_add(&invariants, all.at[i]);
        else if (name && (ir_has_base(name, "llvm.memcpy.inline") ||
                          ir_has_base(name, "llvm.memset.inline")))
            rewrite_inline_copy(builder, all.at[i]);
    }
    erase_invariants(&invariants);
    drop_annotations(module);
    return 0;
}
