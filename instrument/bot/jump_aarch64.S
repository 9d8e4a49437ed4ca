/* The register side of setjmp and longjmp (jump.c). The entry in hidden memory
 * is x0 bytes after the thread register; its words are those of struct
 * page_jump. */
	.text
	.globl	__bout_setjmp
	.type	__bout_setjmp, @function
__bout_setjmp:				/* (x0: env) -> 0 */
	mov	x1, sp			/* the stack pointer after our return */
	stp	x29, x30, [sp, #-16]!
	bl	bot_jump_take
	ldp	x29, x30, [sp], #16
	mrs	x9, tpidr_el0
	add	x9, x9, x0
	mov	x10, sp
	stp	x10, x30, [x9, #16]
	stp	x19, x20, [x9, #32]
	stp	x21, x22, [x9, #48]
	stp	x23, x24, [x9, #64]
	stp	x25, x26, [x9, #80]
	stp	x27, x28, [x9, #96]
	str	x29, [x9, #112]
	stp	d8, d9, [x9, #120]
	stp	d10, d11, [x9, #136]
	stp	d12, d13, [x9, #152]
	stp	d14, d15, [x9, #168]
	mov	x9, xzr
	mov	x10, xzr
	mov	x1, xzr
	mov	w0, wzr
	ret
	.size	__bout_setjmp, . - __bout_setjmp

	.globl	__bout_longjmp
	.type	__bout_longjmp, @function
__bout_longjmp:				/* (x0: env, w1: value) */
	mov	w19, w1			/* ours: the caller is not returned to */
	mov	x1, x30
	bl	bot_jump_find
	mrs	x9, tpidr_el0
	add	x9, x9, x0
	cmp	w19, #0
	csinc	w0, w19, wzr, ne	/* 0 becomes 1 */
	ldp	x10, x30, [x9, #16]
	ldp	x19, x20, [x9, #32]
	ldp	x21, x22, [x9, #48]
	ldp	x23, x24, [x9, #64]
	ldp	x25, x26, [x9, #80]
	ldp	x27, x28, [x9, #96]
	ldr	x29, [x9, #112]
	ldp	d8, d9, [x9, #120]
	ldp	d10, d11, [x9, #136]
	ldp	d12, d13, [x9, #152]
	ldp	d14, d15, [x9, #168]
	mov	sp, x10
	mov	x9, xzr
	mov	x10, xzr
	mov	x1, xzr
	ret
	.size	__bout_longjmp, . - __bout_longjmp

	.section .note.GNU-stack,"",@progbits
