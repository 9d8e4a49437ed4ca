/* The classic scheme, for comparison alone: before the optimiser, a call of
 * IncrementCount before each terminator, with the number of the block's
 * instructions. What is declared elsewhere is not counted.
 *
 *     pass IN.bc OUT.bc
 */
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>
#include <stdio.h>

static void count_block(LLVMBasicBlockRef block, LLVMBuilderRef builder,
                        LLVMTypeRef type, LLVMValueRef increment)
{
    unsigned long long count = 0;

    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
         at = LLVMGetNextInstruction(at))
        count++;
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(block));
    LLVMValueRef amount = LLVMConstInt(
        LLVMInt64TypeInContext(LLVMGetTypeContext(type)), count, 0);
    LLVMBuildCall2(builder, type, increment, &amount, 1, "");
}

int main(int argc, char **argv)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMMemoryBufferRef memory;
    LLVMModuleRef module;
    char *message = NULL;

    if (argc != 3 ||
        LLVMCreateMemoryBufferWithContentsOfFile(argv[1], &memory, &message) ||
        LLVMParseBitcodeInContext2(context, memory, &module)) {
        fprintf(stderr, "pass: %s\n", message ? message : "usage, or bitcode");
        return 1;
    }
    LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
    LLVMTypeRef type =
        LLVMFunctionType(LLVMVoidTypeInContext(context), &i64, 1, 0);
    LLVMValueRef increment = LLVMGetNamedFunction(module, "IncrementCount");
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);

    if (!increment)
        increment = LLVMAddFunction(module, "IncrementCount", type);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
             block = LLVMGetNextBasicBlock(block))
            count_block(block, builder, type, increment);
    return LLVMWriteBitcodeToFile(module, argv[2]) != 0;
}
