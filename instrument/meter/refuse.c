#include "instrument/meter/refuse_internal.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>

#include <stdarg.h>
#include <string.h>

void refusals_release(struct refusals *refusals)
{
    for (size_t i = 0; i < refusals->count; i++) {
        free(refusals->at[i].file);
        free(refusals->at[i].message);
    }
    refusals->count = 0;
}

static bool is_known(const struct refusals *refusals,
                     const struct refusal *wanted)
{
    for (size_t i = 0; i < refusals->count; i++) {
        const struct refusal *one = &refusals->at[i];

        if (one->line == wanted->line && !strcmp(one->file, wanted->file) &&
            !strcmp(one->message, wanted->message))
            return true;
    }
    return false;
}

static void add_text(struct refusals *refusals, const char *file, unsigned line,
                     const char *message)
{
    struct refusal new = {
        .file = mem_dup_str(file),
        .line = line,
        .message = mem_dup_str(message),
    };

    if (refusals->count == REFUSE_MAX || is_known(refusals, &new)) {
        free(new.file);
        free(new.message);
        return;
    }
    refusals->at[refusals->count++] = new;
}

void refuse_add(struct refusals *refusals, const char *file, unsigned line,
                const char *format, ...)
{
    auto_buf struct buf message = {0};
    va_list args;

    va_start(args, format);
    buf_add_vformat(&message, format, args);
    va_end(args);
    add_text(refusals, file, line, message.data);
}

static void file_of(LLVMMetadataRef scope, const char **file, size_t *size)
{
    LLVMMetadataRef found = scope ? LLVMDIScopeGetFile(scope) : NULL;
    unsigned length = 0;

    *file = found ? LLVMDIFileGetFilename(found, &length) : "";
    *size = length;
}

void refuse_place(LLVMValueRef instruction, const char **file, size_t *size,
                  unsigned *line)
{
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(instruction);

    file_of(place ? LLVMDILocationGetScope(place) : NULL, file, size);
    *line = place ? LLVMDILocationGetLine(place) : 0;
}

static void function_place(LLVMValueRef function, const char **file,
                           size_t *size, unsigned *line)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);

    file_of(subprogram, file, size);
    *line = subprogram ? LLVMDISubprogramGetLine(subprogram) : 0;
}

/* An instruction that uses a global, through at most a few constants. */
static LLVMValueRef using_instruction(LLVMValueRef value, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);

        if (LLVMIsAInstruction(user))
            return user;
        LLVMValueRef found = depth ? using_instruction(user, depth - 1) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

static void value_place(LLVMValueRef value, const char **file, size_t *size,
                        unsigned *line)
{
    LLVMValueRef inst =
        LLVMIsAInstruction(value) ? value : using_instruction(value, 3);

    if (LLVMIsAFunction(value) && ir_is_body(value) &&
        LLVMGetSubprogram(value)) {
        function_place(value, file, size, line);
        return;
    }
    *file = "";
    *size = 0;
    *line = 0;
    if (!inst)
        return;
    refuse_place(inst, file, size, line);
    if (!*line)
        function_place(ir_function_of(inst), file, size, line);
}

void refuse_at(struct refuse *refuse, LLVMValueRef value, const char *format,
               ...)
{
    auto_buf struct buf message = {0};
    const char *file;
    size_t size;
    unsigned line;
    va_list args;

    va_start(args, format);
    buf_add_vformat(&message, format, args);
    va_end(args);
    value_place(value, &file, &size, &line);
    auto_free char *name = mem_dup(file, size);
    add_text(refuse->refusals, name, line, message.data);
}

void refuse_seen_release(struct refuse_seen *seen)
{
    free(seen->slot);
    *seen = (struct refuse_seen){0};
}

/* The slot that holds `thing`, or the empty one where it belongs. */
static const void **find_slot(const struct refuse_seen *seen, const void *thing)
{
    size_t at = ((uintptr_t)thing >> 4) * 0x9e3779b97f4a7c15u >> 20;

    while (seen->slot[at & (seen->capacity - 1)] &&
           seen->slot[at & (seen->capacity - 1)] != thing)
        at++;
    return &seen->slot[at & (seen->capacity - 1)];
}

static void grow(struct refuse_seen *seen)
{
    struct refuse_seen old = *seen;

    seen->capacity = old.capacity ? 2 * old.capacity : 256;
    seen->slot = mem_calloc(seen->capacity, sizeof *seen->slot);
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.slot[i])
            *find_slot(seen, old.slot[i]) = old.slot[i];
    }
    free(old.slot);
}

bool refuse_seen_add(struct refuse_seen *seen, const void *thing)
{
    if (2 * seen->count >= seen->capacity)
        grow(seen);
    const void **slot = find_slot(seen, thing);
    if (*slot)
        return false;
    *slot = thing;
    seen->count++;
    return true;
}

/* Named metadata that code generation reads is a request to the linker. */
static void refuse_metadata(struct refuse *refuse)
{
    static const char *const harmless_names[] = {
        "llvm.commandline", "llvm.dbg.cu",       "llvm.errno.tbaa",
        "llvm.ident",       "llvm.module.flags",
    };

    for (LLVMNamedMDNodeRef node = LLVMGetFirstNamedMetadata(refuse->module);
         node; node = LLVMGetNextNamedMetadata(node)) {
        size_t size;
        const char *name = LLVMGetNamedMetadataName(node, &size);
        /* The intrinsic that reads a register variable is refused itself. An
         * empty list asks for nothing: clang makes one for C++. */
        bool harmless =
            !strncmp(name, "llvm.named.register.", 20) ||
            LLVMGetNamedMetadataNumOperands(refuse->module, name) == 0;

        for (size_t i = 0; i < sizeof harmless_names / sizeof *harmless_names;
             i++)
            harmless |= size == strlen(harmless_names[i]) &&
                        !memcmp(name, harmless_names[i], size);
        if (!harmless)
            refuse_add(refuse->refusals, "", 0,
                       "a request to the linker (%.*s) is not available: "
                       "remove the #pragma",
                       (int)size, name);
    }
}

static void refuse_assembly(struct refuse *refuse)
{
    size_t size;

    LLVMGetModuleInlineAsm(refuse->module, &size);
    if (size)
        refuse_add(refuse->refusals, "", 0,
                   "assembly at file scope is not available: write it in C");
}

void refuse_module(LLVMModuleRef module, struct refusals *refusals)
{
    struct refuse refuse = {.module = module, .refusals = refusals};
    char *message = NULL;

    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
        refuse_add(refusals, "", 0,
                   "the compiler's output is not valid, which an asm label on "
                   "a declaration can cause: %.200s",
                   message);
    } else {
        refuse_assembly(&refuse);
        refuse_metadata(&refuse);
        refuse_symbols(&refuse);
        refuse_code(&refuse);
    }
    LLVMDisposeMessage(message);
    refuse_seen_release(&refuse.types);
    refuse_seen_release(&refuse.constants);
}
