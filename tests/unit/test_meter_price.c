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

#include "tests/unit/meter_operation.h"
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
} operands[] = {
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
    for (size_t i = 0; i < sizeof operands / sizeof *operands; i++) {
        if (!strstr(text, operands[i].name))
            continue;
        buf_add_format(out, "  %s = load volatile ", operands[i].name);
        expand(out, operands[i].type, shape);
        buf_add_format(out, ", ptr %s\n", operands[i].from);
        if (shape->lanes) {
            buf_add_str(out, "  store volatile ");
            expand(out, operands[i].type, shape);
            buf_add_format(out, " %s, ptr %%q\n", operands[i].name);
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

        add_operations(probes, shape, operations,
                       sizeof operations / sizeof *operations);
        if (shape->lanes)
            add_operations(probes, shape, vector_operations,
                           sizeof vector_operations /
                               sizeof *vector_operations);
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
        strcmp(name, "memcpy") != 0 && strcmp(name, "memset") != 0 &&
        strcmp(name, "memmove") != 0 && strcmp(name, "text") != 0 &&
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
