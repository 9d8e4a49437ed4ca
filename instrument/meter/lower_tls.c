/* Thread-local variables to plain ones: a bot has one thread. */
#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"

static void plain_globals(LLVMModuleRef module)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;
         g = LLVMGetNextGlobal(g)) {
        if (LLVMIsThreadLocal(g))
            LLVMSetThreadLocal(g, false);
    }
}

int lower_tls(LLVMModuleRef module, struct err *err)
{
    auto_ir_list struct ir_list all = {0};

    (void)err;
    plain_globals(module);
    ir_module_instructions(module, &all);
    for (size_t i = 0; i < all.count; i++) {
        const char *name = ir_intrinsic(all.at[i]);

        if (name && ir_has_base(name, "llvm.threadlocal.address"))
            ir_replace(all.at[i], LLVMGetOperand(all.at[i], 0));
    }
    return 0;
}
