/* Names and definitions: what a program may call its things, and what it may
 * leave for the library to define. */
#include "instrument/bot/page.h"
#include "instrument/meter/refuse_internal.h"

#include <ctype.h>
#include <string.h>

#define ALIGN_MAX_BYTES 65536u

static const struct {
    const char *name;
    const char *instead;
} missing_names[] = {
#define MISSING(name, instead) {name, instead},
#include "instrument/missing.def"
};

static bool matches(const char *pattern, const char *name)
{
    size_t size = strlen(pattern);

    if (pattern[size - 1] == '*')
        return !strncmp(pattern, name, size - 1);
    return !strcmp(pattern, name);
}

static const char *instead_of(const char *name)
{
    for (size_t i = 0; i < sizeof missing_names / sizeof *missing_names; i++) {
        if (matches(missing_names[i].name, name))
            return missing_names[i].instead;
    }
    return NULL;
}

static bool is_local(LLVMValueRef global)
{
    LLVMLinkage linkage = LLVMGetLinkage(global);

    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

/* As C spells them, which an asm label need not do. */
static bool is_identifier(const char *name)
{
    for (const char *c = name; *c; c++) {
        bool is_first = c == name;

        if (!isalpha((unsigned char)*c) && *c != '_' && *c != '$' &&
            (unsigned char)*c < 0x80 &&
            (is_first || !isdigit((unsigned char)*c)))
            return false;
    }
    return *name != '\0';
}

/* True if the name was refused; what has a bad name is not looked at again. */
static bool refuse_name(struct refuse *refuse, LLVMValueRef global)
{
    const char *name = ir_name(global);

    if (!strncmp(name, "__bout_", 7) || !strncmp(name, "__bot_", 6) ||
        !strncmp(name, "__lib_", 6))
        refuse_at(refuse, global, "the name %s belongs to the runtime", name);
    else if (!is_local(global) && !is_identifier(name))
        refuse_at(refuse, global,
                  "the asm label \"%s\" is not available: drop it", name);
    else
        return false;
    return true;
}

/* Where the front end itself puts the texts of annotations and, in C++, what
 * makes an object of a file's own. */
static bool is_front_ends(LLVMValueRef global, const char *section)
{
    if (LLVMIsAFunction(global))
        return is_local(global) && !strcmp(section, ".text.startup");
    return !strcmp(section, "llvm.metadata");
}

static void refuse_request(struct refuse *refuse, LLVMValueRef global)
{
    const char *section = LLVMGetSection(global);

    if (section && *section && !is_front_ends(global, section))
        refuse_at(refuse, global,
                  "section \"%s\" is not available: drop the attribute",
                  section);
    if (LLVMGetAlignment(global) > ALIGN_MAX_BYTES)
        refuse_at(refuse, global,
                  "%s: an alignment of %u bytes is not available: at most %u",
                  ir_name(global), LLVMGetAlignment(global), ALIGN_MAX_BYTES);
}

/* The variables by which the compiler speaks to the linker. */
static bool is_compilers_own(LLVMValueRef global)
{
    static const char *const own[] = {
        "llvm.compiler.used",
        "llvm.global_ctors",
        "llvm.global_dtors",
        "llvm.used",
    };
    const char *name = ir_name(global);

    if (!strcmp(name, "llvm.global.annotations"))
        return true;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (!strcmp(name, own[i]))
            return LLVMGetLinkage(global) == LLVMAppendingLinkage;
    }
    return false;
}

/* What bout-meter or the runtime defines although the library does not: the
 * names that lower_jump.c, lower_unwind.c and code generation know. */
static bool is_provided(const char *name)
{
    static const char *const provided[] = {
        "__gcc_personality_v0",
        "__gxx_personality_v0",
        "__sigsetjmp",
        "_longjmp",
        "_setjmp",
        "longjmp",
        "memcpy",
        "memmove",
        "memset",
        "setjmp",
        "siglongjmp",
        "sigsetjmp",
    };

    for (size_t i = 0; i < sizeof provided / sizeof *provided; i++) {
        if (!strcmp(name, provided[i]))
            return true;
    }
    return false;
}

static void refuse_undefined(struct refuse *refuse, LLVMValueRef global)
{
    const struct refusals *refusals = refuse->refusals;
    const char *name = ir_name(global);
    const char *instead = instead_of(name);

    if (!LLVMIsDeclaration(global) || !LLVMGetFirstUse(global) ||
        LLVMGetLinkage(global) == LLVMExternalWeakLinkage || is_provided(name))
        return;
    if (refusals->library_defines &&
        refusals->library_defines(refusals->context, name))
        return;
    if (instead)
        refuse_at(refuse, global, "%s is not available: %s", name, instead);
    else
        refuse_at(refuse, global,
                  "%s is defined neither by the program nor by the library",
                  name);
}

static void refuse_functions(struct refuse *refuse)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(refuse->module); f;
         f = LLVMGetNextFunction(f)) {
        if (LLVMGetIntrinsicID(f))
            continue;
        if (refuse_name(refuse, f))
            continue;
        refuse_request(refuse, f);
        refuse_undefined(refuse, f);
        refuse_type(refuse, LLVMGlobalGetValueType(f), f);
    }
}

static uint64_t refuse_variable(struct refuse *refuse, LLVMValueRef global)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    LLVMValueRef initializer = LLVMGetInitializer(global);

    if (refuse_name(refuse, global))
        return 0;
    refuse_request(refuse, global);
    refuse_undefined(refuse, global);
    refuse_type(refuse, LLVMTypeOf(global), global);
    refuse_type(refuse, type, global);
    if (initializer)
        refuse_constant(refuse, initializer, global);
    return LLVMTypeIsSized(type) && initializer ? ir_size(refuse->module, type)
                                                : 0;
}

static void refuse_variables(struct refuse *refuse)
{
    uint64_t total = 0;

    for (LLVMValueRef g = LLVMGetFirstGlobal(refuse->module); g;
         g = LLVMGetNextGlobal(g)) {
        uint64_t bytes = is_compilers_own(g) ? 0 : refuse_variable(refuse, g);

        if (bytes > PAGE_DATA_MAX_BYTES)
            refuse_at(refuse, g,
                      "%s takes %llu bytes: all variables together may take "
                      "%u",
                      ir_name(g), (unsigned long long)bytes,
                      PAGE_DATA_MAX_BYTES);
        else
            total += bytes;
    }
    if (total > PAGE_DATA_MAX_BYTES)
        refuse_add(refuse->refusals, "", 0,
                   "the variables take %llu bytes: at most %u are available",
                   (unsigned long long)total, PAGE_DATA_MAX_BYTES);
}

static void refuse_aliases(struct refuse *refuse)
{
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(refuse->module); a;
         a = LLVMGetNextGlobalAlias(a)) {
        LLVMValueRef aliasee = LLVMAliasGetAliasee(a);

        refuse_name(refuse, a);
        refuse_type(refuse, LLVMTypeOf(a), a);
        refuse_constant(refuse, aliasee, a);
        if (!LLVMIsAGlobalValue(aliasee) && !LLVMIsAConstantExpr(aliasee))
            refuse_at(refuse, a, "the alias %s stands for no definition",
                      ir_name(a));
    }
    for (LLVMValueRef i = LLVMGetFirstGlobalIFunc(refuse->module); i;
         i = LLVMGetNextGlobalIFunc(i))
        refuse_at(refuse, i,
                  "ifunc (%s) is not available: define the function itself",
                  ir_name(i));
}

void refuse_symbols(struct refuse *refuse)
{
    refuse_functions(refuse);
    refuse_variables(refuse);
    refuse_aliases(refuse);
}
