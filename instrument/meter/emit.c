#include "instrument/meter/emit.h"

#include "instrument/meter/coff.h"
#include "instrument/meter/frame.h"
#include "instrument/meter/hidden.h"
#include "instrument/meter/ir.h"
#include "instrument/meter/windows.h"
#include "runner/base/io.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <string.h>

/* How hidden memory is reached: hidden.h. */
enum emit_hidden {
    EMIT_SEGMENT, /* LLVM knows it */
    EMIT_REGISTER,
    EMIT_FIXED,
};

/* What every processor of the architecture has: a bot runs on any of them. */
struct emit_target {
    const char *name;
    const char *triple;
    const char *cpu;
    const char *features;
    enum emit_hidden hidden;
    bool is_coff;
    void (*initialise)(void);
};

static void initialise_x86(void)
{
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
}

static void initialise_aarch64(void)
{
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
}

static const struct emit_target targets[] = {
    {"x86_64", "x86_64-unknown-linux-musl", "x86-64", "", EMIT_SEGMENT, false,
     initialise_x86},
    {"aarch64", "aarch64-unknown-linux-musl", "generic", "", EMIT_REGISTER,
     false, initialise_aarch64},
    {WINDOWS_TARGET, "x86_64-pc-windows-msvc", "x86-64", "", EMIT_FIXED, true,
     initialise_x86},
};

static const struct emit_target *find_target(const char *name)
{
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (!strcmp(targets[i].name, name))
            return &targets[i];
    return NULL;
}

int emit_check_target(const char *target, struct err *err)
{
    if (find_target(target))
        return 0;
    return err_set(err, ERR_INPUT, "no target %s: there are x86_64 and aarch64",
                   target);
}

bool emit_has_script(const char *target)
{
    const struct emit_target *row = find_target(target);

    return row && !row->is_coff;
}

static void release_machine(LLVMTargetMachineRef *machine)
{
    if (*machine)
        LLVMDisposeTargetMachine(*machine);
}
#define auto_machine __attribute__((cleanup(release_machine)))

static LLVMTargetMachineRef open_machine(const struct emit_target *target,
                                         LLVMCodeGenOptLevel level,
                                         struct err *err)
{
    LLVMTargetRef llvm_target = NULL;
    char *why = NULL;

    target->initialise();
    if (LLVMGetTargetFromTriple(target->triple, &llvm_target, &why)) {
        err_set(err, ERR_SYSTEM, "LLVM lacks %s: %s", target->name, why);
        LLVMDisposeMessage(why);
        return NULL;
    }
    return LLVMCreateTargetMachine(llvm_target, target->triple, target->cpu,
                                   target->features, level, LLVMRelocStatic,
                                   LLVMCodeModelSmall);
}

/* One executable, so each symbol is found by its own address: hidden visibility
 * says so (the C API cannot set dso_local). Else code would go through a table
 * of addresses, and counters through a register, which the scan refuses. */
static void hide(LLVMValueRef global)
{
    if (LLVMGetLinkage(global) != LLVMInternalLinkage &&
        LLVMGetLinkage(global) != LLVMPrivateLinkage)
        LLVMSetVisibility(global, LLVMHiddenVisibility);
}

static int place_hidden(LLVMModuleRef module, const struct emit_target *target,
                        struct err *err)
{
    bool is_fixed = target->hidden == EMIT_FIXED;

    if (target->hidden == EMIT_SEGMENT)
        return 0;
    return hidden_place(module, is_fixed ? WINDOWS_HIDDEN_ADDRESS : 0, err);
}

static void prepare(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        if (!LLVMGetIntrinsicID(f))
            hide(f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
         g = LLVMGetNextGlobal(g))
        hide(g);
}

/* For the layout of blocks LLVM looks, at each way into a block, at all the
 * others: 10,000 of them took ten seconds. */
#define LAYOUT_WORK_MAX 4000000u

/* What laying out a function's blocks would cost: ways times ways. */
static uint64_t layout_work(LLVMValueRef function)
{
    uint64_t work = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b)) {
        uint64_t ways = 0;

        for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(b)); use;
             use = LLVMGetNextUse(use))
            ways++;
        work += ways * ways;
    }
    return work;
}

/* The blocks then stand in the order of the module. The option is one of the
 * whole process, which generates code once. */
static void leave_huge_layouts(LLVMModuleRef module)
{
    static const char *const options[] = {"bout-meter",
                                          "-disable-block-placement"};

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f)) {
        if (layout_work(f) <= LAYOUT_WORK_MAX)
            continue;
        LLVMParseCommandLineOptions(2, options, NULL);
        return;
    }
}

int emit_object(LLVMModuleRef module, const struct emit_spec *spec,
                const char *path, struct err *err)
{
    const struct emit_target *row = find_target(spec->target);

    if (!row)
        return emit_check_target(spec->target, err);
    auto_machine LLVMTargetMachineRef machine = open_machine(
        row, spec->is_plain ? LLVMCodeGenLevelNone : LLVMCodeGenLevelDefault,
        err);
    if (!machine || place_hidden(module, row, err) < 0)
        return -1;
    LLVMTargetDataRef data = LLVMCreateTargetDataLayout(machine);
    LLVMSetModuleDataLayout(module, data);
    LLVMDisposeTargetData(data);
    LLVMSetTarget(module, row->triple);
    prepare(module);
    if (row->is_coff)
        coff_prepare(module);
    leave_huge_layouts(module);
    frame_watch(module);

    LLVMMemoryBufferRef object = NULL;
    char *why = NULL;
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile,
                                            &why, &object)) {
        err_set(err, ERR_SYSTEM, "code generation: %s", why);
        LLVMDisposeMessage(why);
        return -1;
    }
    int done = spec->is_plain ? 0 : frame_check(module, err);
    if (done == 0)
        done = io_write_file(path, LLVMGetBufferStart(object),
                             LLVMGetBufferSize(object), 0644, err);
    LLVMDisposeMemoryBuffer(object);
    return done;
}

void emit_separate_functions(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f)) {
        if (!ir_is_body(f))
            continue;
        LLVMSetComdat(f, LLVMGetOrInsertComdat(module, ir_name(f)));
        LLVMSetLinkage(f, LLVMWeakODRLinkage);
    }
}
