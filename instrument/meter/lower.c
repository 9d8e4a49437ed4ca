#include "instrument/meter/lower.h"

/* The order, and why:
 * - intrinsic first: lifetime markers would otherwise follow allocas about;
 * - unwind before what inserts calls of the library that throw nothing, and
 *   before jump, stack and attribute, which look for returns and calls;
 * - fenv before math: it leaves plain operations and math intrinsics;
 * - math before int and defined: it makes conversions and calls;
 * - tls, constructors and aliases before anything counts uses of functions;
 * - variadic before stack: it makes allocas, and leaves by-value arguments that
 *   were fixed ones;
 * - switch after goto, which makes some;
 * - goto and jump before stack: they make blocks and calls that count there;
 * - divide before int: guards stand in front of the calls;
 * - int before defined: it takes the conversions of wide integers;
 * - undef late: the passes before it may fold constants to poison;
 * - stack before attribute: it reads byval, which that one strips;
 * - attribute last: it covers the calls that the others made. */
static int (*const passes[])(LLVMModuleRef module, struct err *err) = {
    lower_intrinsic, lower_unwind, lower_fenv,      lower_math,
    lower_tls,       lower_goto,   lower_switch,    lower_variadic,
    lower_jump,      lower_divide, lower_int,       lower_defined,
    lower_undef,     lower_stack,  lower_attribute,
};

int lower_all(LLVMModuleRef module, bool library, struct err *err)
{
    const char *constructors = library ? "__lib_ctors" : "__bot_ctors";

    if (lower_constructors(module, constructors, err) < 0)
        return -1;
    if (!library && lower_alias(module, err) < 0)
        return -1;
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        if (passes[i](module, err) < 0)
            return -1;
    }
    return 0;
}
