/* The entry of every bot's process: from the kernel's stack to the hidden
 * native stack (start.c), then into charged code with clean registers. */
	.text
	.globl	__bout_start
	.type	__bout_start, @function
__bout_start:
	mov	x29, xzr
	mov	x30, xzr
	mov	x0, sp
	and	x0, x0, #-16
	mov	sp, x0
	bl	bot_prepare
	mov	sp, x0
	bl	bot_enter
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
	mov	x\n, xzr
	.endr
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	movi	v\n\().2d, #0
	.endr
	bl	__bout_main
	mov	w0, wzr
	bl	__bout_exit
	brk	#1
	.size	__bout_start, . - __bout_start
	.p2align 6

	.section .note.GNU-stack,"",@progbits
