#include "instrument/meter/promote.h"

#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"
#include "instrument/meter/module.h"
#include "instrument/meter/plan.h"
#include "instrument/meter/pointer.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <llvm-c/Comdat.h>
#include <stdbool.h>
#include <string.h>

/* ---- aliases --------------------------------------------------------------
 */

/* What an alias stands for in the end, NULL if that is not a definition. */
static LLVMValueRef alias_base(LLVMValueRef alias)
{
    LLVMValueRef base = LLVMAliasGetAliasee(alias);

    while (LLVMIsAGlobalAlias(base))
        base = LLVMAliasGetAliasee(base);
    return LLVMIsAGlobalObject(base) && !LLVMIsDeclaration(base) ? base : NULL;
}

int promote_aliases(LLVMModuleRef module, struct err *err)
{
    for (LLVMValueRef alias = LLVMGetFirstGlobalAlias(module); alias;
         alias = LLVMGetNextGlobalAlias(alias)) {
        LLVMValueRef base = alias_base(alias);

        if (!base)
            return err_set(err, ERR_SYSTEM,
                           "library: alias %s stands for no definition",
                           ir_name(alias));
        LLVMReplaceAllUsesWith(alias, base);
    }
    return 0;
}

/* ---- names ----------------------------------------------------------------
 */

static void promote_global(LLVMValueRef global)
{
    LLVMLinkage linkage = LLVMGetLinkage(global);
    bool is_static =
        linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;

    LLVMSetComdat(global, NULL);
    LLVMSetLinkage(global, LLVMExternalLinkage);
    if (!is_static)
        return;
    auto_free char *name = mem_format(PROMOTE_PREFIX "%s", ir_name(global));
    LLVMSetValueName2(global, name, strlen(name));
}

/* Internal and unused, they are deleted by globaldce. */
static void note_aliases(LLVMModuleRef module, struct manifest *manifest)
{
    for (LLVMValueRef alias = LLVMGetFirstGlobalAlias(module); alias;
         alias = LLVMGetNextGlobalAlias(alias)) {
        const char *base = ir_name(alias_base(alias));

        manifest_add(manifest, ir_name(alias))->target = mem_dup_str(base);
        LLVMSetLinkage(alias, LLVMInternalLinkage);
    }
}

int promote_names(LLVMModuleRef module, struct manifest *manifest,
                  struct err *err)
{
    static const char *const lists[] = {"llvm.used", "llvm.compiler.used"};

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        LLVMValueRef used = LLVMGetNamedGlobal(module, lists[i]);

        if (used)
            LLVMDeleteGlobal(used);
    }
    if (module_run(module, "globaldce", err) < 0) /* unused statics */
        return -1;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        if (ir_is_body(f))
            promote_global(f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
         g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g))
            promote_global(g);
    note_aliases(module, manifest);
    return module_run(module, "globaldce", err);
}

/* ---- memory functions -----------------------------------------------------
 */

static void build_memory_body(LLVMBuilderRef builder, LLVMValueRef function,
                              const char *name)
{
    LLVMValueRef to = LLVMGetParam(function, 0);
    LLVMValueRef from = LLVMGetParam(function, 1);
    LLVMValueRef size = LLVMGetParam(function, 2);
    LLVMTypeRef i8 = LLVMInt8TypeInContext(ir_context_of(function));

    LLVMPositionBuilderAtEnd(builder, ir_append_block(function));
    if (!strcmp(name, "memset"))
        LLVMBuildMemSet(builder, to, LLVMBuildTrunc(builder, from, i8, ""),
                        size, 1);
    else if (!strcmp(name, "memcpy"))
        LLVMBuildMemCpy(builder, to, 1, from, 1, size);
    else
        LLVMBuildMemMove(builder, to, 1, from, 1, size);
    LLVMBuildRet(builder, to);
}

static LLVMValueRef define_memory(LLVMModuleRef module, const char *name)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    bool is_set = !strcmp(name, "memset");
    LLVMTypeRef parameter[] = {
        ir_ptr(context),
        is_set ? LLVMInt32TypeInContext(context) : ir_ptr(context),
        LLVMInt64TypeInContext(context),
    };
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(context);
    auto_free char *ours = mem_format(PROMOTE_PREFIX "%s", name);
    LLVMValueRef function = LLVMAddFunction(
        module, ours, LLVMFunctionType(ir_ptr(context), parameter, 3, false));

    if (is_set) {
        unsigned kind = LLVMGetEnumAttributeKindForName("signext", 7);

        LLVMAddAttributeAtIndex(function, 2,
                                LLVMCreateEnumAttribute(context, kind, 0));
    }
    build_memory_body(builder, function, name);
    return function;
}

void promote_memory(LLVMModuleRef module, struct manifest *manifest)
{
    static const char *const names[] = {"memcpy", "memmove", "memset"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        LLVMValueRef native = LLVMGetNamedFunction(module, names[i]);
        LLVMValueRef ours = define_memory(module, names[i]);

        if (native && LLVMIsDeclaration(native))
            LLVMReplaceAllUsesWith(native, ours);
        manifest_add(manifest, names[i])->target = mem_dup_str(ir_name(ours));
    }
}

/* ---- what leaves the library ----------------------------------------------
 */

static bool is_definition(LLVMValueRef global)
{
    return !LLVMIsDeclaration(global);
}

void promote_lazy(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        if (is_definition(f))
            LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
         g = LLVMGetNextGlobal(g))
        if (is_definition(g))
            LLVMSetLinkage(g, LLVMLinkOnceODRLinkage);
}

static uint32_t table_index(LLVMModuleRef module, const char *function)
{
    auto_free char *name = mem_format(POINTER_PREFIX "%s", function);
    LLVMValueRef entry = LLVMGetNamedGlobal(module, name);

    if (!entry)
        return 0;
    LLVMValueRef index = LLVMGetAggregateElement(LLVMGetInitializer(entry), 2);
    return (uint32_t)LLVMConstIntGetZExtValue(index);
}

void promote_describe(LLVMModuleRef module, struct manifest *manifest)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f)) {
        if (!is_definition(f))
            continue;
        struct manifest_symbol *symbol = manifest_add(manifest, ir_name(f));
        symbol->is_function = true;
        symbol->index = table_index(module, ir_name(f));
        auto_plan struct plan plan = {0};
        if (plan_read(f, &plan))
            symbol->summary = plan.summary;
        symbol->unwinds = lower_unwinds(f);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
         g = LLVMGetNextGlobal(g))
        if (is_definition(g) &&
            strncmp(ir_name(g), POINTER_PREFIX, strlen(POINTER_PREFIX)) != 0)
            manifest_add(manifest, ir_name(g));
}
