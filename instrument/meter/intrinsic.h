/* intrinsic: the allow-list of LLVM intrinsics, instrument/intrinsics.def. */
#pragma once

enum intrinsic_treatment {
    INTRINSIC_UNKNOWN,         /* not in the list: refused */
    INTRINSIC_FREE,            /* makes no machine code: charged 0 */
    INTRINSIC_PLAIN,           /* kept; charged like an instruction, by lanes */
    INTRINSIC_DEAR,            /* kept; COST_DEAR for each lane */
    INTRINSIC_DEAR_ON_VECTORS, /* the same, plain on a single integer */
    INTRINSIC_BULK,            /* memcpy, memmove, memset: charged by bytes */
    INTRINSIC_LOWERED, /* a lowering replaces it: gone before charging */
};

/* The treatment of an intrinsic by its full name (llvm.umin.i64). */
enum intrinsic_treatment intrinsic_find(const char *name);
