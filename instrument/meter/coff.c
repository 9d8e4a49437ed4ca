#include "instrument/meter/coff.h"

#include "instrument/meter/ir.h"
#include "instrument/meter/layout.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

static void add_nounwind(LLVMValueRef function)
{
    static const char name[] = "nounwind";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);

    LLVMAddAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(ir_context_of(function), kind, 0));
}

/* Exceptions are returns by now: no tables of how to unwind a frame. */
static void settle_function(LLVMValueRef function)
{
    add_nounwind(function);
    LLVMSetComdat(function, NULL);
    if (LLVMGetLinkage(function) != LLVMInternalLinkage &&
        LLVMGetLinkage(function) != LLVMPrivateLinkage)
        LLVMSetLinkage(function, LLVMExternalLinkage);
}

void coff_prepare(LLVMModuleRef module)
{
    LLVMValueRef zeros = LLVMGetNamedGlobal(module, LAYOUT_ZEROS);

    if (zeros)
        LLVMDeleteGlobal(zeros);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        if (ir_is_body(f))
            settle_function(f);
    LLVMStripModuleDebugInfo(module);
}
