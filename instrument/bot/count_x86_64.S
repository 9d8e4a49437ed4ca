/* The register side of a check that has used up its fuel (count.c). */
	.text
/* Keeps every register: checks call it by LLVM's preserve_all convention. */
	.globl	__bout_refuel
	.type	__bout_refuel, @function
__bout_refuel:
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	movq	64(%rsp), %rdi		/* where the check is */
	subq	$264, %rsp
	movups	%xmm0, (%rsp)
	movups	%xmm1, 16(%rsp)
	movups	%xmm2, 32(%rsp)
	movups	%xmm3, 48(%rsp)
	movups	%xmm4, 64(%rsp)
	movups	%xmm5, 80(%rsp)
	movups	%xmm6, 96(%rsp)
	movups	%xmm7, 112(%rsp)
	movups	%xmm8, 128(%rsp)
	movups	%xmm9, 144(%rsp)
	movups	%xmm10, 160(%rsp)
	movups	%xmm11, 176(%rsp)
	movups	%xmm12, 192(%rsp)
	movups	%xmm13, 208(%rsp)
	movups	%xmm14, 224(%rsp)
	movups	%xmm15, 240(%rsp)
	call	bot_refuel
	movups	(%rsp), %xmm0
	movups	16(%rsp), %xmm1
	movups	32(%rsp), %xmm2
	movups	48(%rsp), %xmm3
	movups	64(%rsp), %xmm4
	movups	80(%rsp), %xmm5
	movups	96(%rsp), %xmm6
	movups	112(%rsp), %xmm7
	movups	128(%rsp), %xmm8
	movups	144(%rsp), %xmm9
	movups	160(%rsp), %xmm10
	movups	176(%rsp), %xmm11
	movups	192(%rsp), %xmm12
	movups	208(%rsp), %xmm13
	movups	224(%rsp), %xmm14
	movups	240(%rsp), %xmm15
	addq	$264, %rsp
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%rcx
	popq	%rax
	ret
	.size	__bout_refuel, . - __bout_refuel

	.section .note.GNU-stack,"",@progbits
