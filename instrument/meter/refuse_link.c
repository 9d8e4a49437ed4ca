/* refuse_link: definitions that are in two files. LLVM's linker says so in a
 * way that no contestant could use, and stops at the first. */
#include "instrument/meter/refuse_internal.h"

#include "runner/base/cleanup.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/* Can this global be defined once only? */
static bool is_strong(LLVMValueRef global)
{
    return !LLVMIsDeclaration(global) &&
           LLVMGetLinkage(global) == LLVMExternalLinkage;
}

static LLVMValueRef find_strong(LLVMModuleRef module, const char *name)
{
    LLVMValueRef found = LLVMGetNamedFunction(module, name);

    if (!found)
        found = LLVMGetNamedGlobal(module, name);
    return found && is_strong(found) ? found : NULL;
}

static unsigned line_of(LLVMValueRef global)
{
    LLVMMetadataRef subprogram =
        LLVMIsAFunction(global) ? LLVMGetSubprogram(global) : NULL;

    return subprogram ? LLVMDISubprogramGetLine(subprogram) : 0;
}

static void look_in_others(const struct refuse_unit *unit, size_t at,
                           LLVMValueRef global, struct refusals *refusals)
{
    const char *name = ir_name(global);

    for (size_t i = 0; i < at; i++) {
        if (!find_strong(unit[i].module, name))
            continue;
        refuse_add(refusals, unit[at].file, line_of(global),
                   "%s is defined in %s and in %s: define it in one of them, "
                   "declare it in the other, or make it static",
                   name, unit[i].file, unit[at].file);
        return;
    }
}

void refuse_twice(const struct refuse_unit *unit, size_t count,
                  struct refusals *refusals)
{
    for (size_t i = 1; i < count; i++) {
        LLVMModuleRef module = unit[i].module;

        for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
             f = LLVMGetNextFunction(f))
            if (is_strong(f))
                look_in_others(unit, i, f, refusals);
        for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
             g = LLVMGetNextGlobal(g))
            if (is_strong(g))
                look_in_others(unit, i, g, refusals);
    }
}
