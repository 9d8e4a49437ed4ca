/* The register side of setjmp and longjmp (jump.c). The entry in hidden memory
 * is at %fs:(%rax); its words are those of struct page_jump. */
	.text
	.globl	__bout_setjmp
	.type	__bout_setjmp, @function
__bout_setjmp:				/* (rdi: env) -> 0 */
	leaq	8(%rsp), %rsi		/* the stack pointer after our return */
	subq	$8, %rsp
	call	bot_jump_take
	addq	$8, %rsp
	leaq	8(%rsp), %rcx
	movq	%rcx, %fs:16(%rax)
	movq	(%rsp), %rcx
	movq	%rcx, %fs:24(%rax)
	movq	%rbx, %fs:32(%rax)
	movq	%rbp, %fs:40(%rax)
	movq	%r12, %fs:48(%rax)
	movq	%r13, %fs:56(%rax)
	movq	%r14, %fs:64(%rax)
	movq	%r15, %fs:72(%rax)
	xorl	%ecx, %ecx
	xorl	%esi, %esi
	xorl	%eax, %eax
	ret
	.size	__bout_setjmp, . - __bout_setjmp

	.globl	__bout_longjmp
	.type	__bout_longjmp, @function
__bout_longjmp:				/* (rdi: env, esi: value) */
	movl	%esi, %ebx		/* ours: the caller is not returned to */
	movq	(%rsp), %rsi
	subq	$8, %rsp
	call	bot_jump_find
	movq	%rax, %rdx
	movl	%ebx, %eax
	testl	%eax, %eax
	jnz	1f
	incl	%eax
1:	movq	%fs:32(%rdx), %rbx
	movq	%fs:40(%rdx), %rbp
	movq	%fs:48(%rdx), %r12
	movq	%fs:56(%rdx), %r13
	movq	%fs:64(%rdx), %r14
	movq	%fs:72(%rdx), %r15
	movq	%fs:16(%rdx), %rsp
	movq	%fs:24(%rdx), %rcx
	xorl	%edx, %edx
	xorl	%esi, %esi
	jmp	*%rcx
	.size	__bout_longjmp, . - __bout_longjmp

	.section .note.GNU-stack,"",@progbits
