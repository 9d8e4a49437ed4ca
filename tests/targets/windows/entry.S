/* The register side of the runtime under Windows: start_x86_64.S,
 * count_x86_64.S and jump_x86_64.S of instrument/bot in Windows' calling
 * convention: arguments in rcx and rdx, 32 bytes of room for the callee, rsi, rdi
 * and xmm6 to xmm15 kept too. */
#include "instrument/meter/windows.h"

	.text
	.globl	__bout_start
__bout_start:
	xorl	%ebp, %ebp
	andq	$-16, %rsp
	subq	$32, %rsp
	call	bot_prepare
	leaq	-32(%rax), %rsp
	call	bot_enter
	call	__bout_main
	xorl	%ecx, %ecx
	call	__bout_exit
	ud2

/* Keeps every register: checks call it by LLVM's preserve_all convention. */
	.globl	__bout_refuel
__bout_refuel:
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	pushq	%r8
	pushq	%r9
	pushq	%r10
	movq	48(%rsp), %rcx		/* where the check is */
	subq	$136, %rsp
	movups	%xmm0, 32(%rsp)
	movups	%xmm1, 48(%rsp)
	movups	%xmm2, 64(%rsp)
	movups	%xmm3, 80(%rsp)
	movups	%xmm4, 96(%rsp)
	movups	%xmm5, 112(%rsp)
	call	bot_refuel
	movups	32(%rsp), %xmm0
	movups	48(%rsp), %xmm1
	movups	64(%rsp), %xmm2
	movups	80(%rsp), %xmm3
	movups	96(%rsp), %xmm4
	movups	112(%rsp), %xmm5
	addq	$136, %rsp
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdx
	popq	%rcx
	popq	%rax
	ret

/* r8: the entry (struct page_jump); r9: room for ten vectors of the same index,
 * which the entry has not. */
	.macro	find_entry
	leaq	WINDOWS_HIDDEN_ADDRESS(%rax), %r8
	movzwl	(%r8), %eax		/* the ticket's index */
	imulq	$160, %rax, %rax
	leaq	jump_vectors(%rip), %r9
	addq	%rax, %r9
	.endm

	.globl	__bout_setjmp
__bout_setjmp:				/* (rcx: env) -> 0 */
	leaq	8(%rsp), %rdx		/* the stack pointer after our return */
	subq	$40, %rsp
	call	bot_jump_take
	addq	$40, %rsp
	find_entry
	leaq	8(%rsp), %rcx
	movq	%rcx, 16(%r8)
	movq	(%rsp), %rcx
	movq	%rcx, 24(%r8)
	movq	%rbx, 32(%r8)
	movq	%rbp, 40(%r8)
	movq	%r12, 48(%r8)
	movq	%r13, 56(%r8)
	movq	%r14, 64(%r8)
	movq	%r15, 72(%r8)
	movq	%rsi, 80(%r8)
	movq	%rdi, 88(%r8)
	movups	%xmm6, (%r9)
	movups	%xmm7, 16(%r9)
	movups	%xmm8, 32(%r9)
	movups	%xmm9, 48(%r9)
	movups	%xmm10, 64(%r9)
	movups	%xmm11, 80(%r9)
	movups	%xmm12, 96(%r9)
	movups	%xmm13, 112(%r9)
	movups	%xmm14, 128(%r9)
	movups	%xmm15, 144(%r9)
	xorl	%eax, %eax
	ret

	.globl	__bout_longjmp
__bout_longjmp:				/* (rcx: env, edx: value) */
	movl	%edx, %ebx		/* ours: the caller is not returned to */
	movq	(%rsp), %rdx
	subq	$40, %rsp
	call	bot_jump_find
	find_entry
	movl	%ebx, %eax
	testl	%eax, %eax
	jnz	1f
	incl	%eax
1:	movq	32(%r8), %rbx
	movq	40(%r8), %rbp
	movq	48(%r8), %r12
	movq	56(%r8), %r13
	movq	64(%r8), %r14
	movq	72(%r8), %r15
	movq	80(%r8), %rsi
	movq	88(%r8), %rdi
	movups	(%r9), %xmm6
	movups	16(%r9), %xmm7
	movups	32(%r9), %xmm8
	movups	48(%r9), %xmm9
	movups	64(%r9), %xmm10
	movups	80(%r9), %xmm11
	movups	96(%r9), %xmm12
	movups	112(%r9), %xmm13
	movups	128(%r9), %xmm14
	movups	144(%r9), %xmm15
	movq	16(%r8), %rsp
	jmpq	*24(%r8)

/* Code generation asks for it before a large frame; the whole stack is there. */
	.globl	__chkstk
__chkstk:
	ret

/* It says that there are floating-point numbers; nobody reads it. */
	.globl	_fltused
	.set	_fltused, 1

	.bss
	.p2align 4
jump_vectors:
	.zero	65536 * 160		/* PAGE_JUMP_MAX entries */
