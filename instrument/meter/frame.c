#include "instrument/meter/frame.h"

#include "instrument/bot/page.h"
#include "instrument/meter/adopt.h"
#include "instrument/meter/ir.h"
#include "instrument/meter/module.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Of a page: what the return address and alignment take beside the frame. */
#define MARGIN_BYTES 64u

void frame_watch(LLVMModuleRef module)
{
    static const char key[] = "warn-stack-size";
    char limit[16];
    int size = snprintf(limit, sizeof limit, "%u", PAGE_BYTES - MARGIN_BYTES);
    LLVMAttributeRef watch =
        LLVMCreateStringAttribute(LLVMGetModuleContext(module), key,
                                  sizeof key - 1, limit, (unsigned)size);

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        if (ir_is_body(f))
            LLVMAddAttributeAtIndex(
                f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, watch);
}

/* ---- who may be called while a function runs ------------------------------
 */

static bool has_address_taken(LLVMValueRef function)
{
    auto_ir_list struct ir_list uses = {0};
    auto_ir_list struct ir_list calls = {0};

    ir_users(function, &uses);
    ir_call_users(function, &calls);
    return uses.count > calls.count;
}

static void add_once(struct ir_list *list, LLVMValueRef function)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i] == function)
            return;
    ir_list_add(list, function);
}

static void add_address_taken(LLVMModuleRef module, struct ir_list *list)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f))
        if (ir_is_body(f) && has_address_taken(f))
            add_once(list, f);
}

/* Adds what `function` calls. A pointer, and the library by one that it was
 * given, may call whatever has its address taken. */
static void add_callees(LLVMModuleRef module, LLVMValueRef function,
                        struct ir_list *list)
{
    auto_ir_list struct ir_list all = {0};

    ir_instructions(function, &all);
    for (size_t i = 0; i < all.count; i++) {
        if (!LLVMIsACallInst(all.at[i]) || ir_intrinsic(all.at[i]))
            continue;
        LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(all.at[i]));
        if (callee && ir_is_body(callee))
            add_once(list, callee);
        else if (!callee || strncmp(ir_name(callee), "__bout_", 7) != 0)
            add_address_taken(module, list);
    }
}

static bool is_recursive(LLVMModuleRef module, LLVMValueRef function)
{
    auto_ir_list struct ir_list reached = {0};

    add_callees(module, function, &reached);
    for (size_t i = 0; i < reached.count; i++) {
        if (reached.at[i] == function)
            return true;
        add_callees(module, reached.at[i], &reached);
    }
    return false;
}

/* ---- the verdict ----------------------------------------------------------
 */

static const char *shown_name(const char *name)
{
    size_t size = strlen(ADOPT_PREFIX);

    return strncmp(name, ADOPT_PREFIX, size) ? name : name + size;
}

int frame_check(LLVMModuleRef module, struct err *err)
{
    const struct module_frame *frame;
    uint64_t total = 0;

    for (size_t i = 0; (frame = module_frame(module, i)); i++) {
        LLVMValueRef function = LLVMGetNamedFunction(module, frame->name);

        total += frame->bytes;
        if (function && !is_recursive(module, function) &&
            total <= FRAME_ONCE_BYTES)
            continue;
        return err_set(err, ERR_INPUT,
                       "%s works on too many values at once (%llu bytes of "
                       "them, %u at most where a function may call itself); "
                       "split it into smaller functions",
                       shown_name(frame->name),
                       (unsigned long long)frame->bytes,
                       PAGE_BYTES - MARGIN_BYTES);
    }
    return 0;
}
