#include "instrument/meter/module.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What a context keeps for us: the last error that LLVM reported, and the stack
 * frames. */
struct module_report {
    char text[400];
    struct module_frame *frames;
    size_t frame_count;
};

/* "...stack frame size (N) exceeds limit (M) in function 'NAME'": the C API
 * gives diagnostics as text alone (a test holds that). */
static void note_frame(struct module_report *report, const char *text)
{
    static const char size_text[] = "stack frame size (";
    static const char name_text[] = " in function '";
    const char *size = strstr(text, size_text);
    const char *name = strstr(text, name_text);

    if (!size || !name)
        return;
    name += sizeof name_text - 1;
    size_t count = ++report->frame_count;
    report->frames =
        mem_realloc(report->frames, count * sizeof *report->frames);
    report->frames[count - 1] = (struct module_frame){
        .name = mem_dup(name, strcspn(name, "'")),
        .bytes = strtoull(size + sizeof size_text - 1, NULL, 10),
    };
}

static void note_diagnostic(LLVMDiagnosticInfoRef info, void *context)
{
    struct module_report *report = context;
    LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
    char *text = LLVMGetDiagInfoDescription(info);

    if (severity == LLVMDSError)
        snprintf(report->text, sizeof report->text, "%s", text);
    else if (severity == LLVMDSWarning)
        note_frame(report, text);
    LLVMDisposeMessage(text);
}

LLVMContextRef module_context_new(void)
{
    LLVMContextRef context = LLVMContextCreate();
    struct module_report *report = mem_calloc(1, sizeof *report);

    LLVMContextSetDiscardValueNames(context, true);
    LLVMContextSetDiagnosticHandler(context, note_diagnostic, report);
    return context;
}

void module_context_free(LLVMContextRef *context)
{
    if (!*context)
        return;
    struct module_report *report = LLVMContextGetDiagnosticContext(*context);

    LLVMContextDispose(*context);
    for (size_t i = 0; i < report->frame_count; i++)
        free(report->frames[i].name);
    free(report->frames);
    free(report);
    *context = NULL;
}

void module_release(LLVMModuleRef *module)
{
    if (*module)
        LLVMDisposeModule(*module);
    *module = NULL;
}

static const char *reported(LLVMContextRef context)
{
    struct module_report *report = LLVMContextGetDiagnosticContext(context);

    return report && report->text[0] ? report->text : "no reason given";
}

/* ---- reading --------------------------------------------------------------
 */

static void release_buffer(LLVMMemoryBufferRef *buffer)
{
    if (*buffer)
        LLVMDisposeMemoryBuffer(*buffer);
}
#define auto_buffer __attribute__((cleanup(release_buffer)))

static LLVMMemoryBufferRef read_buffer(const char *path, struct err *err)
{
    LLVMMemoryBufferRef buffer = NULL;
    char *why = NULL;

    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &why)) {
        err_set(err, ERR_MISSING, "%s: %s", path, why ? why : "cannot read");
        LLVMDisposeMessage(why);
        return NULL;
    }
    return buffer;
}

LLVMModuleRef module_read(LLVMContextRef context, const char *path,
                          struct err *err)
{
    auto_buffer LLVMMemoryBufferRef buffer = read_buffer(path, err);
    LLVMModuleRef module = NULL;

    if (!buffer)
        return NULL;
    if (LLVMParseBitcodeInContext2(context, buffer, &module)) {
        err_set(err, ERR_INPUT, "%s is not LLVM 19 bitcode: %s", path,
                reported(context));
        return NULL;
    }
    return module;
}

LLVMModuleRef module_open(LLVMContextRef context, const char *path,
                          struct err *err)
{
    LLVMMemoryBufferRef buffer = read_buffer(path, err);
    LLVMModuleRef module = NULL;

    if (!buffer)
        return NULL;
    /* The module takes the buffer, also when it fails. */
    if (LLVMGetBitcodeModuleInContext2(context, buffer, &module)) {
        err_set(err, ERR_INPUT, "%s is not LLVM 19 bitcode: %s", path,
                reported(context));
        return NULL;
    }
    return module;
}

/* By halves: a link takes time for all that is in its target already. */
LLVMModuleRef module_read_all(LLVMContextRef context, char *const *paths,
                              size_t count, struct err *err)
{
    if (count == 1)
        return module_read(context, *paths, err);
    size_t half = count / 2;
    auto_module LLVMModuleRef all = module_read_all(context, paths, half, err);
    auto_module LLVMModuleRef rest =
        all ? module_read_all(context, paths + half, count - half, err) : NULL;
    if (!rest)
        return NULL;
    if (module_link(all, &rest, err) < 0) {
        err_wrap(err, "linking %s to %s", paths[half], paths[count - 1]);
        return NULL;
    }
    return take_ptr(all);
}

int module_link(LLVMModuleRef module, LLVMModuleRef *source, struct err *err)
{
    LLVMContextRef context = LLVMGetModuleContext(module);

    if (LLVMLinkModules2(module, take_ptr(*source)))
        return err_set(err, ERR_INPUT, "%s", reported(context));
    return 0;
}

/* ---- passes, checks, writing ----------------------------------------------
 */

int module_run(LLVMModuleRef module, const char *passes, struct err *err)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failure = LLVMRunPasses(module, passes, NULL, options);

    LLVMDisposePassBuilderOptions(options);
    if (!failure)
        return 0;
    char *text = LLVMGetErrorMessage(failure);
    err_set(err, ERR_SYSTEM, "pass %s: %s", passes, text);
    LLVMDisposeErrorMessage(text);
    return -1;
}

int module_verify(LLVMModuleRef module, struct err *err)
{
    char *text = NULL;
    bool broken = LLVMVerifyModule(module, LLVMReturnStatusAction, &text);

    if (broken)
        err_set(err, ERR_SYSTEM, "the module is broken: %s",
                text ? text : "no reason given");
    LLVMDisposeMessage(text);
    return broken ? -1 : 0;
}

const struct module_frame *module_frame(LLVMModuleRef module, size_t i)
{
    struct module_report *report =
        LLVMContextGetDiagnosticContext(LLVMGetModuleContext(module));

    return i < report->frame_count ? &report->frames[i] : NULL;
}

int module_write(LLVMModuleRef module, const char *path, struct err *err)
{
    LLVMSetSourceFileName(module, "", 0);
    auto_buffer LLVMMemoryBufferRef buffer =
        LLVMWriteBitcodeToMemoryBuffer(module);

    return io_write_file(path, LLVMGetBufferStart(buffer),
                         LLVMGetBufferSize(buffer), 0644, err);
}
