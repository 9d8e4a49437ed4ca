/* meter_operation: every operation that a lowered module may hold, every kind
 * of type, and the text of an operation on a type. */
#pragma once

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <stdbool.h>

/* ---- the operations -------------------------------------------------------
 */

enum domain { INTEGERS, FLOATS, BOTH, POINTERS };

/* $T is the type, $I the same shape of i1, %a %b %c are operands of type $T. */
struct operation {
    enum domain domain;
    const char *text;
    const char *result; /* as text: $T, $I, {$T, $I} */
    const char *declare;
};

#define PLAIN_BINARY(name)                      \
    {                                           \
        INTEGERS, name " $T %a, %b", "$T", NULL \
    }
#define COMPARE(what, domain)                 \
    {                                         \
        domain, what " $T %a, %b", "$I", NULL \
    }
#define CALL1(name, domain)                               \
    {                                                     \
        domain, "call $T @llvm." name ".$N($T %a)", "$T", \
            "declare $T @llvm." name ".$N($T)\n"          \
    }
#define CALL1_FLAG(name)                                              \
    {                                                                 \
        INTEGERS, "call $T @llvm." name ".$N($T %a, i1 false)", "$T", \
            "declare $T @llvm." name ".$N($T, i1)\n"                  \
    }
#define CALL2(name, domain)                                      \
    {                                                            \
        domain, "call $T @llvm." name ".$N($T %a, $T %b)", "$T", \
            "declare $T @llvm." name ".$N($T, $T)\n"             \
    }
#define CALL3(name, domain)                                             \
    {                                                                   \
        domain, "call $T @llvm." name ".$N($T %a, $T %b, $T %c)", "$T", \
            "declare $T @llvm." name ".$N($T, $T, $T)\n"                \
    }
#define CALL_OVERFLOW(name)                                                \
    {                                                                      \
        INTEGERS,                                                          \
            "call {$T, $I} @llvm." name ".with.overflow.$N($T %a, $T %b)", \
            "{$T, $I}",                                                    \
            "declare {$T, $I} @llvm." name ".with.overflow.$N($T, $T)\n"   \
    }

static const struct operation operations[] = {
    PLAIN_BINARY("add"),
    PLAIN_BINARY("sub"),
    PLAIN_BINARY("mul"),
    PLAIN_BINARY("udiv"),
    PLAIN_BINARY("sdiv"),
    PLAIN_BINARY("urem"),
    PLAIN_BINARY("srem"),
    PLAIN_BINARY("shl"),
    PLAIN_BINARY("lshr"),
    PLAIN_BINARY("ashr"),
    PLAIN_BINARY("and"),
    PLAIN_BINARY("or"),
    PLAIN_BINARY("xor"),
    COMPARE("icmp eq", INTEGERS),
    COMPARE("icmp ne", INTEGERS),
    COMPARE("icmp ult", INTEGERS),
    COMPARE("icmp ule", INTEGERS),
    COMPARE("icmp slt", INTEGERS),
    COMPARE("icmp sge", INTEGERS),
    COMPARE("icmp ult", POINTERS),
    COMPARE("icmp eq", POINTERS),
    COMPARE("fcmp oeq", FLOATS),
    COMPARE("fcmp one", FLOATS),
    COMPARE("fcmp ueq", FLOATS),
    COMPARE("fcmp olt", FLOATS),
    COMPARE("fcmp uge", FLOATS),
    COMPARE("fcmp uno", FLOATS),
    COMPARE("fcmp ord", FLOATS),
    {FLOATS, "fadd $T %a, %b", "$T", NULL},
    {FLOATS, "fsub $T %a, %b", "$T", NULL},
    {FLOATS, "fmul $T %a, %b", "$T", NULL},
    {FLOATS, "fdiv $T %a, %b", "$T", NULL},
    {FLOATS, "frem $T %a, %b", "$T", NULL},
    {FLOATS, "fneg $T %a", "$T", NULL},
    {BOTH, "freeze $T %a", "$T", NULL},
    {BOTH, "select i1 %cond, $T %a, $T %b", "$T", NULL},
    {BOTH, "select $I %lanes, $T %a, $T %b", "$T", NULL},
    {BOTH, "load $T, ptr %p", "$T", NULL},
    {POINTERS, "ptrtoint $T %a to i64", "i64", NULL},
    {POINTERS, "ptrtoint $T %a to i8", "i8", NULL},
    {POINTERS, "ptrtoint $T %a to i128", "i128", NULL},
    CALL1_FLAG("abs"),
    CALL1_FLAG("ctlz"),
    CALL1_FLAG("cttz"),
    CALL1("bitreverse", INTEGERS),
    CALL1("bswap", INTEGERS),
    CALL1("ctpop", INTEGERS),
    CALL1("fabs", FLOATS),
    CALL1("sqrt", FLOATS),
    CALL2("copysign", FLOATS),
    CALL2("sadd.sat", INTEGERS),
    CALL2("ssub.sat", INTEGERS),
    CALL2("uadd.sat", INTEGERS),
    CALL2("usub.sat", INTEGERS),
    CALL2("smax", INTEGERS),
    CALL2("smin", INTEGERS),
    CALL2("umax", INTEGERS),
    CALL2("umin", INTEGERS),
    CALL3("fshl", INTEGERS),
    CALL3("fshr", INTEGERS),
    CALL_OVERFLOW("sadd"),
    CALL_OVERFLOW("ssub"),
    CALL_OVERFLOW("uadd"),
    CALL_OVERFLOW("usub"),
    CALL_OVERFLOW("smul"),
    CALL_OVERFLOW("umul"),
    {INTEGERS, "call $T @llvm.scmp.$N.$N($T %a, $T %b)", "$T",
     "declare $T @llvm.scmp.$N.$N($T, $T)\n"},
    {INTEGERS, "call $T @llvm.ucmp.$N.$N($T %a, $T %b)", "$T",
     "declare $T @llvm.ucmp.$N.$N($T, $T)\n"},
    {FLOATS, "call $I @llvm.is.fpclass.$N($T %a, i32 3)", "$I",
     "declare $I @llvm.is.fpclass.$N($T, i32)\n"},
    {FLOATS, "call $I @llvm.is.fpclass.$N($T %a, i32 517)", "$I",
     "declare $I @llvm.is.fpclass.$N($T, i32)\n"},
    {FLOATS, "call $I @llvm.is.fpclass.$N($T %a, i32 144)", "$I",
     "declare $I @llvm.is.fpclass.$N($T, i32)\n"},
    {POINTERS, "call $T @llvm.ptrmask.$N.i64($T %a, i64 %word)", "$T",
     "declare $T @llvm.ptrmask.$N.i64($T, i64)\n"},
    {INTEGERS, "cmpxchg ptr %p, $T %a, $T %b seq_cst seq_cst", "{$T, i1}",
     NULL},
    {INTEGERS, "atomicrmw add ptr %p, $T %a seq_cst", "$T", NULL},
    {INTEGERS, "atomicrmw nand ptr %p, $T %a seq_cst", "$T", NULL},
    {INTEGERS, "atomicrmw max ptr %p, $T %a seq_cst", "$T", NULL},
    {INTEGERS, "atomicrmw umin ptr %p, $T %a seq_cst", "$T", NULL},
    {INTEGERS, "atomicrmw xchg ptr %p, $T %a seq_cst", "$T", NULL},
    {INTEGERS, "atomicrmw uinc_wrap ptr %p, $T %a seq_cst", "$T", NULL},
    {INTEGERS, "atomicrmw udec_wrap ptr %p, $T %a seq_cst", "$T", NULL},
    {INTEGERS, "load atomic $T, ptr %p seq_cst, align 16", "$T", NULL},
    {FLOATS, "atomicrmw fadd ptr %p, $T %a seq_cst", "$T", NULL},
    {FLOATS, "atomicrmw fmax ptr %p, $T %a seq_cst", "$T", NULL},
};

/* Of vectors alone; $E is the element, $W the widened element. */
static const struct operation vector_operations[] = {
    {BOTH, "extractelement $T %a, i32 0", "$E", NULL},
    {BOTH, "extractelement $T %a, i32 %index", "$E", NULL},
    {BOTH, "insertelement $T %a, $E %element, i32 0", "$T", NULL},
    {BOTH, "insertelement $T %a, $E %element, i32 %index", "$T", NULL},
    {BOTH, "shufflevector $T %a, $T %b, $M", "$T", NULL},
    {BOTH, "shufflevector $T %a, $T poison, $Z", "$T", NULL},
    CALL1("vector.reverse", BOTH),
#define REDUCE(name)                                                      \
    {                                                                     \
        INTEGERS, "call $E @llvm.vector.reduce." name ".$N($T %a)", "$E", \
            "declare $E @llvm.vector.reduce." name ".$N($T)\n"            \
    }
    REDUCE("add"),
    REDUCE("mul"),
    REDUCE("and"),
    REDUCE("or"),
    REDUCE("xor"),
    REDUCE("smax"),
    REDUCE("smin"),
    REDUCE("umax"),
    REDUCE("umin"),
};

/* ---- the types ------------------------------------------------------------
 */

struct shape {
    const char *element; /* as LLVM writes it */
    unsigned bits;       /* of an element; 0: a pointer */
    bool is_float;
    unsigned lanes; /* 0: no vector */
};

static const unsigned integer_bits[] = {1, 8, 13, 32, 64, 128};
static const unsigned lane_counts[] = {3, 4, 16};

struct shapes {
    struct shape *at;
    size_t count;
};

static inline void add_shapes(struct shapes *shapes, const char *element,
                              unsigned bits, bool is_float)
{
    unsigned most = bits ? 512 / bits : 8;

    for (size_t i = 0; i <= sizeof lane_counts / sizeof *lane_counts; i++) {
        unsigned lanes = i ? lane_counts[i - 1] : 0;

        if (lanes > most)
            break;
        shapes->at =
            mem_realloc(shapes->at, (shapes->count + 1) * sizeof *shapes->at);
        shapes->at[shapes->count++] = (struct shape){
            .element = element,
            .bits = bits,
            .is_float = is_float,
            .lanes = lanes,
        };
    }
}

static inline void make_shapes(struct shapes *shapes)
{
    static char name[sizeof integer_bits / sizeof *integer_bits][8];

    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        snprintf(name[i], sizeof name[i], "i%u", integer_bits[i]);
        add_shapes(shapes, name[i], integer_bits[i], false);
    }
    add_shapes(shapes, "float", 32, true);
    add_shapes(shapes, "double", 64, true);
    add_shapes(shapes, "ptr", 0, false);
}

static inline bool fits(enum domain domain, const struct shape *shape)
{
    switch (domain) {
    case INTEGERS:
        return shape->bits && !shape->is_float;
    case FLOATS:
        return shape->is_float;
    case POINTERS:
        return !shape->bits;
    case BOTH:
    default:
        return true;
    }
}

/* ---- the text -------------------------------------------------------------
 */

static inline void add_type(struct buf *out, const char *element,
                            unsigned lanes)
{
    if (lanes)
        buf_add_format(out, "<%u x %s>", lanes, element);
    else
        buf_add_str(out, element);
}

/* As an intrinsic's name is spelt: v4i32, f64, p0. */
static inline void add_mangled(struct buf *out, const struct shape *shape)
{
    if (shape->lanes)
        buf_add_format(out, "v%u", shape->lanes);
    if (!shape->bits)
        buf_add_str(out, "p0");
    else
        buf_add_format(out, "%c%u", shape->is_float ? 'f' : 'i', shape->bits);
}

static inline void add_mask(struct buf *out, const struct shape *shape,
                            bool zero)
{
    buf_add_format(out, "<%u x i32> ", shape->lanes);
    for (unsigned i = 0; i < shape->lanes; i++)
        buf_add_format(out, "%si32 %u", i ? ", " : "<",
                       zero ? 0 : (i * 7 + 3) % (2 * shape->lanes));
    buf_add_str(out, ">");
}

static inline void expand(struct buf *out, const char *text,
                          const struct shape *shape)
{
    for (; *text; text++) {
        if (*text != '$') {
            buf_add_char(out, *text);
            continue;
        }
        switch (*++text) {
        case 'T':
            add_type(out, shape->element, shape->lanes);
            break;
        case 'I':
            add_type(out, "i1", shape->lanes);
            break;
        case 'E':
            buf_add_str(out, shape->element);
            break;
        case 'N':
            add_mangled(out, shape);
            break;
        case 'M':
        case 'Z':
            add_mask(out, shape, *text == 'Z');
            break;
        default:
            fail_msg("$%c", *text);
        }
    }
}
