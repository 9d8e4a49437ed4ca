/* No charge stands for more than 8 machine instructions a unit (contract 2.4):
 * every operation that a lowered module may hold, on every kind of type, is
 * generated for both targets and its instructions are counted. What calls a
 * function of the library is charged there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "instrument/meter/bulk.h"
#include "instrument/meter/charge.h"
#include "instrument/meter/emit.h"
#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"
#include "instrument/meter/module.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include "tests/unit/meter_text.h"

#include <llvm-c/Disassembler.h>
#include <llvm-c/Object.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <unistd.h>

#define PRICE_MACHINE_MAX 8u

/* A machine needs these however little is done: a constant that is stored in
 * the function that is compared with may be found cheaper than a result. */
#define PRICE_SLACK 2u

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

static const struct operation OPERATIONS[] = {
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
static const struct operation VECTOR_OPERATIONS[] = {
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

static const unsigned INTEGER_BITS[] = {1, 8, 13, 32, 64, 128};
static const unsigned LANES[] = {3, 4, 16};

struct shapes {
    struct shape *at;
    size_t count;
};

static void add_shapes(struct shapes *shapes, const char *element,
                       unsigned bits, bool is_float)
{
    unsigned most = bits ? 512 / bits : 8;

    for (size_t i = 0; i <= sizeof LANES / sizeof *LANES; i++) {
        unsigned lanes = i ? LANES[i - 1] : 0;

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

static void make_shapes(struct shapes *shapes)
{
    static char name[sizeof INTEGER_BITS / sizeof *INTEGER_BITS][8];

    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        snprintf(name[i], sizeof name[i], "i%u", INTEGER_BITS[i]);
        add_shapes(shapes, name[i], INTEGER_BITS[i], false);
    }
    add_shapes(shapes, "float", 32, true);
    add_shapes(shapes, "double", 64, true);
    add_shapes(shapes, "ptr", 0, false);
}

static bool fits(enum domain domain, const struct shape *shape)
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

static void add_type(struct buf *out, const char *element, unsigned lanes)
{
    if (lanes)
        buf_add_format(out, "<%u x %s>", lanes, element);
    else
        buf_add_str(out, element);
}

/* As an intrinsic's name is spelt: v4i32, f64, p0. */
static void add_mangled(struct buf *out, const struct shape *shape)
{
    if (shape->lanes)
        buf_add_format(out, "v%u", shape->lanes);
    if (!shape->bits)
        buf_add_str(out, "p0");
    else
        buf_add_format(out, "%c%u", shape->is_float ? 'f' : 'i', shape->bits);
}

static void add_mask(struct buf *out, const struct shape *shape, bool zero)
{
    buf_add_format(out, "<%u x i32> ", shape->lanes);
    for (unsigned i = 0; i < shape->lanes; i++)
        buf_add_format(out, "%si32 %u", i ? ", " : "<",
                       zero ? 0 : (i * 7 + 3) % (2 * shape->lanes));
    buf_add_str(out, ">");
}

static void expand(struct buf *out, const char *text, const struct shape *shape)
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

/* One thing that is measured: function pN with it, qN without. */
struct probe {
    char *text; /* for people */
    uint64_t charge[2];
    uint64_t machine[2];
};

struct probes {
    struct probe *at;
    size_t count;
    struct buf text; /* the module */
    struct buf declared;
};

static void declare_once(struct probes *probes, const char *line)
{
    if (!probes->declared.data || !strstr(probes->declared.data, line))
        buf_add_str(&probes->declared, line);
}

/* What an operation may name. */
static const struct operand {
    const char *name;
    const char *type;
    const char *from;
} OPERANDS[] = {
    {"%a", "$T", "%p"},      {"%b", "$T", "%q"},       {"%c", "$T", "%r"},
    {"%lanes", "$I", "%q"},  {"%element", "$E", "%r"}, {"%cond", "i1", "%q"},
    {"%index", "i32", "%p"}, {"%word", "i64", "%p"},
};

/* The operation on values from memory, or the same without it. Lanes are packed
 * in memory, so vectors are stored again, that their unpacking is in both;
 * their result's packing is paid for by its store, which only the first has. */
static void add_function(struct probes *probes, const struct shape *shape,
                         const char *text, const char *result, bool with)
{
    struct buf *out = &probes->text;

    buf_add_format(out, "define void @%c%zu(ptr %%p, ptr %%q, ptr %%r) {\n",
                   with ? 'p' : 'q', probes->count);
    for (size_t i = 0; i < sizeof OPERANDS / sizeof *OPERANDS; i++) {
        if (!strstr(text, OPERANDS[i].name))
            continue;
        buf_add_format(out, "  %s = load volatile ", OPERANDS[i].name);
        expand(out, OPERANDS[i].type, shape);
        buf_add_format(out, ", ptr %s\n", OPERANDS[i].from);
        if (shape->lanes) {
            buf_add_str(out, "  store volatile ");
            expand(out, OPERANDS[i].type, shape);
            buf_add_format(out, " %s, ptr %%q\n", OPERANDS[i].name);
        }
    }
    if (with) {
        buf_add_str(out, "  %x = ");
        expand(out, text, shape);
    }
    if (with || !shape->lanes) {
        buf_add_str(out, "\n  store volatile ");
        expand(out, result, shape);
        buf_add_str(out, with ? " %x" : " zeroinitializer");
        buf_add_str(out, ", ptr %r");
    }
    buf_add_str(out, "\n  ret void\n}\n");
}

static void add_probe(struct probes *probes, const struct shape *shape,
                      const char *text, const char *result, const char *declare)
{
    auto_buf struct buf shown = {0};
    auto_buf struct buf line = {0};

    add_function(probes, shape, text, result, true);
    add_function(probes, shape, text, result, false);
    expand(&shown, text, shape);
    if (declare) {
        expand(&line, declare, shape);
        declare_once(probes, line.data);
    }
    probes->at =
        mem_realloc(probes->at, (probes->count + 1) * sizeof *probes->at);
    probes->at[probes->count++] = (struct probe){.text = buf_take(&shown)};
}

/* bswap wants whole pairs of bytes; a compare's result two bits; atomics whole
 * bytes, and no vector. */
static bool is_possible(const struct operation *operation,
                        const struct shape *shape)
{
    bool is_atomic =
        strstr(operation->text, "atomic") || strstr(operation->text, "cmpxchg");

    if (strstr(operation->text, "bswap") && shape->bits % 16)
        return false;
    if (strstr(operation->text, "cmp.$N") && shape->bits < 2)
        return false;
    if (is_atomic && (shape->lanes || shape->bits < 8 ||
                      (shape->bits & (shape->bits - 1)) || shape->bits > 128))
        return false;
    if (strstr(operation->text, "ptrmask") ||
        strstr(operation->text, "ptrtoint"))
        return !shape->lanes;
    return true;
}

static void add_operations(struct probes *probes, const struct shape *shape,
                           const struct operation *operation, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fits(operation[i].domain, shape) &&
            is_possible(&operation[i], shape))
            add_probe(probes, shape, operation[i].text, operation[i].result,
                      operation[i].declare);
}

static void add_cast(struct probes *probes, const char *name,
                     const struct shape *from, const struct shape *to)
{
    auto_buf struct buf result = {0};
    auto_free char *text = NULL;

    add_type(&result, to->element, to->lanes);
    text = mem_format("%s $T %%a to %s", name, result.data);
    add_probe(probes, from, text, result.data, NULL);
}

/* Every conversion there is between two shapes of equally many lanes. */
static void add_casts(struct probes *probes, const struct shape *from,
                      const struct shape *to)
{
    if (from->lanes != to->lanes || !from->bits || !to->bits)
        return;
    if (from->is_float && to->is_float) {
        if (from->bits != to->bits)
            add_cast(probes, from->bits < to->bits ? "fpext" : "fptrunc", from,
                     to);
    } else if (from->is_float) {
        add_cast(probes, "fptosi", from, to);
        add_cast(probes, "fptoui", from, to);
    } else if (to->is_float) {
        add_cast(probes, "sitofp", from, to);
        add_cast(probes, "uitofp", from, to);
    } else if (from->bits < to->bits) {
        add_cast(probes, "zext", from, to);
        add_cast(probes, "sext", from, to);
    } else if (from->bits > to->bits) {
        add_cast(probes, "trunc", from, to);
    }
    if (from->is_float != to->is_float && from->bits == to->bits)
        add_cast(probes, "bitcast", from, to);
}

static void make_probes(struct probes *probes, const struct shapes *shapes)
{
    for (size_t i = 0; i < shapes->count; i++) {
        const struct shape *shape = &shapes->at[i];

        add_operations(probes, shape, OPERATIONS,
                       sizeof OPERATIONS / sizeof *OPERATIONS);
        if (shape->lanes)
            add_operations(probes, shape, VECTOR_OPERATIONS,
                           sizeof VECTOR_OPERATIONS /
                               sizeof *VECTOR_OPERATIONS);
        for (size_t k = 0; k < shapes->count; k++)
            add_casts(probes, shape, &shapes->at[k]);
    }
}

static void release_probes(struct probes *probes)
{
    for (size_t i = 0; i < probes->count; i++)
        free(probes->at[i].text);
    free(probes->at);
    buf_release(&probes->text);
    buf_release(&probes->declared);
}

/* ---- measuring ------------------------------------------------------------
 */

static uint64_t charge_function(const struct charge *charge,
                                LLVMValueRef function)
{
    auto_ir_list struct ir_list all = {0};
    uint64_t sum = 0;

    ir_instructions(function, &all);
    for (size_t i = 0; i < all.count; i++)
        sum += charge_instruction(charge, all.at[i]);
    return sum;
}

static void charge_probes(struct probes *probes, LLVMModuleRef module)
{
    struct charge charge;
    char name[32];

    charge_init(&charge, module);
    for (size_t i = 0; i < 2 * probes->count; i++) {
        snprintf(name, sizeof name, "%c%zu", i % 2 ? 'q' : 'p', i / 2);
        probes->at[i / 2].charge[i % 2] =
            charge_function(&charge, LLVMGetNamedFunction(module, name));
    }
}

static LLVMDisasmContextRef open_decoder(const char *target)
{
    auto_free char *triple = mem_format("%s-unknown-linux-musl", target);

    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86Disassembler();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64Disassembler();
    return LLVMCreateDisasm(triple, NULL, 0, NULL, NULL);
}

static uint64_t count_code(LLVMDisasmContextRef decoder, const uint8_t *code,
                           uint64_t size)
{
    uint64_t count = 0;
    char text[8];

    for (uint64_t at = 0; at < size; count++) {
        uint8_t copy[16];
        size_t left = size - at < 15 ? size - at : 15;

        memcpy(copy, code + at, left);
        size_t bytes =
            LLVMDisasmInstruction(decoder, copy, left, at, text, sizeof text);
        if (!bytes)
            fail_msg("no instruction at %llu", (unsigned long long)at);
        at += bytes;
    }
    return count;
}

/* A symbol that the module did not name is a routine that code generation calls
 * behind our back; the three of memory are natives, and priced. */
static void check_symbol(LLVMModuleRef module, const char *name)
{
    if (*name && *name != '.' && *name != '$' && !strstr(name, ".c") &&
        strcmp(name, "memcpy") && strcmp(name, "memset") &&
        strcmp(name, "memmove") && strcmp(name, "text") &&
        !LLVMGetNamedFunction(module, name) &&
        !LLVMGetNamedGlobal(module, name))
        fail_msg("code generation calls %s", name);
}

static void measure_object(struct probes *probes, LLVMModuleRef module,
                           const char *target, const char *path)
{
    LLVMDisasmContextRef decoder = open_decoder(target);
    LLVMMemoryBufferRef buffer = NULL;
    char *why = NULL;

    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &why))
        fail_msg("%s", why);
    LLVMBinaryRef object =
        LLVMCreateBinary(buffer, LLVMGetModuleContext(module), &why);
    if (!object)
        fail_msg("%s", why);
    LLVMSymbolIteratorRef symbol = LLVMObjectFileCopySymbolIterator(object);
    LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(object);
    for (; !LLVMObjectFileIsSymbolIteratorAtEnd(object, symbol);
         LLVMMoveToNextSymbol(symbol)) {
        const char *name = LLVMGetSymbolName(symbol);

        check_symbol(module, name);
        if (*name != 'p' && *name != 'q')
            continue;
        LLVMMoveToContainingSection(section, symbol);
        const char *code = LLVMGetSectionContents(section);
        probes->at[strtoul(name + 1, NULL, 10)].machine[*name == 'q'] =
            count_code(decoder,
                       (const uint8_t *)code + LLVMGetSymbolAddress(symbol),
                       LLVMGetSymbolSize(symbol));
    }
    LLVMDisposeSectionIterator(section);
    LLVMDisposeSymbolIterator(symbol);
    LLVMDisposeBinary(object);
    LLVMDisposeMemoryBuffer(buffer);
    LLVMDisasmDispose(decoder);
}

/* How many probes are under their price. */
static size_t judge(const struct probes *probes, const char *target)
{
    size_t wrong = 0;

    for (size_t i = 0; i < probes->count; i++) {
        const struct probe *probe = &probes->at[i];
        uint64_t charge = probe->charge[0] - probe->charge[1];
        uint64_t machine = probe->machine[0] < probe->machine[1]
                               ? 0
                               : probe->machine[0] - probe->machine[1];

        assert_true(probe->machine[0] && probe->machine[1]);
        if (machine <= PRICE_MACHINE_MAX * charge + PRICE_SLACK)
            continue;
        wrong++;
        print_message("%s: %s: %llu instructions, charged %llu\n", target,
                      probe->text, (unsigned long long)machine,
                      (unsigned long long)charge);
    }
    return wrong;
}

static size_t measure(struct probes *probes, LLVMModuleRef module,
                      const char *target)
{
    auto_module LLVMModuleRef code = LLVMCloneModule(module);
    const struct emit_spec spec = {.target = target};
    char path[] = "/tmp/bout-price.XXXXXX";
    auto_fd int fd = mkstemp(path);
    struct err err = {0};

    assert_true(fd >= 0);
    if (emit_object(code, &spec, path, &err) < 0)
        fail_msg("%s: %s", target, err.msg);
    measure_object(probes, code, target, path);
    unlink(path);
    return judge(probes, target);
}

static void test_no_charge_stands_for_more_than_eight_instructions(void **state)
{
    auto_module_context LLVMContextRef context = module_context_new();
    struct probes probes = {0};
    struct shapes shapes = {0};
    struct err err = {0};

    (void)state;
    make_shapes(&shapes);
    make_probes(&probes, &shapes);
    buf_add(&probes.text, probes.declared.data, probes.declared.size);
    auto_module LLVMModuleRef module = meter_parse(context, probes.text.data);
    if (lower_all(module, false, &err) < 0 ||
        module_run(module, "simplifycfg", &err) < 0)
        fail_msg("%s", err.msg);
    charge_probes(&probes, module);
    size_t wrong = measure(&probes, module, "x86_64") +
                   measure(&probes, module, "aarch64");
    print_message("%zu operations\n", probes.count);
    assert_true(probes.count > 1000);
    assert_int_equal(0, wrong);
    free(shapes.at);
    release_probes(&probes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_no_charge_stands_for_more_than_eight_instructions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
