/* Exceptions to checked returns: no unwinder, no tables, and throwing is
 * counted like anything else.
 *
 * The exception on its way is in @__bout_exception, null if there is none.
 * `_Unwind_RaiseException` (the library's) stores it and returns. After each
 * call that may unwind stands a check: an invoke goes to its landing pad, a
 * call to a block that returns a zero. A landing pad takes the exception, asks
 * __bout_select which of its clauses catches it, and `resume` puts it back and
 * returns. main's caller finds what nobody caught.
 *
 *     clauses, a table of {type info, number}:
 *         catch T       {T, k}      k > 0: T's number in this module
 *         catch (...)   {null, CATCH_ALL}
 *         filter A, B   {A, 0}, {B, 0}, {null, -1}   thrown is neither
 *
 * What may unwind is closed over the module first: a function none of whose
 * calls may is `nounwind`, and so are its calls. A function that may is marked
 * `!bout.unwinds` for the manifest, since attributes go later. Source: LLVM's
 * ExceptionHandling.rst; the Itanium C++ ABI, Exception Handling.
 */
#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <string.h>

#define CATCH_ALL 0x7fffffff
#define FILTER_END (-1)
#define RAISE "_Unwind_RaiseException"

struct unwind {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMTypeRef ptr;
    LLVMTypeRef clause;      /* {ptr, i32} */
    LLVMValueRef pending;    /* @__bout_exception */
    struct ir_list numbered; /* type infos; the number is the place plus 1 */
};

static void unwind_release(struct unwind *unwind)
{
    ir_list_release(&unwind->numbered);
    ir_builder_release(&unwind->builder);
}
#define auto_unwind __attribute__((cleanup(unwind_release)))

/* ---- what may unwind ------------------------------------------------------
 */

static unsigned nounwind_kind(void)
{
    return LLVMGetEnumAttributeKindForName("nounwind", 8);
}

static bool is_marked_nounwind(LLVMValueRef function)
{
    return LLVMGetEnumAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        nounwind_kind());
}

static void mark_nounwind(LLVMValueRef function)
{
    LLVMAddAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(ir_context_of(function), nounwind_kind(), 0));
}

static bool may_unwind(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);

    if (LLVMGetCallSiteEnumAttribute(
            call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
            nounwind_kind()))
        return false;
    if (!LLVMIsAFunction(callee))
        return true;
    return !ir_intrinsic(call) && !is_marked_nounwind(callee) &&
           strncmp(ir_name(callee), "__bout_", 7) != 0;
}

static bool lets_out(LLVMValueRef inst)
{
    return LLVMIsAResumeInst(inst) ||
           (LLVMIsACallInst(inst) && may_unwind(inst));
}

static bool function_lets_out(LLVMValueRef function)
{
    auto_ir_list struct ir_list all = {0};

    if (!strcmp(ir_name(function), RAISE))
        return true;
    ir_instructions(function, &all);
    for (size_t i = 0; i < all.count; i++) {
        if (lets_out(all.at[i]))
            return true;
    }
    return false;
}

static unsigned unwinds_kind(LLVMContextRef context)
{
    return LLVMGetMDKindIDInContext(context, "bout.unwinds", 12);
}

bool lower_unwinds(LLVMValueRef function)
{
    unsigned kind = unwinds_kind(ir_context_of(function));
    size_t count = 0;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(function, &count);
    bool found = false;

    for (unsigned i = 0; i < count; i++)
        found |= LLVMValueMetadataEntriesGetKind(all, i) == kind;
    LLVMDisposeValueMetadataEntries(all);
    return found;
}

/* Whoever raises names the C++ library; a callback that raises is such a
 * program's too. The bot's own names begin otherwise by now. */
static bool can_raise(LLVMModuleRef module)
{
    static const char *const raisers[] = {"_Z", "__cxa_", "_Unwind_"};

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f)) {
        for (size_t i = 0; i < sizeof raisers / sizeof *raisers; i++)
            if (!strncmp(ir_name(f), raisers[i], strlen(raisers[i])))
                return true;
    }
    return false;
}

/* C that no exception passes through pays for none. */
static void mark_all(LLVMModuleRef module)
{
    LLVMAttributeRef nounwind = LLVMCreateEnumAttribute(
        LLVMGetModuleContext(module), nounwind_kind(), 0);
    auto_ir_list struct ir_list bodies = {0};

    ir_bodies(module, &bodies);
    for (size_t i = 0; i < bodies.count; i++) {
        auto_ir_list struct ir_list all = {0};

        ir_instructions(bodies.at[i], &all);
        for (size_t k = 0; k < all.count; k++)
            if (LLVMIsACallInst(all.at[k]) || LLVMIsAInvokeInst(all.at[k]))
                LLVMAddCallSiteAttribute(
                    all.at[k], (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                    nounwind);
    }
}

/* The greatest set of functions that let nothing out: all are taken to be in it
 * and thrown out until none of the rest calls one that is out. */
static void close_nounwind(LLVMModuleRef module)
{
    auto_ir_list struct ir_list open = {0};
    unsigned unwinds = unwinds_kind(LLVMGetModuleContext(module));
    bool changed = true;

    ir_bodies(module, &open);
    for (size_t i = 0; i < open.count; i++)
        mark_nounwind(open.at[i]);
    while (changed) {
        changed = false;
        for (size_t i = 0; i < open.count; i++) {
            if (!is_marked_nounwind(open.at[i]) ||
                !function_lets_out(open.at[i]))
                continue;
            LLVMRemoveEnumAttributeAtIndex(
                open.at[i], (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                nounwind_kind());
            changed = true;
        }
    }
    LLVMMetadataRef mark =
        LLVMMDNodeInContext2(LLVMGetModuleContext(module), NULL, 0);
    for (size_t i = 0; i < open.count; i++) {
        if (!is_marked_nounwind(open.at[i]))
            LLVMGlobalSetMetadata(open.at[i], unwinds, mark);
    }
}

/* ---- calls ----------------------------------------------------------------
 */

static LLVMValueRef is_pending(struct unwind *unwind)
{
    LLVMValueRef pending =
        LLVMBuildLoad2(unwind->builder, unwind->ptr, unwind->pending, "");

    return LLVMBuildIsNotNull(unwind->builder, pending, "");
}

/* The function's block that passes an exception on; made when first asked. */
static LLVMBasicBlockRef way_out(struct unwind *unwind, LLVMValueRef function,
                                 LLVMBasicBlockRef *made, LLVMValueRef where)
{
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));

    if (*made)
        return *made; // cppcheck-suppress identicalInnerCondition
    *made = ir_append_block(function);
    ir_at_end(unwind->builder, *made, where);
    if (LLVMGetTypeKind(result) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(unwind->builder);
    else
        LLVMBuildRet(unwind->builder, LLVMConstNull(result));
    return *made;
}

/* Whoever called us checks too: a call right before its `ret` need not. */
static bool is_returned(LLVMValueRef call)
{
    LLVMValueRef next = LLVMGetNextInstruction(call);

    if (!next || !LLVMIsAReturnInst(next))
        return false;
    return LLVMGetNumOperands(next) == 0 || LLVMGetOperand(next, 0) == call;
}

static void check_call(struct unwind *unwind, LLVMValueRef call,
                       LLVMBasicBlockRef *made)
{
    if (!may_unwind(call) || is_returned(call) ||
        LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail)
        return;
    LLVMValueRef function = ir_function_of(call);
    LLVMValueRef next = LLVMGetNextInstruction(call);
    LLVMBasicBlockRef out = way_out(unwind, function, made, call);
    LLVMBasicBlockRef head = ir_split_before(next);

    ir_at_end(unwind->builder, head, call);
    LLVMBuildCondBr(unwind->builder, is_pending(unwind), out,
                    LLVMGetInstructionParent(next));
}

/* The edge to the pad stays where none is needed, with a condition that is
 * false: the pad's PHIs count it, and simplifycfg takes it away. */
static void lower_invoke(struct unwind *unwind, LLVMValueRef invoke)
{
    unsigned count = LLVMGetNumArgOperands(invoke);
    auto_free LLVMValueRef *arguments =
        mem_calloc(count + 1, sizeof *arguments);
    LLVMBasicBlockRef normal = LLVMGetNormalDest(invoke);
    LLVMBasicBlockRef pad = LLVMGetUnwindDest(invoke);
    bool checked = may_unwind(invoke);

    for (unsigned i = 0; i < count; i++)
        arguments[i] = LLVMGetOperand(invoke, i);
    ir_at(unwind->builder, invoke);
    LLVMValueRef call =
        ir_call_like(unwind->builder, invoke, LLVMGetCalledFunctionType(invoke),
                     LLVMGetCalledValue(invoke), arguments);
    LLVMValueRef caught =
        checked ? is_pending(unwind)
                : LLVMConstNull(LLVMInt1TypeInContext(unwind->context));
    LLVMBuildCondBr(unwind->builder, caught, pad, normal);
    if (LLVMGetTypeKind(LLVMTypeOf(invoke)) == LLVMVoidTypeKind)
        LLVMInstructionEraseFromParent(invoke);
    else
        ir_replace(invoke, call);
}

/* ---- landing pads ---------------------------------------------------------
 */

static uint32_t number_of(struct unwind *unwind, LLVMValueRef type_info)
{
    for (size_t i = 0; i < unwind->numbered.count; i++) {
        if (unwind->numbered.at[i] == type_info)
            return (uint32_t)i + 1;
    }
    ir_list_add(&unwind->numbered, type_info);
    return (uint32_t)unwind->numbered.count;
}

static void add_clause(struct unwind *unwind, struct ir_list *table,
                       LLVMValueRef type_info, int32_t number)
{
    LLVMValueRef parts[] = {type_info,
                            ir_i32(unwind->context, (uint32_t)number)};

    ir_list_add(table,
                LLVMConstStructInContext(unwind->context, parts, 2, false));
}

static void add_filter(struct unwind *unwind, struct ir_list *table,
                       LLVMValueRef filter)
{
    unsigned count = (unsigned)LLVMGetArrayLength2(LLVMTypeOf(filter));

    for (unsigned i = 0; i < count; i++)
        add_clause(unwind, table, LLVMGetAggregateElement(filter, i), 0);
    add_clause(unwind, table, LLVMConstNull(unwind->ptr), FILTER_END);
}

static void add_clauses(struct unwind *unwind, LLVMValueRef pad,
                        struct ir_list *table)
{
    for (unsigned i = 0; i < LLVMGetNumClauses(pad); i++) {
        LLVMValueRef clause = LLVMGetClause(pad, i);

        if (LLVMGetTypeKind(LLVMTypeOf(clause)) == LLVMArrayTypeKind)
            add_filter(unwind, table, clause);
        else if (LLVMIsNull(clause))
            add_clause(unwind, table, clause, CATCH_ALL);
        else
            add_clause(unwind, table, clause,
                       (int32_t)number_of(unwind, clause));
    }
}

static LLVMValueRef clause_table(struct unwind *unwind,
                                 const struct ir_list *clauses)
{
    LLVMValueRef content =
        LLVMConstArray2(unwind->clause, clauses->at, clauses->count);
    LLVMValueRef table =
        LLVMAddGlobal(unwind->module, LLVMTypeOf(content), "clauses");

    LLVMSetInitializer(table, content);
    LLVMSetLinkage(table, LLVMInternalLinkage);
    LLVMSetGlobalConstant(table, true);
    LLVMSetAlignment(table, 8);
    return table;
}

static LLVMValueRef choose(struct unwind *unwind, LLVMValueRef pad,
                           LLVMValueRef exception)
{
    auto_ir_list struct ir_list clauses = {0};

    add_clauses(unwind, pad, &clauses);
    if (clauses.count == 0)
        return ir_i32(unwind->context, 0);
    LLVMValueRef arguments[] = {
        exception, clause_table(unwind, &clauses),
        ir_i32(unwind->context, (uint32_t)clauses.count)};
    return ir_call(unwind->builder, "__bout_select",
                   LLVMInt32TypeInContext(unwind->context), arguments, 3);
}

static void lower_pad(struct unwind *unwind, LLVMValueRef pad)
{
    ir_at(unwind->builder, pad);
    LLVMValueRef exception =
        LLVMBuildLoad2(unwind->builder, unwind->ptr, unwind->pending, "");
    LLVMBuildStore(unwind->builder, LLVMConstNull(unwind->ptr),
                   unwind->pending);
    LLVMValueRef chosen = choose(unwind, pad, exception);
    LLVMValueRef pair = LLVMConstNull(LLVMTypeOf(pad));
    pair = LLVMBuildInsertValue(unwind->builder, pair, exception, 0, "");
    pair = LLVMBuildInsertValue(unwind->builder, pair, chosen, 1, "");
    ir_replace(pad, pair);
}

static void lower_resume(struct unwind *unwind, LLVMValueRef resume)
{
    LLVMTypeRef result =
        LLVMGetReturnType(LLVMGlobalGetValueType(ir_function_of(resume)));

    ir_at(unwind->builder, resume);
    LLVMValueRef exception = LLVMBuildExtractValue(
        unwind->builder, LLVMGetOperand(resume, 0), 0, "");
    LLVMBuildStore(unwind->builder, exception, unwind->pending);
    if (LLVMGetTypeKind(result) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(unwind->builder);
    else
        LLVMBuildRet(unwind->builder, LLVMConstNull(result));
    LLVMInstructionEraseFromParent(resume);
}

/* ---- a function -----------------------------------------------------------
 */

static bool is_pair(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind &&
           LLVMCountStructElementTypes(type) == 2 &&
           LLVMGetTypeKind(LLVMStructGetTypeAtIndex(type, 0)) ==
               LLVMPointerTypeKind &&
           LLVMGetTypeKind(LLVMStructGetTypeAtIndex(type, 1)) ==
               LLVMIntegerTypeKind;
}

static int lower_instruction(struct unwind *unwind, LLVMValueRef inst,
                             LLVMBasicBlockRef *out, struct err *err)
{
    const char *name = ir_intrinsic(inst);

    if (name && ir_has_base(name, "llvm.eh.typeid.for")) {
        uint32_t number = number_of(unwind, LLVMGetOperand(inst, 0));
        ir_replace(inst, ir_i32(unwind->context, number));
    } else if (LLVMIsALandingPadInst(inst)) {
        if (!is_pair(LLVMTypeOf(inst)))
            return err_set(err, ERR_INPUT, "a landing pad of another language");
        lower_pad(unwind, inst);
    } else if (LLVMIsAResumeInst(inst)) {
        lower_resume(unwind, inst);
    } else if (LLVMIsAInvokeInst(inst)) {
        lower_invoke(unwind, inst);
    } else if (LLVMIsACallInst(inst)) {
        check_call(unwind, inst, out);
    }
    return 0;
}

static bool needs_lowering(LLVMValueRef inst)
{
    const char *name = ir_intrinsic(inst);

    return LLVMIsALandingPadInst(inst) || LLVMIsAResumeInst(inst) ||
           LLVMIsAInvokeInst(inst) ||
           (name ? ir_has_base(name, "llvm.eh.typeid.for")
                 : LLVMIsACallInst(inst) && may_unwind(inst));
}

static int lower_function(struct unwind *unwind, LLVMValueRef function,
                          struct err *err)
{
    auto_ir_list struct ir_list all = {0};
    LLVMBasicBlockRef out = NULL;

    ir_instructions(function, &all);
    for (size_t i = 0; i < all.count; i++) {
        if (needs_lowering(all.at[i]) &&
            lower_instruction(unwind, all.at[i], &out, err) < 0)
            return err_wrap(err, "%s", ir_name(function));
    }
    if (LLVMHasPersonalityFn(function))
        LLVMSetPersonalityFn(function, NULL);
    return 0;
}

int lower_unwind(LLVMModuleRef module, struct err *err)
{
    auto_ir_list struct ir_list bodies = {0};
    auto_unwind struct unwind unwind = {
        .module = module,
        .context = LLVMGetModuleContext(module),
    };

    unwind.builder = LLVMCreateBuilderInContext(unwind.context);
    unwind.ptr = ir_ptr(unwind.context);
    LLVMTypeRef parts[] = {unwind.ptr, LLVMInt32TypeInContext(unwind.context)};
    unwind.clause = LLVMStructTypeInContext(unwind.context, parts, 2, false);
    unwind.pending = LLVMGetNamedGlobal(module, "__bout_exception");
    if (!unwind.pending)
        unwind.pending = LLVMAddGlobal(module, unwind.ptr, "__bout_exception");

    if (!can_raise(module))
        mark_all(module);
    close_nounwind(module);
    ir_bodies(module, &bodies);
    for (size_t i = 0; i < bodies.count; i++) {
        if (lower_function(&unwind, bodies.at[i], err) < 0)
            return -1;
    }
    return 0;
}
