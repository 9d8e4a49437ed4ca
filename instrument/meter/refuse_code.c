/* Functions, instructions and calls. */
#include "instrument/meter/refuse_internal.h"

#include <string.h>

#define FAST_CONVENTION 8u /* the optimiser's, for static functions */
#define COLD_CONVENTION 9u

static bool has_attribute(LLVMValueRef function, LLVMAttributeIndex index,
                          const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

    return LLVMGetEnumAttributeAtIndex(function, index, kind) != NULL;
}

static bool call_has_attribute(LLVMValueRef call, LLVMAttributeIndex index,
                               const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

    return LLVMGetCallSiteEnumAttribute(call, index, kind) != NULL;
}

static bool is_known_convention(unsigned convention)
{
    return convention == LLVMCCallConv || convention == FAST_CONVENTION ||
           convention == COLD_CONVENTION;
}

/* Ways of passing an argument that no lowering knows. */
static const char *const strange_parameters[] = {
    "byref",      "inalloca",   "nest",      "preallocated",
    "swiftasync", "swifterror", "swiftself",
};

static void refuse_function(struct refuse *refuse, LLVMValueRef function)
{
    LLVMAttributeIndex on_function =
        (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

    if (LLVMGetIntrinsicID(function))
        return;
    if (has_attribute(function, on_function, "naked"))
        refuse_at(refuse, function, "naked (%s) is not available: drop it",
                  ir_name(function));
    if (has_attribute(function, on_function, "presplitcoroutine"))
        refuse_at(refuse, function, "coroutines are not available");
    if (!is_known_convention(LLVMGetFunctionCallConv(function)))
        refuse_at(refuse, function,
                  "another calling convention (%s) is not available: drop the "
                  "attribute",
                  ir_name(function));
    if (LLVMGetGC(function) || LLVMHasPrefixData(function) ||
        LLVMHasPrologueData(function))
        refuse_at(refuse, function, "%s asks for code that is not its own",
                  ir_name(function));
    for (size_t i = 0; i < sizeof strange_parameters / sizeof(char *); i++) {
        for (unsigned k = 1; k <= LLVMCountParams(function); k++) {
            if (has_attribute(function, k, strange_parameters[i]))
                refuse_at(refuse, function,
                          "a parameter passed as %s is not available",
                          strange_parameters[i]);
        }
    }
}

/* Instead of an intrinsic that is not in the list. */
static const struct {
    const char *prefix;
    const char *message;
} intrinsic_messages[] = {
    {"llvm.returnaddress", "__builtin_return_address is not available"},
    {"llvm.addressofreturnaddress",
     "the address of a return address is not available"},
    {"llvm.frameaddress", "__builtin_frame_address is not available"},
    {"llvm.sponentry", "the stack pointer is not available"},
    {"llvm.read_register", "register variables are not available"},
    {"llvm.write_register", "register variables are not available"},
    {"llvm.read_volatile_register", "register variables are not available"},
    {"llvm.readcyclecounter",
     "cycle counters are not available: clock() counts instructions"},
    {"llvm.readsteadycounter",
     "cycle counters are not available: clock() counts instructions"},
    {"llvm.thread.pointer", "the thread pointer is not available"},
    {"llvm.eh.sjlj.", "__builtin_setjmp and __builtin_longjmp are not "
                      "available: include <setjmp.h>"},
    {"llvm.ppc.", "PowerPC's builtins are not available: the machine is a "
                  "virtual one; write it in C"},
    {"llvm.x86.", "x86 builtins are not available: write it in C, vectors by "
                  "__attribute__((vector_size(16)))"},
    {"llvm.coro.", "coroutines are not available"},
    {"llvm.set.rounding", "another rounding than to nearest is not available"},
    {"llvm.clear_cache", "code cannot be made at run time"},
    {"llvm.init.trampoline", "code cannot be made at run time"},
};

static void refuse_intrinsic(struct refuse *refuse, LLVMValueRef call,
                             const char *name)
{
    if (intrinsic_find(name) != INTRINSIC_UNKNOWN)
        return;
    for (size_t i = 0;
         i < sizeof intrinsic_messages / sizeof *intrinsic_messages; i++) {
        const char *prefix = intrinsic_messages[i].prefix;

        if (!strncmp(name, prefix, strlen(prefix))) {
            refuse_at(refuse, call, "%s", intrinsic_messages[i].message);
            return;
        }
    }
    refuse_at(refuse, call, "the compiler's builtin %s is not available", name);
}

/* The functions whose calls are rewritten by their names, and what they look
 * like: a call of another look has not the header's declaration. */
static const struct {
    const char *name;
    const char *header;
    const char *type; /* result, parameters: v i l p */
} fixed_types[] = {
    {"setjmp", "<setjmp.h>", "ip"},      {"_setjmp", "<setjmp.h>", "ip"},
    {"sigsetjmp", "<setjmp.h>", "ipi"},  {"__sigsetjmp", "<setjmp.h>", "ipi"},
    {"longjmp", "<setjmp.h>", "vpi"},    {"_longjmp", "<setjmp.h>", "vpi"},
    {"siglongjmp", "<setjmp.h>", "vpi"}, {"memcpy", "<string.h>", "pppl"},
    {"memmove", "<string.h>", "pppl"},   {"memset", "<string.h>", "ppil"},
};

static char letter_of(LLVMTypeRef type)
{
    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
        return 'v';
    case LLVMPointerTypeKind:
        return 'p';
    case LLVMIntegerTypeKind:
        if (LLVMGetIntTypeWidth(type) == 32)
            return 'i';
        return LLVMGetIntTypeWidth(type) == 64 ? 'l' : '?';
    default:
        return '?';
    }
}

static bool has_type(LLVMTypeRef type, const char *letters)
{
    unsigned count = LLVMCountParamTypes(type);
    LLVMTypeRef parameters[4];

    if (LLVMIsFunctionVarArg(type) || count != strlen(letters) - 1 ||
        letter_of(LLVMGetReturnType(type)) != letters[0])
        return false;
    LLVMGetParamTypes(type, parameters);
    for (unsigned i = 0; i < count; i++) {
        if (letter_of(parameters[i]) != letters[i + 1])
            return false;
    }
    return true;
}

/* A pointer to setjmp would return twice into a frame that expects nothing, and
 * a pointer to a function that only its rewritten calls have leads nowhere. */
static void refuse_address(struct refuse *refuse, LLVMValueRef function)
{
    const struct refusals *refusals = refuse->refusals;
    const char *name = ir_name(function);
    bool defined = refusals->library_defines &&
                   refusals->library_defines(refusals->context, name);

    if (defined && !strstr(name, "setjmp"))
        return;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);

        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function) {
            refuse_at(refuse, function,
                      "%s can only be called: its address is not available",
                      name);
            return;
        }
    }
}

static void refuse_fixed_types(struct refuse *refuse)
{
    for (size_t i = 0; i < sizeof fixed_types / sizeof *fixed_types; i++) {
        LLVMValueRef function =
            LLVMGetNamedFunction(refuse->module, fixed_types[i].name);
        auto_ir_list struct ir_list calls = {0};

        /* A program's own function of that name is a function like others. */
        if (!function || ir_is_body(function))
            continue;
        ir_call_users(function, &calls);
        for (size_t k = 0; k < calls.count; k++) {
            if (!has_type(LLVMGetCalledFunctionType(calls.at[k]),
                          fixed_types[i].type))
                refuse_at(refuse, calls.at[k],
                          "%s is called with other types than it has: include "
                          "%s",
                          fixed_types[i].name, fixed_types[i].header);
        }
        refuse_address(refuse, function);
    }
}

/* Between a musttail call and its return nothing can be put away. */
static void refuse_tail_call(struct refuse *refuse, LLVMValueRef call)
{
    bool by_value = false;

    if (LLVMGetTailCallKind(call) != LLVMTailCallKindMustTail)
        return;
    for (unsigned i = 1; i <= LLVMGetNumArgOperands(call); i++)
        by_value |= call_has_attribute(call, i, "byval");
    if (by_value || LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call)))
        refuse_at(refuse, call,
                  "musttail with large structs by value or with variable "
                  "arguments is not available");
}

static void refuse_call(struct refuse *refuse, LLVMValueRef call)
{
    const char *name = ir_intrinsic(call);
    bool is_assume = name && ir_has_base(name, "llvm.assume");

    refuse_type(refuse, LLVMGetCalledFunctionType(call), call);
    if (LLVMIsAInlineAsm(LLVMGetCalledValue(call))) {
        refuse_at(refuse, call,
                  "inline assembly is not available: write it in C");
        return;
    }
    /* A name of LLVM's that is no intrinsic was refused as a name. */
    if (name && LLVMGetIntrinsicID(LLVMGetCalledValue(call)))
        refuse_intrinsic(refuse, call, name);
    if (LLVMGetNumOperandBundles(call) && !is_assume)
        refuse_at(refuse, call, "this call says more than its arguments");
    if (!is_known_convention(LLVMGetInstructionCallConv(call)))
        refuse_at(refuse, call,
                  "a call by another calling convention is not available");
    for (size_t i = 0; i < sizeof strange_parameters / sizeof(char *); i++) {
        for (unsigned k = 1; k <= LLVMGetNumArgOperands(call); k++) {
            if (call_has_attribute(call, k, strange_parameters[i]))
                refuse_at(refuse, call,
                          "an argument passed as %s is not available",
                          strange_parameters[i]);
        }
    }
    if (LLVMIsACallInst(call))
        refuse_tail_call(refuse, call);
}

/* lower_unwind knows the Itanium C++ ABI's pair of exception and selector. */
static void refuse_landing_pad(struct refuse *refuse, LLVMValueRef pad)
{
    LLVMTypeRef type = LLVMTypeOf(pad);

    if (LLVMGetTypeKind(type) != LLVMStructTypeKind ||
        LLVMCountStructElementTypes(type) != 2)
        refuse_at(refuse, pad, "exceptions of another language");
}

/* Every opcode that a lowering or the charges know; others are refused. */
// NOLINTNEXTLINE(readability-function-size): a table, a line an opcode
static void refuse_opcode(struct refuse *refuse, LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMRet:
    case LLVMBr:
    case LLVMSwitch:
    case LLVMIndirectBr:
    case LLVMUnreachable:
    case LLVMFNeg:
    case LLVMAdd:
    case LLVMFAdd:
    case LLVMSub:
    case LLVMFSub:
    case LLVMMul:
    case LLVMFMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMFDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMFRem:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMAlloca:
    case LLVMLoad:
    case LLVMStore:
    case LLVMGetElementPtr:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPTrunc:
    case LLVMFPExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMVAArg:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMExtractValue:
    case LLVMInsertValue:
    case LLVMFreeze:
    case LLVMFence:
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW:
    case LLVMResume:
        return;
    case LLVMLandingPad:
        refuse_landing_pad(refuse, inst);
        return;
    case LLVMCall:
    case LLVMInvoke:
        refuse_call(refuse, inst);
        return;
    case LLVMAddrSpaceCast:
        refuse_at(refuse, inst, "address spaces are not available");
        return;
    case LLVMCallBr:
        refuse_at(refuse, inst,
                  "inline assembly is not available: write it in C");
        return;
    case LLVMCleanupRet:
    case LLVMCatchRet:
    case LLVMCatchPad:
    case LLVMCleanupPad:
    case LLVMCatchSwitch:
    case LLVMUserOp1:
    case LLVMUserOp2:
        break;
    }
    refuse_at(refuse, inst, "an instruction of another machine");
}

static void refuse_operands(struct refuse *refuse, LLVMValueRef inst)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(inst); i++) {
        LLVMValueRef operand = LLVMGetOperand(inst, i);

        if (operand && LLVMIsConstant(operand) && !LLVMIsAInlineAsm(operand))
            refuse_constant(refuse, operand, inst);
    }
}

void refuse_code(struct refuse *refuse)
{
    auto_ir_list struct ir_list all = {0};

    for (LLVMValueRef f = LLVMGetFirstFunction(refuse->module); f;
         f = LLVMGetNextFunction(f))
        refuse_function(refuse, f);
    refuse_fixed_types(refuse);

    ir_module_instructions(refuse->module, &all);
    for (size_t i = 0; i < all.count; i++) {
        LLVMValueRef inst = all.at[i];

        refuse_opcode(refuse, inst);
        refuse_type(refuse, LLVMTypeOf(inst), inst);
        if (LLVMIsAAllocaInst(inst))
            refuse_type(refuse, LLVMGetAllocatedType(inst), inst);
        if (LLVMIsAGetElementPtrInst(inst))
            refuse_type(refuse, LLVMGetGEPSourceElementType(inst), inst);
        refuse_operands(refuse, inst);
    }
}
