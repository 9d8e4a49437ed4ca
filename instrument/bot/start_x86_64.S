/* The entry of every bot's process: from the kernel's stack to the hidden
 * native stack (start.c), then into charged code with clean registers. */
	.globl	bot_hidden
	.set	bot_hidden, 0		/* offset from the FS base */

	.text
	.globl	__bout_start
	.type	__bout_start, @function
__bout_start:
	xorl	%ebp, %ebp
	andq	$-16, %rsp
	call	bot_prepare
	movq	%rax, %rsp
	call	bot_enter
	xorl	%eax, %eax
	xorl	%ebx, %ebx
	xorl	%ecx, %ecx
	xorl	%edx, %edx
	xorl	%esi, %esi
	xorl	%edi, %edi
	xorl	%r8d, %r8d
	xorl	%r9d, %r9d
	xorl	%r10d, %r10d
	xorl	%r11d, %r11d
	xorl	%r12d, %r12d
	xorl	%r13d, %r13d
	xorl	%r14d, %r14d
	xorl	%r15d, %r15d
	pxor	%xmm0, %xmm0
	pxor	%xmm1, %xmm1
	pxor	%xmm2, %xmm2
	pxor	%xmm3, %xmm3
	pxor	%xmm4, %xmm4
	pxor	%xmm5, %xmm5
	pxor	%xmm6, %xmm6
	pxor	%xmm7, %xmm7
	pxor	%xmm8, %xmm8
	pxor	%xmm9, %xmm9
	pxor	%xmm10, %xmm10
	pxor	%xmm11, %xmm11
	pxor	%xmm12, %xmm12
	pxor	%xmm13, %xmm13
	pxor	%xmm14, %xmm14
	pxor	%xmm15, %xmm15
	call	__bout_main
	xorl	%edi, %edi
	call	__bout_exit
	ud2
	.size	__bout_start, . - __bout_start
	/* The runtime's end: what follows is decoded from here by the scan. */
	.p2align 6

	.section .note.GNU-stack,"",@progbits
