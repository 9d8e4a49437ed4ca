#include "instrument/meter/verify.h"

#include "instrument/meter/intrinsic.h"
#include "instrument/meter/ir.h"
#include "instrument/meter/module.h"
#include "instrument/meter/native.h"
#include "instrument/meter/plan.h"
#include "instrument/meter/pointer.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <string.h>

/* Not there: alloca, fence, atomics, va_arg, and whatever belongs to
 * exceptions, computed goto and inline assembly; none is left by the lowerings.
 */
static bool is_allowed_opcode(LLVMOpcode opcode)
{
    switch ((int)opcode) {
    case LLVMRet:
    case LLVMBr:
    case LLVMSwitch:
    case LLVMUnreachable:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFNeg:
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
    case LLVMCall:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMExtractValue:
    case LLVMInsertValue:
        return true;
    default:
        return false;
    }
}

bool verify_is_native(const char *name)
{
    return native_find(name);
}

/* What a module may call without defining it. The library leaves the program's
 * part open. */
static bool is_known_function(const char *name, struct manifest *library)
{
    if (verify_is_native(name))
        return true;
    if (library)
        return manifest_find(library, name);
    return !strcmp(name, "main") || !strcmp(name, "__bot_ctors");
}

static bool is_known_intrinsic(const char *name)
{
    enum intrinsic_treatment treatment = intrinsic_find(name);

    return (treatment != INTRINSIC_UNKNOWN && treatment != INTRINSIC_LOWERED) ||
           !strcmp(name, "llvm.trap");
}

static int fault(struct err *err, LLVMValueRef function, const char *what,
                 LLVMValueRef value)
{
    char *text = LLVMPrintValueToString(value);

    err_set(err, ERR_SYSTEM, "%s: %s: %.200s", ir_name(function), what, text);
    LLVMDisposeMessage(text);
    return -1;
}

/* ---- symbols --------------------------------------------------------------
 */

static int verify_function_symbol(LLVMValueRef function,
                                  struct manifest *library, struct err *err)
{
    const char *name = ir_name(function);
    bool known = LLVMGetIntrinsicID(function)
                     ? is_known_intrinsic(name)
                     : is_known_function(name, library);

    if (!LLVMIsDeclaration(function) || known || !LLVMGetFirstUse(function))
        return 0;
    return err_set(err, ERR_SYSTEM, "%s is used and defined by nobody", name);
}

static bool is_hidden_word(const char *name)
{
    return !strcmp(name, "__bout_remaining") ||
           !strcmp(name, "__bout_stack_pointer") ||
           !strcmp(name, "__bout_stack_floor") ||
           !strcmp(name, "__bout_allowance") || !strcmp(name, "__bout_check");
}

static bool starts(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

static bool is_counters(const char *name)
{
    for (unsigned i = 0; i < PLAN_GROUPS; i++)
        if (starts(name, plan_prefix(i)))
            return true;
    return false;
}

static int verify_global(LLVMValueRef global, struct manifest *library,
                         struct err *err)
{
    const char *name = ir_name(global);
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(global));
    bool known;

    if (space == IR_HIDDEN_SPACE)
        known = LLVMIsDeclaration(global) &&
                (is_hidden_word(name) || is_counters(name));
    else if (!LLVMIsDeclaration(global))
        known = space == 0 && strcmp(name, POINTER_TABLE) != 0;
    else if (starts(name, POINTER_PREFIX))
        known =
            library && manifest_find(library, name + strlen(POINTER_PREFIX));
    else
        known = !strcmp(name, POINTER_TABLE) || !LLVMGetFirstUse(global) ||
                (library && manifest_find(library, name));
    if (known && !LLVMIsThreadLocal(global))
        return 0;
    return err_set(err, ERR_SYSTEM,
                   "data %s is defined by nobody, or not as "
                   "it should be",
                   name);
}

/* ---- bodies ---------------------------------------------------------------
 */

/* The symbol of hidden memory that a constant address is based on, or NULL. */
static LLVMValueRef hidden_symbol(LLVMValueRef address)
{
    if (LLVMIsAConstantExpr(address) &&
        LLVMGetConstOpcode(address) == LLVMGetElementPtr)
        address = LLVMGetOperand(address, 0);
    return LLVMIsAGlobalVariable(address);
}

static bool is_hidden_pointer(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);

    return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
           LLVMGetPointerAddressSpace(type) != 0;
}

/* A hidden address may be where a load or store goes to, and nothing else. */
static int verify_operands(LLVMValueRef function, LLVMValueRef inst,
                           struct err *err)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(inst);
    int address = opcode == LLVMLoad ? 0 : opcode == LLVMStore ? 1 : -1;

    for (int i = 0; i < LLVMGetNumOperands(inst); i++) {
        LLVMValueRef operand = LLVMGetOperand(inst, (unsigned)i);

        if (is_hidden_pointer(operand) &&
            (i != address || !hidden_symbol(operand)))
            return fault(err, function, "hidden memory", inst);
    }
    if (is_hidden_pointer(inst))
        return fault(err, function, "an address of hidden memory", inst);
    return 0;
}

/* The callee of an indirect call comes out of the table: a load whose address
 * is an offset into it. */
static bool is_from_table(LLVMValueRef callee)
{
    if (!LLVMIsALoadInst(callee))
        return false;
    LLVMValueRef address = LLVMGetOperand(callee, 0);
    if (!LLVMIsAGetElementPtrInst(address))
        return false;
    LLVMValueRef base = LLVMGetOperand(address, 0);
    LLVMValueRef offset = LLVMGetOperand(address, 1);
    return LLVMIsAGlobalVariable(base) &&
           !strcmp(ir_name(base), POINTER_TABLE) &&
           LLVMIsAInstruction(offset) &&
           LLVMGetInstructionOpcode(offset) == LLVMAnd;
}

static int verify_call(LLVMValueRef function, LLVMValueRef call,
                       struct err *err)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);

    if (LLVMIsAInlineAsm(callee))
        return fault(err, function, "inline assembly", call);
    if (LLVMIsAFunction(callee)) {
        if (LLVMGetCalledFunctionType(call) != LLVMGlobalGetValueType(callee))
            return fault(err, function, "call by another type", call);
        return 0;
    }
    if (is_from_table(callee))
        return 0;
    return fault(err, function, "unchecked indirect call", call);
}

static int verify_body(LLVMValueRef function, struct err *err)
{
    auto_plan struct plan plan = {0};

    if (!plan_read(function, &plan))
        return err_set(err, ERR_SYSTEM, "%s is not charged", ir_name(function));
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst;
             inst = LLVMGetNextInstruction(inst)) {
            if (!is_allowed_opcode(LLVMGetInstructionOpcode(inst)))
                return fault(err, function, "opcode", inst);
            if (verify_operands(function, inst, err) < 0)
                return -1;
            if (LLVMIsACallInst(inst) && verify_call(function, inst, err) < 0)
                return -1;
        }
    }
    return 0;
}

int verify_module(LLVMModuleRef module, struct manifest *library,
                  struct err *err)
{
    size_t size;

    LLVMGetModuleInlineAsm(module, &size);
    if (size)
        return err_set(err, ERR_SYSTEM, "module assembly is left");
    if (LLVMGetFirstGlobalAlias(module) || LLVMGetFirstGlobalIFunc(module))
        return err_set(err, ERR_SYSTEM, "an alias is left");
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
         g = LLVMGetNextGlobal(g))
        if (verify_global(g, library, err) < 0)
            return -1;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f)) {
        if (verify_function_symbol(f, library, err) < 0)
            return -1;
        if (ir_is_body(f) && verify_body(f, err) < 0)
            return -1;
    }
    return module_verify(module, err);
}
