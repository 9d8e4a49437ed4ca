/* Local variables to the linear stack, which lies in the bot's own memory at an
 * address that is equal everywhere; the native stack keeps return addresses and
 * spills, out of the bot's reach.
 *
 * At entry a function takes its frame from @__bout_stack_pointer, at least
 * PAGE_FRAME_MIN_BYTES if it calls anything, so that the linear stack always
 * overflows before the native one; before each exit it puts the old value back.
 * A new pointer below @__bout_stack_floor asks __bout_stack, which hands out
 * pages or stops.
 *
 * Both words are out of the bot's reach, so the pointer is always within
 * PAGE_STACK_MAX_BYTES below PAGE_STACK_TOP: frames are clamped to a little
 * over that, and no subtraction wraps around. The pointer is a multiple of 16.
 */
#include "instrument/bot/page.h"
#include "instrument/meter/ir.h"
#include "instrument/meter/lower.h"

#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <llvm-c/Target.h>

#include <string.h>

#define STACK_ALIGN 16u
/* Larger than any stack: asking for it stops. A multiple of 16. */
#define TOO_LARGE (PAGE_STACK_MAX_BYTES + STACK_ALIGN)

_Static_assert(PAGE_STACK_TOP > 4 * PAGE_STACK_MAX_BYTES,
               "a frame of up to twice TOO_LARGE does not wrap around");

/* One function on its way. */
struct frame {
    LLVMValueRef function;
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    struct ir_list fixed;   /* allocas of the entry block, of known size */
    struct ir_list dynamic; /* the others */
    struct ir_list saves;   /* llvm.stacksave, llvm.stackrestore */
    bool calls;
    uint64_t bytes;
    uint64_t align;
    LLVMValueRef old; /* the pointer at entry */
    LLVMValueRef new; /* after the fixed part was taken */
};

static void frame_release(struct frame *frame)
{
    ir_list_release(&frame->fixed);
    ir_list_release(&frame->dynamic);
    ir_list_release(&frame->saves);
    ir_builder_release(&frame->builder);
}
#define auto_frame __attribute__((cleanup(frame_release)))

static LLVMTypeRef word_type(const struct frame *frame)
{
    return LLVMInt64TypeInContext(frame->context);
}

static LLVMValueRef load_hidden(struct frame *frame, const char *name)
{
    return LLVMBuildLoad2(frame->builder, word_type(frame),
                          ir_hidden(frame->module, name), "");
}

static void store_pointer(struct frame *frame, LLVMValueRef value)
{
    LLVMBuildStore(frame->builder, value,
                   ir_hidden(frame->module, "__bout_stack_pointer"));
}

static LLVMValueRef at_offset(struct frame *frame, LLVMValueRef base,
                              uint64_t offset)
{
    LLVMValueRef index = ir_i64(frame->context, offset);

    if (offset == 0)
        return base;
    return LLVMBuildGEP2(frame->builder, LLVMInt8TypeInContext(frame->context),
                         base, &index, 1, "");
}

static bool is_native(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));

    return callee && !strncmp(ir_name(callee), "__bout_", 7) &&
           LLVMIsDeclaration(callee);
}

/* A native cannot call back: whoever calls natives alone is a leaf. */
static void add_call(struct frame *frame, LLVMValueRef call)
{
    const char *name = ir_intrinsic(call);

    if (!name)
        frame->calls |= !is_native(call);
    else if (ir_has_base(name, "llvm.stacksave") ||
             ir_has_base(name, "llvm.stackrestore"))
        ir_list_add(&frame->saves, call);
}

static void survey(struct frame *frame)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(frame->function);
    auto_ir_list struct ir_list all = {0};

    ir_instructions(frame->function, &all);
    for (size_t i = 0; i < all.count; i++) {
        LLVMValueRef inst = all.at[i];

        if (LLVMIsACallInst(inst))
            add_call(frame, inst);
        if (!LLVMIsAAllocaInst(inst))
            continue;
        bool fixed = LLVMGetInstructionParent(inst) == entry &&
                     LLVMIsAConstantInt(LLVMGetOperand(inst, 0));
        ir_list_add(fixed ? &frame->fixed : &frame->dynamic, inst);
    }
}

static uint64_t clamp_size(uint64_t bytes)
{
    return bytes < TOO_LARGE ? bytes : TOO_LARGE;
}

static uint64_t element_size(const struct frame *frame, LLVMValueRef alloca)
{
    return clamp_size(ir_size(frame->module, LLVMGetAllocatedType(alloca)));
}

static uint64_t fixed_size(const struct frame *frame, LLVMValueRef alloca)
{
    uint64_t count = LLVMConstIntGetZExtValue(LLVMGetOperand(alloca, 0));
    uint64_t bytes;

    if (__builtin_mul_overflow(count, element_size(frame, alloca), &bytes))
        return TOO_LARGE;
    return clamp_size(bytes);
}

/* LLVM's largest alignment, 2^32, does not fit the getter's type. */
static uint64_t alignment(LLVMValueRef alloca)
{
    unsigned align = LLVMGetAlignment(alloca);

    return align ? align : 1ull << 32;
}

/* Offsets of the fixed allocas, and the frame's size and alignment. */
static void lay_out(struct frame *frame, uint64_t *offsets)
{
    frame->align = STACK_ALIGN;
    for (size_t i = 0; i < frame->fixed.count; i++) {
        uint64_t align = alignment(frame->fixed.at[i]);

        if (align > frame->align)
            frame->align = align;
        frame->bytes = clamp_size((frame->bytes + align - 1) & ~(align - 1));
        offsets[i] = frame->bytes;
        frame->bytes =
            clamp_size(frame->bytes + fixed_size(frame, frame->fixed.at[i]));
    }
    if ((frame->calls || frame->dynamic.count) &&
        frame->bytes < PAGE_FRAME_MIN_BYTES)
        frame->bytes = PAGE_FRAME_MIN_BYTES;
    frame->bytes = (frame->bytes + STACK_ALIGN - 1) & ~(STACK_ALIGN - 1ull);
}

/* Rounds down to `align`, a power of two. */
static LLVMValueRef aligned_down(struct frame *frame, LLVMValueRef address,
                                 uint64_t align)
{
    if (align <= STACK_ALIGN)
        return address;
    return LLVMBuildAnd(frame->builder, address, ir_i64(frame->context, -align),
                        "");
}

/* Ends `head` by the floor check for the pointer `wanted`, which goes on to
 * `rest`, over the slow path where needed. */
static void check_floor(struct frame *frame, LLVMValueRef wanted,
                        LLVMBasicBlockRef rest)
{
    LLVMBasicBlockRef slow = ir_append_block(frame->function);
    LLVMValueRef location = LLVMGetFirstInstruction(rest);
    LLVMValueRef floor = load_hidden(frame, "__bout_stack_floor");
    LLVMValueRef is_below =
        LLVMBuildICmp(frame->builder, LLVMIntULT, wanted, floor, "");

    ir_set_unlikely(LLVMBuildCondBr(frame->builder, is_below, slow, rest));
    ir_at_end(frame->builder, slow, location);
    ir_call(frame->builder, "__bout_stack",
            LLVMVoidTypeInContext(frame->context), &wanted, 1);
    LLVMBuildBr(frame->builder, rest);
}

static void open_frame(struct frame *frame)
{
    LLVMBasicBlockRef body = LLVMGetEntryBasicBlock(frame->function);
    LLVMValueRef first = LLVMGetFirstInstruction(body);
    LLVMBasicBlockRef head = ir_split_before(first);

    ir_at_end(frame->builder, head, first);
    frame->old = load_hidden(frame, "__bout_stack_pointer");
    frame->new = LLVMBuildSub(frame->builder, frame->old,
                              ir_i64(frame->context, frame->bytes), "");
    frame->new = aligned_down(frame, frame->new, frame->align);
    check_floor(frame, frame->new, body);
    ir_at(frame->builder, first);
    store_pointer(frame, frame->new);
}

static void close_frame(struct frame *frame)
{
    auto_ir_list struct ir_list exits = {0};

    ir_exits(frame->function, &exits);
    for (size_t i = 0; i < exits.count; i++) {
        ir_at(frame->builder, exits.at[i]);
        store_pointer(frame, frame->old);
    }
}

/* At the builder, which stands behind the store of the new pointer. */
static void place_fixed(struct frame *frame, const uint64_t *offsets)
{
    LLVMValueRef base;

    if (!frame->fixed.count)
        return;
    base = LLVMBuildIntToPtr(frame->builder, frame->new, ir_ptr(frame->context),
                             "");
    for (size_t i = 0; i < frame->fixed.count; i++)
        LLVMReplaceAllUsesWith(frame->fixed.at[i],
                               at_offset(frame, base, offsets[i]));
    for (size_t i = 0; i < frame->fixed.count; i++)
        LLVMInstructionEraseFromParent(frame->fixed.at[i]);
}

/* The bytes that a dynamic alloca takes, a multiple of 16 below 2 * TOO_LARGE
 * whatever the count is: a huge or negative one becomes a little too large. */
static LLVMValueRef dynamic_size(struct frame *frame, LLVMValueRef alloca)
{
    LLVMBuilderRef b = frame->builder;
    uint64_t element = element_size(frame, alloca);
    LLVMValueRef most =
        ir_i64(frame->context, element ? TOO_LARGE / element + 1 : 0);
    LLVMValueRef count = LLVMBuildIntCast2(b, LLVMGetOperand(alloca, 0),
                                           word_type(frame), false, "");
    LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntULT, count, most, "");

    count = LLVMBuildSelect(b, fits, count, most, "");
    LLVMValueRef bytes =
        LLVMBuildMul(b, count, ir_i64(frame->context, element), "");
    bytes = LLVMBuildAdd(b, bytes, ir_i64(frame->context, STACK_ALIGN - 1), "");
    return LLVMBuildAnd(b, bytes,
                        ir_i64(frame->context, -(uint64_t)STACK_ALIGN), "");
}

static void place_dynamic(struct frame *frame, LLVMValueRef alloca)
{
    LLVMBasicBlockRef head = ir_split_before(alloca);
    LLVMBasicBlockRef rest = LLVMGetInstructionParent(alloca);

    ir_at_end(frame->builder, head, alloca);
    LLVMValueRef now = load_hidden(frame, "__bout_stack_pointer");
    LLVMValueRef wanted =
        LLVMBuildSub(frame->builder, now, dynamic_size(frame, alloca), "");
    wanted = aligned_down(frame, wanted, alignment(alloca));
    check_floor(frame, wanted, rest);
    ir_at(frame->builder, alloca);
    store_pointer(frame, wanted);
    ir_replace(alloca, LLVMBuildIntToPtr(frame->builder, wanted,
                                         ir_ptr(frame->context), ""));
}

static LLVMValueRef bound_by(struct frame *frame, const char *which,
                             LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeRef type = word_type(frame);
    LLVMValueRef both[] = {a, b};

    return ir_call_intrinsic(frame->builder, which, &type, 1, both, 2);
}

/* A restored value may have been kept in memory that the bot can write (code
 * without optimisation does): it is held between the pointer as it is and the
 * fixed part's, where an honest one lies. */
static void place_save(struct frame *frame, LLVMValueRef call)
{
    ir_at(frame->builder, call);
    LLVMValueRef now = load_hidden(frame, "__bout_stack_pointer");
    if (ir_has_base(ir_intrinsic(call), "llvm.stacksave")) {
        ir_replace(call, LLVMBuildIntToPtr(frame->builder, now,
                                           ir_ptr(frame->context), ""));
        return;
    }
    LLVMValueRef wanted = LLVMBuildPtrToInt(
        frame->builder, LLVMGetOperand(call, 0), word_type(frame), "");
    wanted = bound_by(frame, "llvm.umax", wanted, now);
    wanted = bound_by(frame, "llvm.umin", wanted, frame->new);
    wanted = LLVMBuildAnd(frame->builder, wanted,
                          ir_i64(frame->context, -(uint64_t)STACK_ALIGN), "");
    store_pointer(frame, wanted);
    LLVMInstructionEraseFromParent(call);
}

static void lower_frame(LLVMModuleRef module, LLVMValueRef function)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    auto_frame struct frame frame = {
        .function = function,
        .module = module,
        .context = context,
        .builder = LLVMCreateBuilderInContext(context),
    };

    survey(&frame);
    auto_free uint64_t *offsets =
        mem_calloc(frame.fixed.count + 1, sizeof *offsets);
    lay_out(&frame, offsets);
    if (!frame.bytes && !frame.fixed.count && !frame.saves.count)
        return;
    open_frame(&frame);
    place_fixed(&frame, offsets);
    close_frame(&frame);
    for (size_t i = 0; i < frame.dynamic.count; i++)
        place_dynamic(&frame, frame.dynamic.at[i]);
    for (size_t i = 0; i < frame.saves.count; i++)
        place_save(&frame, frame.saves.at[i]);
}

/* Arguments by value: the caller copies into a variable of its own. */
static void copy_arguments(LLVMBuilderRef builder, LLVMValueRef call)
{
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    unsigned align = LLVMGetEnumAttributeKindForName("align", 5);

    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMAttributeRef by_value =
            LLVMGetCallSiteEnumAttribute(call, i + 1, byval);
        LLVMAttributeRef aligned =
            LLVMGetCallSiteEnumAttribute(call, i + 1, align);

        if (!by_value)
            continue;
        LLVMTypeRef type = LLVMGetTypeAttributeValue(by_value);
        uint64_t bytes = ir_size(ir_module_of(call), type);
        unsigned at_least =
            aligned ? (unsigned)LLVMGetEnumAttributeValue(aligned) : 0;
        LLVMValueRef copy =
            ir_entry_alloca(ir_function_of(call), type,
                            at_least > STACK_ALIGN ? at_least : STACK_ALIGN);

        ir_at(builder, call);
        LLVMBuildMemCpy(builder, copy, 1, LLVMGetOperand(call, i), 1,
                        ir_i64(ir_context_of(call), bytes));
        LLVMSetOperand(call, i, copy);
        LLVMRemoveCallSiteEnumAttribute(call, i + 1, byval);
    }
}

static void lower_by_value(LLVMModuleRef module)
{
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    auto_ir_list struct ir_list all = {0};
    auto_ir_builder LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    ir_module_instructions(module, &all);
    for (size_t i = 0; i < all.count; i++) {
        if (LLVMIsACallInst(all.at[i]))
            copy_arguments(builder, all.at[i]);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
         f = LLVMGetNextFunction(f)) {
        for (unsigned i = 1; i <= LLVMCountParams(f); i++)
            LLVMRemoveEnumAttributeAtIndex(f, i, byval);
    }
}

int lower_stack(LLVMModuleRef module, struct err *err)
{
    auto_ir_list struct ir_list functions = {0};

    (void)err;
    lower_by_value(module);
    ir_bodies(module, &functions);
    for (size_t i = 0; i < functions.count; i++)
        lower_frame(module, functions.at[i]);
    return 0;
}
