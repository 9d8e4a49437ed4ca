/* Aliases to what they stand for, constructors and destructors to one function.
 *
 * LLVM-C can delete no alias: they lose their uses here and become internal,
 * and globaldce takes them away.
 */
#include "instrument/meter/adopt.h"
#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

int lower_alias(LLVMModuleRef module, struct err *err)
{
    if (!LLVMGetFirstGlobalAlias(module))
        return 0;
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a;
         a = LLVMGetNextGlobalAlias(a)) {
        LLVMReplaceAllUsesWith(a, LLVMAliasGetAliasee(a));
        LLVMSetLinkage(a, LLVMInternalLinkage);
        LLVMSetVisibility(a, LLVMDefaultVisibility);
        LLVMSetValueName2(a, "", 0);
    }
    return ir_drop_dead(module, err);
}

/* An entry of llvm.global_ctors or llvm.global_dtors. */
struct starter {
    unsigned long long priority;
    unsigned order;
    LLVMValueRef function;
};

static int compare_starters(const void *left, const void *right)
{
    const struct starter *a = left;
    const struct starter *b = right;

    if (a->priority != b->priority)
        return a->priority < b->priority ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

/* The entries of the array `name`, by priority, then order; the array is
 * removed. *out is the caller's to free. */
static unsigned take_starters(LLVMModuleRef module, const char *name,
                              struct starter **out)
{
    LLVMValueRef array = LLVMGetNamedGlobal(module, name);
    unsigned count = 0;

    *out = NULL;
    if (!array)
        return 0;
    LLVMValueRef entries = LLVMGetInitializer(array);
    unsigned length = (unsigned)LLVMGetArrayLength2(LLVMTypeOf(entries));

    *out = mem_calloc(length + 1, sizeof **out);
    for (unsigned i = 0; i < length; i++) {
        LLVMValueRef entry = LLVMGetAggregateElement(entries, i);
        LLVMValueRef function = LLVMGetAggregateElement(entry, 1);
        LLVMValueRef priority = LLVMGetAggregateElement(entry, 0);

        if (!LLVMIsNull(function))
            (*out)[count++] =
                (struct starter){.priority = LLVMConstIntGetZExtValue(priority),
                                 .order = i,
                                 .function = function};
    }
    LLVMDeleteGlobal(array);
    qsort(*out, count, sizeof **out, compare_starters);
    return count;
}

/* Destructors run after atexit's functions, the last constructed first: they
 * are registered before any constructor runs, in the constructors' order. */
static void register_destructors(LLVMBuilderRef builder, LLVMModuleRef module)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    auto_free struct starter *all = NULL;
    unsigned count = take_starters(module, "llvm.global_dtors", &all);

    for (unsigned i = 0; i < count; i++)
        ir_call(builder, "atexit", LLVMInt32TypeInContext(context),
                &all[i].function, 1);
}

/* A constructor may return what it likes; nobody looks at it. */
static void call_starter(LLVMBuilderRef builder, LLVMValueRef function,
                         LLVMTypeRef plain)
{
    LLVMTypeRef type =
        LLVMIsAFunction(function) ? LLVMGlobalGetValueType(function) : plain;

    LLVMBuildCall2(builder, LLVMCountParamTypes(type) ? plain : type, function,
                   NULL, 0, "");
}

/* A program's own operator new and delete serve the library too, which looks
 * where they are stored (instrument/library/cxx.sh). */
static void store_operator(LLVMBuilderRef builder, LLVMModuleRef module,
                           const char *name, const char *word)
{
    LLVMTypeRef type = ir_ptr(LLVMGetModuleContext(module));
    LLVMValueRef function = LLVMGetNamedFunction(module, name);

    if (!function || LLVMIsDeclaration(function))
        return;
    LLVMValueRef global = LLVMGetNamedGlobal(module, word);
    LLVMBuildStore(builder, function,
                   global ? global : LLVMAddGlobal(module, type, word));
}

int lower_constructors(LLVMModuleRef module, const char *name, struct err *err)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
    auto_free struct starter *all = NULL;
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(context);

    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    if (!function) /* the library's own start declares it */
        function = LLVMAddFunction(module, name, type);
    if (!LLVMIsDeclaration(function))
        return err_set(err, ERR_INPUT, "the module defines %s by itself", name);
    LLVMGlobalClearMetadata(function); /* a declaration's is not a body's */
    LLVMPositionBuilderAtEnd(builder, ir_append_block(function));
    store_operator(builder, module, ADOPT_PREFIX "_Znwm", "__bout_new");
    store_operator(builder, module, ADOPT_PREFIX "_ZdlPv", "__bout_delete");
    register_destructors(builder, module);
    unsigned count = take_starters(module, "llvm.global_ctors", &all);
    for (unsigned i = 0; i < count; i++)
        call_starter(builder, all[i].function, type);
    LLVMBuildRetVoid(builder);
    return 0;
}
