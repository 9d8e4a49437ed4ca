#include "instrument/meter/ir.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <assert.h>
#include <string.h>

void ir_list_add(struct ir_list *list, LLVMValueRef value)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 16;
        list->at = mem_realloc(list->at, list->capacity * sizeof *list->at);
    }
    list->at[list->count++] = value;
}

void ir_list_clear(struct ir_list *list)
{
    list->count = 0;
}

void ir_list_release(struct ir_list *list)
{
    free(list->at);
    *list = (struct ir_list){0};
}

void ir_builder_release(LLVMBuilderRef *builder)
{
    if (*builder)
        LLVMDisposeBuilder(*builder);
    *builder = NULL;
}

void ir_bodies(LLVMModuleRef module, struct ir_list *out)
{
    ir_list_clear(out);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f)) {
        if (ir_is_body(f))
            ir_list_add(out, f);
    }
}

static void add_instructions(LLVMValueRef function, struct ir_list *out)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
             i = LLVMGetNextInstruction(i))
            ir_list_add(out, i);
    }
}

void ir_instructions(LLVMValueRef function, struct ir_list *out)
{
    ir_list_clear(out);
    add_instructions(function, out);
}

void ir_module_instructions(LLVMModuleRef module, struct ir_list *out)
{
    ir_list_clear(out);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        add_instructions(f, out);
}

void ir_users(LLVMValueRef value, struct ir_list *out)
{
    ir_list_clear(out);
    for (LLVMUseRef use = LLVMGetFirstUse(value); use;
         use = LLVMGetNextUse(use))
        ir_list_add(out, LLVMGetUser(use));
}

void ir_call_users(LLVMValueRef function, struct ir_list *out)
{
    ir_list_clear(out);
    for (LLVMUseRef use = LLVMGetFirstUse(function); use;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);

        /* The callee is the last operand; others are arguments. */
        if (LLVMIsACallInst(user) &&
            LLVMGetOperandUse(user, (unsigned)LLVMGetNumOperands(user) - 1) ==
                use)
            ir_list_add(out, user);
    }
}

/* The call of a `musttail call; ret` pair that ends at `ret`, or NULL. */
static LLVMValueRef tail_call_of(LLVMValueRef ret)
{
    LLVMValueRef before = LLVMGetPreviousInstruction(ret);

    if (before && LLVMIsACallInst(before) &&
        LLVMGetTailCallKind(before) == LLVMTailCallKindMustTail)
        return before;
    return NULL;
}

void ir_exits(LLVMValueRef function, struct ir_list *out)
{
    ir_list_clear(out);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

        if (!LLVMIsAReturnInst(end))
            continue;
        LLVMValueRef tail = tail_call_of(end);
        ir_list_add(out, tail ? tail : end);
    }
}

bool ir_is_body(LLVMValueRef function)
{
    return !LLVMIsDeclaration(function);
}

const char *ir_name(LLVMValueRef value)
{
    size_t size;

    return LLVMGetValueName2(value, &size);
}

/* The function that a call names directly, or NULL. */
static LLVMValueRef direct_callee(LLVMValueRef instruction)
{
    if (!LLVMIsACallInst(instruction) && !LLVMIsAInvokeInst(instruction))
        return NULL;
    return LLVMIsAFunction(LLVMGetCalledValue(instruction));
}

bool ir_is_call_of(LLVMValueRef instruction, const char *function)
{
    LLVMValueRef callee = direct_callee(instruction);

    return callee && !strcmp(ir_name(callee), function);
}

const char *ir_intrinsic(LLVMValueRef instruction)
{
    LLVMValueRef callee = direct_callee(instruction);

    if (!callee || strncmp(ir_name(callee), "llvm.", 5) != 0)
        return NULL;
    return ir_name(callee);
}

bool ir_has_base(const char *intrinsic, const char *base)
{
    size_t size = strlen(base);

    return !strncmp(intrinsic, base, size) &&
           (intrinsic[size] == '\0' || intrinsic[size] == '.');
}

LLVMValueRef ir_function_of(LLVMValueRef instruction)
{
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

LLVMModuleRef ir_module_of(LLVMValueRef instruction)
{
    return LLVMGetGlobalParent(ir_function_of(instruction));
}

LLVMContextRef ir_context_of(LLVMValueRef value)
{
    return LLVMGetTypeContext(LLVMTypeOf(value));
}

LLVMValueRef ir_first_non_phi(LLVMBasicBlockRef block)
{
    LLVMValueRef at = LLVMGetFirstInstruction(block);

    while (at && LLVMIsAPHINode(at))
        at = LLVMGetNextInstruction(at);
    return at;
}

uint64_t ir_size(LLVMModuleRef module, LLVMTypeRef type)
{
    return LLVMABISizeOfType(LLVMGetModuleDataLayout(module), type);
}

LLVMTypeRef ir_scalar(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind
               ? LLVMGetElementType(type)
               : type;
}

unsigned ir_lanes(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type)
                                                       : 1;
}

/* The verifier wants a location on calls between functions with debug info. */
static void give_location(LLVMBuilderRef builder, LLVMValueRef function)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);

    if (!subprogram || LLVMGetCurrentDebugLocation2(builder))
        return;
    LLVMSetCurrentDebugLocation2(
        builder, LLVMDIBuilderCreateDebugLocation(
                     LLVMGetModuleContext(LLVMGetGlobalParent(function)),
                     LLVMDISubprogramGetLine(subprogram), 0, subprogram, NULL));
}

void ir_at(LLVMBuilderRef builder, LLVMValueRef instruction)
{
    LLVMPositionBuilderBefore(builder, instruction);
    LLVMSetCurrentDebugLocation2(builder,
                                 LLVMInstructionGetDebugLoc(instruction));
    give_location(builder, ir_function_of(instruction));
}

void ir_at_end(LLVMBuilderRef builder, LLVMBasicBlockRef block,
               LLVMValueRef location_of)
{
    LLVMPositionBuilderAtEnd(builder, block);
    LLVMSetCurrentDebugLocation2(builder,
                                 LLVMInstructionGetDebugLoc(location_of));
    give_location(builder, LLVMGetBasicBlockParent(block));
}

LLVMBasicBlockRef ir_split_before(LLVMValueRef instruction)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
    LLVMContextRef context = ir_context_of(instruction);
    /* A builder of its own: one that stood at an instruction would stamp that
     * one's debug location on all that it inserts. */
    auto_ir_builder LLVMBuilderRef mover = LLVMCreateBuilderInContext(context);
    LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(context, block, "");
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);

    /* With its terminator off, the successors' PHIs keep naming `block`. */
    assert(end && !LLVMIsAPHINode(instruction));
    LLVMInstructionRemoveFromParent(end);
    LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(block),
                           LLVMBasicBlockAsValue(head));
    LLVMPositionBuilderAtEnd(mover, block);
    LLVMInsertIntoBuilder(mover, end);

    LLVMPositionBuilderAtEnd(mover, head);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != instruction;
         i = LLVMGetFirstInstruction(block)) {
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(mover, i);
    }
    return head;
}

LLVMBasicBlockRef ir_append_block(LLVMValueRef function)
{
    LLVMModuleRef module = LLVMGetGlobalParent(function);

    return LLVMAppendBasicBlockInContext(LLVMGetModuleContext(module), function,
                                         "");
}

static void hand_on_name(LLVMValueRef from, LLVMValueRef to)
{
    size_t size;
    const char *name = LLVMGetValueName2(from, &size);
    auto_free char *copy = mem_dup(name, size);

    LLVMSetValueName2(from, "", 0);
    LLVMSetValueName2(to, copy, size);
}

void ir_replace(LLVMValueRef old, LLVMValueRef with)
{
    LLVMReplaceAllUsesWith(old, with);
    LLVMInstructionEraseFromParent(old);
}

static void copy_attributes(LLVMValueRef from, LLVMValueRef to,
                            LLVMAttributeIndex index)
{
    unsigned count = LLVMGetAttributeCountAtIndex(from, index);
    auto_free LLVMAttributeRef *all = mem_calloc(count + 1, sizeof *all);

    LLVMGetAttributesAtIndex(from, index, all);
    for (unsigned i = 0; i < count; i++)
        LLVMAddAttributeAtIndex(to, index, all[i]);
}

static void copy_global_metadata(LLVMValueRef from, LLVMValueRef to)
{
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(from, &count);

    /* A subprogram hangs on one function only: off the old one first. */
    LLVMGlobalClearMetadata(from);
    for (unsigned i = 0; i < count; i++)
        LLVMGlobalSetMetadata(to, LLVMValueMetadataEntriesGetKind(entries, i),
                              LLVMValueMetadataEntriesGetMetadata(entries, i));
    LLVMDisposeValueMetadataEntries(entries);
}

static void move_body(LLVMValueRef from, LLVMValueRef to, unsigned parameters)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(from); b;
         b = LLVMGetFirstBasicBlock(from)) {
        LLVMRemoveBasicBlockFromParent(b);
        LLVMAppendExistingBasicBlock(to, b);
    }
    for (unsigned i = 0; i < parameters; i++)
        LLVMReplaceAllUsesWith(LLVMGetParam(from, i), LLVMGetParam(to, i));
}

LLVMValueRef ir_retype(LLVMValueRef old, LLVMTypeRef type)
{
    LLVMValueRef new = LLVMAddFunction(LLVMGetGlobalParent(old), "", type);
    unsigned shared = LLVMCountParams(old);

    if (LLVMCountParams(new) < shared)
        shared = LLVMCountParams(new);
    LLVMSetLinkage(new, LLVMGetLinkage(old));
    LLVMSetVisibility(new, LLVMGetVisibility(old));
    LLVMSetUnnamedAddress(new, LLVMGetUnnamedAddress(old));
    LLVMSetFunctionCallConv(new, LLVMGetFunctionCallConv(old));
    LLVMSetAlignment(new, LLVMGetAlignment(old));
    if (LLVMHasPersonalityFn(old))
        LLVMSetPersonalityFn(new, LLVMGetPersonalityFn(old));
    copy_attributes(old, new, (LLVMAttributeIndex)LLVMAttributeFunctionIndex);
    for (unsigned i = 0; i <= shared; i++) /* 0 is the result */
        copy_attributes(old, new, i);
    copy_global_metadata(old, new);
    move_body(old, new, shared);
    hand_on_name(old, new);
    LLVMReplaceAllUsesWith(old, new);
    LLVMDeleteFunction(old);
    return new;
}

static void copy_call_attributes(LLVMValueRef from, LLVMValueRef to,
                                 LLVMAttributeIndex index)
{
    unsigned count = LLVMGetCallSiteAttributeCount(from, index);
    auto_free LLVMAttributeRef *all = mem_calloc(count + 1, sizeof *all);

    LLVMGetCallSiteAttributes(from, index, all);
    for (unsigned i = 0; i < count; i++)
        LLVMAddCallSiteAttribute(to, index, all[i]);
}

static void copy_metadata(LLVMValueRef from, LLVMValueRef to)
{
    size_t count;
    LLVMContextRef context = ir_context_of(from);
    LLVMValueMetadataEntry *entries =
        LLVMInstructionGetAllMetadataOtherThanDebugLoc(from, &count);

    for (unsigned i = 0; i < count; i++)
        LLVMSetMetadata(
            to, LLVMValueMetadataEntriesGetKind(entries, i),
            LLVMMetadataAsValue(
                context, LLVMValueMetadataEntriesGetMetadata(entries, i)));
    LLVMDisposeValueMetadataEntries(entries);
}

LLVMValueRef ir_call_like(LLVMBuilderRef builder, LLVMValueRef old,
                          LLVMTypeRef type, LLVMValueRef callee,
                          LLVMValueRef *arguments)
{
    unsigned count = LLVMCountParamTypes(type);
    unsigned shared = LLVMGetNumArgOperands(old);
    LLVMValueRef new =
        LLVMBuildCall2(builder, type, callee, arguments, count, "");

    if (count < shared)
        shared = count;
    LLVMSetInstructionCallConv(new, LLVMGetInstructionCallConv(old));
    copy_call_attributes(old, new,
                         (LLVMAttributeIndex)LLVMAttributeFunctionIndex);
    for (unsigned i = 0; i <= shared; i++)
        copy_call_attributes(old, new, i);
    copy_metadata(old, new);
    return new;
}

LLVMValueRef ir_declare(LLVMModuleRef module, const char *name,
                        LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, name);

    return function ? function : LLVMAddFunction(module, name, type);
}

static LLVMModuleRef builder_module(LLVMBuilderRef builder)
{
    LLVMBasicBlockRef block = LLVMGetInsertBlock(builder);

    return LLVMGetGlobalParent(LLVMGetBasicBlockParent(block));
}

LLVMValueRef ir_call(LLVMBuilderRef builder, const char *name,
                     LLVMTypeRef result, LLVMValueRef *arguments,
                     unsigned count)
{
    auto_free LLVMTypeRef *types = mem_calloc(count + 1, sizeof *types);

    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(arguments[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    LLVMValueRef callee = ir_declare(builder_module(builder), name, type);
    return LLVMBuildCall2(builder, type, callee, arguments, count, "");
}

LLVMValueRef ir_call_intrinsic(LLVMBuilderRef builder, const char *base,
                               LLVMTypeRef *types, unsigned type_count,
                               LLVMValueRef *arguments, unsigned count)
{
    LLVMModuleRef module = builder_module(builder);
    unsigned id = LLVMLookupIntrinsicID(base, strlen(base));

    assert(id); /* another LLVM renamed it: this one is pinned */
    LLVMValueRef callee =
        LLVMGetIntrinsicDeclaration(module, id, types, type_count);
    LLVMTypeRef type = LLVMIntrinsicGetType(LLVMGetModuleContext(module), id,
                                            types, type_count);
    return LLVMBuildCall2(builder, type, callee, arguments, count, "");
}

LLVMBasicBlockRef ir_trap_block(LLVMValueRef at, unsigned page_trap)
{
    LLVMContextRef context = ir_context_of(at);
    LLVMBasicBlockRef block = ir_append_block(ir_function_of(at));
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(context);
    LLVMValueRef reason = ir_i32(context, page_trap);

    ir_at_end(builder, block, at);
    ir_call(builder, "__bout_trap", LLVMVoidTypeInContext(context), &reason, 1);
    LLVMBuildUnreachable(builder);
    return block;
}

void ir_set_unlikely(LLVMValueRef branch)
{
    LLVMContextRef context = ir_context_of(branch);
    LLVMMetadataRef weights[] = {
        LLVMMDStringInContext2(context, "branch_weights", 14),
        LLVMValueAsMetadata(ir_i32(context, 1)),
        LLVMValueAsMetadata(ir_i32(context, 1u << 20)),
    };
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, weights, 3);

    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(context, "prof", 4),
                    LLVMMetadataAsValue(context, node));
}

LLVMValueRef ir_by_lanes(LLVMBuilderRef builder,
                         const struct ir_lanes_spec *spec)
{
    if (LLVMGetTypeKind(spec->result) != LLVMVectorTypeKind)
        return spec->each(builder, spec->result, spec->operands, spec->context);

    LLVMContextRef context = LLVMGetTypeContext(spec->result);
    LLVMValueRef whole = LLVMConstNull(spec->result);
    auto_free LLVMValueRef *lane = mem_calloc(spec->count, sizeof *lane);

    for (unsigned i = 0; i < LLVMGetVectorSize(spec->result); i++) {
        LLVMValueRef index = ir_i32(context, i);

        for (unsigned k = 0; k < spec->count; k++) {
            LLVMValueRef from = spec->operands[k];
            bool is_vector =
                LLVMGetTypeKind(LLVMTypeOf(from)) == LLVMVectorTypeKind;

            lane[k] = is_vector
                          ? LLVMBuildExtractElement(builder, from, index, "")
                          : from;
        }
        whole = LLVMBuildInsertElement(
            builder, whole,
            spec->each(builder, LLVMGetElementType(spec->result), lane,
                       spec->context),
            index, "");
    }
    return whole;
}

LLVMValueRef ir_hidden(LLVMModuleRef module, const char *name)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMValueRef word = LLVMGetNamedGlobal(module, name);

    if (word)
        return word;
    return LLVMAddGlobalInAddressSpace(module, LLVMInt64TypeInContext(context),
                                       name, IR_HIDDEN_SPACE);
}

LLVMValueRef ir_i32(LLVMContextRef context, uint32_t value)
{
    return LLVMConstInt(LLVMInt32TypeInContext(context), value, false);
}

LLVMValueRef ir_i64(LLVMContextRef context, uint64_t value)
{
    return LLVMConstInt(LLVMInt64TypeInContext(context), value, false);
}

LLVMTypeRef ir_ptr(LLVMContextRef context)
{
    return LLVMPointerTypeInContext(context, 0);
}

LLVMValueRef ir_splat(LLVMTypeRef vector, LLVMValueRef element)
{
    unsigned lanes = LLVMGetVectorSize(vector);
    auto_free LLVMValueRef *all = mem_calloc(lanes, sizeof *all);

    for (unsigned i = 0; i < lanes; i++)
        all[i] = element;
    return LLVMConstVector(all, lanes);
}

LLVMValueRef ir_number(LLVMTypeRef type, int64_t value)
{
    LLVMValueRef one =
        LLVMConstInt(ir_scalar(type), (unsigned long long)value, true);

    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? ir_splat(type, one)
                                                       : one;
}

LLVMValueRef ir_entry_alloca(LLVMValueRef function, LLVMTypeRef type,
                             unsigned align_bytes)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMContextRef context = LLVMGetTypeContext(type);
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(context);

    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
    LLVMValueRef slot = LLVMBuildAlloca(builder, type, "");
    LLVMSetAlignment(slot, align_bytes);
    return slot;
}

int ir_drop_dead(LLVMModuleRef module, struct err *err)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failure = LLVMRunPasses(module, "globaldce", NULL, options);

    LLVMDisposePassBuilderOptions(options);
    if (!failure)
        return 0;
    char *message = LLVMGetErrorMessage(failure);
    err_set(err, ERR_SYSTEM, "globaldce: %s", message);
    LLVMDisposeErrorMessage(message);
    return -1;
}
