#include "instrument/meter/adopt.h"

#include "instrument/meter/ir.h"
#include "instrument/meter/module.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

/* ---- own names ------------------------------------------------------------
 */

static bool stays_external(const char *name)
{
    return !strcmp(name, "main") || !strcmp(name, "__bot_ctors") ||
           !strncmp(name, "llvm.", 5);
}

static void adopt_global(LLVMValueRef global)
{
    const char *name = ir_name(global);

    if (LLVMIsDeclaration(global) || stays_external(name))
        return;
    LLVMSetComdat(global, NULL);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    LLVMSetVisibility(global, LLVMDefaultVisibility);
    if (!strncmp(name, ADOPT_PREFIX, strlen(ADOPT_PREFIX)))
        return;
    auto_free char *owned = mem_format(ADOPT_PREFIX "%s", name);
    LLVMSetValueName2(global, owned, strlen(owned));
}

int adopt_names(LLVMModuleRef module, struct err *err)
{
    static const char *const lists[] = {"llvm.used", "llvm.compiler.used"};

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        LLVMValueRef used = LLVMGetNamedGlobal(module, lists[i]);

        if (used)
            LLVMDeleteGlobal(used);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        adopt_global(f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
         g = LLVMGetNextGlobal(g))
        adopt_global(g);
    return module_run(module, "globaldce", err);
}

/* ---- the library's names --------------------------------------------------
 */

/* The declaration `global` gets the name `target`, or gives way to the one that
 * has it already. */
static void rename_reference(LLVMModuleRef module, LLVMValueRef global,
                             const char *target)
{
    LLVMValueRef there = LLVMGetNamedFunction(module, target);

    if (!there)
        there = LLVMGetNamedGlobal(module, target);
    if (there)
        LLVMReplaceAllUsesWith(global, there);
    else
        LLVMSetValueName2(global, target, strlen(target));
}

static void adopt_reference(LLVMModuleRef module, LLVMValueRef global,
                            struct manifest *manifest)
{
    const char *name = ir_name(global);

    if (!LLVMIsDeclaration(global) || !strncmp(name, "llvm.", 5))
        return;
    const struct manifest_symbol *symbol = manifest_find(manifest, name);
    bool is_weak = LLVMGetLinkage(global) == LLVMExternalWeakLinkage;
    if (!symbol && is_weak)
        LLVMReplaceAllUsesWith(global, LLVMConstNull(LLVMTypeOf(global)));
    if (!symbol)
        return;
    LLVMSetLinkage(global, LLVMExternalLinkage);
    if (strcmp(symbol->name, name) != 0)
        rename_reference(module, global, symbol->name);
}

void adopt_library(LLVMModuleRef module, struct manifest *manifest)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        adopt_reference(module, f, manifest);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
         g = LLVMGetNextGlobal(g))
        adopt_reference(module, g, manifest);
}

void adopt_nounwind(LLVMModuleRef module, struct manifest *manifest)
{
    LLVMAttributeRef nounwind = LLVMCreateEnumAttribute(
        LLVMGetModuleContext(module),
        LLVMGetEnumAttributeKindForName("nounwind", 8), 0);

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f))
            continue;
        const struct manifest_symbol *symbol =
            manifest_find(manifest, ir_name(f));
        if (symbol && !symbol->unwinds)
            LLVMAddAttributeAtIndex(
                f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, nounwind);
    }
}

/* ---- main -----------------------------------------------------------------
 */

static LLVMTypeRef main_type(LLVMContextRef context)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
    LLVMTypeRef parameter[] = {i32, ir_ptr(context), ir_ptr(context)};

    return LLVMFunctionType(i32, parameter, 3, false);
}

/* True if `type` is main_type with some of the last parameters missing. */
static bool is_main_type(LLVMTypeRef type)
{
    LLVMTypeRef parameter[3];
    unsigned count = LLVMCountParamTypes(type);
    LLVMTypeRef wanted = main_type(LLVMGetTypeContext(type));
    LLVMTypeRef wanted_parameter[3];

    if (count > 3 || LLVMIsFunctionVarArg(type) ||
        LLVMGetReturnType(type) != LLVMGetReturnType(wanted))
        return false;
    LLVMGetParamTypes(type, parameter);
    LLVMGetParamTypes(wanted, wanted_parameter);
    for (unsigned i = 0; i < count; i++)
        if (parameter[i] != wanted_parameter[i])
            return false;
    return true;
}

/* Calls of main by the bot itself pass what it does not take as zeros. */
static void fill_calls(LLVMValueRef main, LLVMTypeRef type)
{
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(ir_context_of(main));
    auto_ir_list struct ir_list calls = {0};
    LLVMTypeRef parameter[3];

    LLVMGetParamTypes(type, parameter);
    ir_call_users(main, &calls);
    for (size_t i = 0; i < calls.count; i++) {
        LLVMValueRef argument[3];
        unsigned given = LLVMGetNumArgOperands(calls.at[i]);

        if (given > 3)
            continue;
        for (unsigned k = 0; k < 3; k++)
            argument[k] = k < given ? LLVMGetArgOperand(calls.at[i], k)
                                    : LLVMConstNull(parameter[k]);
        ir_at(builder, calls.at[i]);
        ir_replace(calls.at[i],
                   ir_call_like(builder, calls.at[i], type, main, argument));
    }
}

void adopt_main(LLVMModuleRef module, struct refusals *refusals)
{
    LLVMValueRef main = LLVMGetNamedFunction(module, "main");
    LLVMTypeRef type = main_type(LLVMGetModuleContext(module));

    if (!main || LLVMIsDeclaration(main)) {
        refuse_add(refusals, "", 0,
                   "no function main: a bot is a program of its own; define "
                   "int main(void) in one of its files");
        return;
    }
    if (!is_main_type(LLVMGlobalGetValueType(main))) {
        LLVMMetadataRef subprogram = LLVMGetSubprogram(main);
        LLVMMetadataRef file =
            subprogram ? LLVMDIScopeGetFile(subprogram) : NULL;
        unsigned size = 0;
        const char *path = file ? LLVMDIFileGetFilename(file, &size) : "";
        auto_free char *name = mem_dup(path, size);

        refuse_add(refusals, name,
                   subprogram ? LLVMDISubprogramGetLine(subprogram) : 0,
                   "main has another type: write int main(void) or "
                   "int main(int argc, char **argv)");
        return;
    }
    if (LLVMGlobalGetValueType(main) == type)
        return;
    main = ir_retype(main, type);
    fill_calls(main, type);
}
