/* Variadic functions to plain ones: f(fixed, ...) becomes f(fixed, ptr).
 *
 * The caller stores what follows the fixed arguments in slots of 8 bytes, one
 * buffer a function for all its calls, and passes the buffer. A va_list is a
 * pointer to the next slot: that is what the front end's va_arg expects of the
 * virtual machine (powerpc64le ELFv2: 8-byte slots; 16-byte vectors, and arrays
 * of i128, which stand for structs aligned to 16, start at multiples of 16).
 */
#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <string.h>

#define SLOT_BYTES 8u
/* C programs read a few arguments that are not there (fcntl, ioctl, syscall): a
 * buffer holds at least as many, whatever they contain. */
#define BUFFER_MIN_BYTES 64u
#define BUFFER_ALIGN 16u

static uint64_t round_up(uint64_t bytes, uint64_t to)
{
    return (bytes + to - 1) / to * to;
}

static LLVMAttributeRef call_attribute(LLVMValueRef call, unsigned argument,
                                       const char *name)
{
    return LLVMGetCallSiteEnumAttribute(
        call, argument + 1,
        LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

/* What a variadic argument occupies: its type in memory, where it goes. */
struct slot {
    LLVMTypeRef type;
    bool by_value; /* the argument points to it */
    uint64_t at;
    uint64_t bytes;
};

static bool is_aligned_16(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        LLVMTypeRef element = LLVMGetElementType(type);

        return LLVMGetTypeKind(element) == LLVMVectorTypeKind ||
               (LLVMGetTypeKind(element) == LLVMIntegerTypeKind &&
                LLVMGetIntTypeWidth(element) == 128);
    }
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

/* The slot of an argument; *end is the buffer's size so far, moved on. */
static struct slot slot_of(LLVMValueRef call, unsigned argument, uint64_t *end)
{
    LLVMAttributeRef by_value = call_attribute(call, argument, "byval");
    LLVMAttributeRef align = call_attribute(call, argument, "align");
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, argument));
    bool wide = is_aligned_16(type);
    struct slot slot = {.type = type};

    if (by_value) {
        slot.type = LLVMGetTypeAttributeValue(by_value);
        slot.by_value = true;
        wide = align && LLVMGetEnumAttributeValue(align) >= BUFFER_ALIGN;
    }
    slot.bytes = ir_size(ir_module_of(call), slot.type);
    slot.at = round_up(*end, wide ? BUFFER_ALIGN : SLOT_BYTES);
    *end = slot.at + round_up(slot.bytes, SLOT_BYTES);
    return slot;
}

static bool is_variadic_call(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) && !ir_intrinsic(instruction) &&
           LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(instruction));
}

static unsigned fixed_count(LLVMValueRef call)
{
    return LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
}

static uint64_t buffer_size(LLVMValueRef call)
{
    uint64_t end = 0;

    for (unsigned i = fixed_count(call); i < LLVMGetNumArgOperands(call); i++)
        slot_of(call, i, &end);
    return end > BUFFER_MIN_BYTES ? end : BUFFER_MIN_BYTES;
}

/* f(fixed, ...) -> f(fixed, ptr) */
static LLVMTypeRef plain_type(LLVMTypeRef variadic)
{
    unsigned count = LLVMCountParamTypes(variadic);
    auto_free LLVMTypeRef *types = mem_calloc(count + 1, sizeof *types);

    LLVMGetParamTypes(variadic, types);
    types[count] = ir_ptr(LLVMGetTypeContext(variadic));
    return LLVMFunctionType(LLVMGetReturnType(variadic), types, count + 1,
                            false);
}

/* Integers fill their slot, as the machine's own convention has it: a program
 * that prints an int by %ld sees the int. */
static LLVMValueRef filled(LLVMBuilderRef builder, LLVMValueRef call,
                           unsigned argument)
{
    LLVMValueRef value = LLVMGetOperand(call, argument);
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeRef word = LLVMInt64TypeInContext(LLVMGetTypeContext(type));

    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(type) >= 64)
        return value;
    return call_attribute(call, argument, "zeroext")
               ? LLVMBuildZExt(builder, value, word, "")
               : LLVMBuildSExt(builder, value, word, "");
}

static void fill_buffer(LLVMBuilderRef builder, LLVMValueRef call,
                        LLVMValueRef buffer)
{
    LLVMContextRef context = ir_context_of(call);
    uint64_t end = 0;

    for (unsigned i = fixed_count(call); i < LLVMGetNumArgOperands(call); i++) {
        struct slot slot = slot_of(call, i, &end);
        LLVMValueRef offset = ir_i64(context, slot.at);
        LLVMValueRef to = LLVMBuildGEP2(builder, LLVMInt8TypeInContext(context),
                                        buffer, &offset, 1, "");

        if (slot.by_value)
            LLVMBuildMemCpy(builder, to, 1, LLVMGetOperand(call, i), 1,
                            ir_i64(context, slot.bytes));
        else
            LLVMSetAlignment(
                LLVMBuildStore(builder, filled(builder, call, i), to), 1);
    }
}

static void rewrite_call(LLVMBuilderRef builder, LLVMValueRef call,
                         LLVMValueRef buffer)
{
    LLVMTypeRef type = plain_type(LLVMGetCalledFunctionType(call));
    unsigned fixed = fixed_count(call);
    auto_free LLVMValueRef *arguments =
        mem_calloc(fixed + 1, sizeof *arguments);

    ir_at(builder, call);
    for (unsigned i = 0; i < fixed; i++)
        arguments[i] = LLVMGetOperand(call, i);
    fill_buffer(builder, call, buffer);
    arguments[fixed] = buffer;

    LLVMValueRef new =
        ir_call_like(builder, call, type, LLVMGetCalledValue(call), arguments);
    /* The buffer's pointer is no one's by-value or extended argument. */
    for (unsigned n = LLVMGetCallSiteAttributeCount(new, fixed + 1); n; n--) {
        auto_free LLVMAttributeRef *all = mem_calloc(n, sizeof *all);

        LLVMGetCallSiteAttributes(new, fixed + 1, all);
        LLVMRemoveCallSiteEnumAttribute(new, fixed + 1,
                                        LLVMGetEnumAttributeKind(all[0]));
    }
    ir_replace(call, new);
}

static void rewrite_calls(LLVMValueRef function)
{
    LLVMContextRef context = ir_context_of(function);
    auto_ir_list struct ir_list all = {0};
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(context);
    LLVMValueRef buffer = NULL;
    uint64_t size = 0;

    ir_instructions(function, &all);
    for (size_t i = 0; i < all.count; i++) {
        uint64_t needed =
            is_variadic_call(all.at[i]) ? buffer_size(all.at[i]) : 0;

        size = needed > size ? needed : size;
    }
    if (size)
        buffer = ir_entry_alloca(
            function, LLVMArrayType2(LLVMInt8TypeInContext(context), size),
            BUFFER_ALIGN);
    for (size_t i = 0; i < all.count; i++) {
        if (is_variadic_call(all.at[i]))
            rewrite_call(builder, all.at[i], buffer);
    }
}

/* va_start stores the pointer, va_copy copies it, va_end does nothing. */
static void rewrite_list_use(LLVMBuilderRef builder, LLVMValueRef call,
                             LLVMValueRef passed)
{
    LLVMTypeRef ptr = ir_ptr(ir_context_of(call));
    const char *name = ir_intrinsic(call);
    LLVMValueRef from = NULL;

    ir_at(builder, call);
    if (ir_has_base(name, "llvm.va_start"))
        from = passed;
    else if (ir_has_base(name, "llvm.va_copy"))
        from = LLVMBuildLoad2(builder, ptr, LLVMGetOperand(call, 1), "");
    if (from)
        LLVMBuildStore(builder, from, LLVMGetOperand(call, 0));
    LLVMInstructionEraseFromParent(call);
}

/* The va_arg instruction; the front end expands nearly all by itself. */
static void rewrite_va_arg(LLVMBuilderRef builder, LLVMValueRef instruction)
{
    LLVMContextRef context = ir_context_of(instruction);
    LLVMTypeRef type = LLVMTypeOf(instruction);
    uint64_t bytes = ir_size(ir_module_of(instruction), type);
    LLVMValueRef step = ir_i64(context, round_up(bytes, SLOT_BYTES));
    LLVMValueRef list = LLVMGetOperand(instruction, 0);

    ir_at(builder, instruction);
    LLVMValueRef at = LLVMBuildLoad2(builder, ir_ptr(context), list, "");
    LLVMValueRef value = LLVMBuildLoad2(builder, type, at, "");
    LLVMBuildStore(builder,
                   LLVMBuildGEP2(builder, LLVMInt8TypeInContext(context), at,
                                 &step, 1, ""),
                   list);
    ir_replace(instruction, value);
}

static void rewrite_list_uses(LLVMValueRef function, LLVMValueRef passed)
{
    auto_ir_list struct ir_list all = {0};
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(ir_context_of(function));

    ir_instructions(function, &all);
    for (size_t i = 0; i < all.count; i++) {
        const char *name = ir_intrinsic(all.at[i]);

        if (name && (ir_has_base(name, "llvm.va_start") ||
                     ir_has_base(name, "llvm.va_copy") ||
                     ir_has_base(name, "llvm.va_end")))
            rewrite_list_use(builder, all.at[i], passed);
        else if (LLVMIsAVAArgInst(all.at[i]))
            rewrite_va_arg(builder, all.at[i]);
    }
}

static void rewrite_function(LLVMValueRef function)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    LLVMValueRef passed = NULL;

    if (LLVMIsFunctionVarArg(type)) {
        function = ir_retype(function, plain_type(type));
        passed = LLVMGetLastParam(function);
    }
    rewrite_list_uses(function, passed);
}

int lower_variadic(LLVMModuleRef module, struct err *err)
{
    auto_ir_list struct ir_list functions = {0};

    (void)err;
    ir_bodies(module, &functions);
    for (size_t i = 0; i < functions.count; i++)
        rewrite_calls(functions.at[i]);

    ir_list_clear(&functions);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f)) {
        if (!LLVMGetIntrinsicID(f))
            ir_list_add(&functions, f);
    }
    for (size_t i = 0; i < functions.count; i++)
        rewrite_function(functions.at[i]);
    return 0;
}
