/* The register side of a check that has used up its fuel (count.c). Keeps every
 * register: checks call it by LLVM's preserve_all convention. */
	.text
	.globl	__bout_refuel
	.type	__bout_refuel, @function
__bout_refuel:
	sub	sp, sp, #672
	stp	x0, x1, [sp, #0]
	stp	x2, x3, [sp, #16]
	stp	x4, x5, [sp, #32]
	stp	x6, x7, [sp, #48]
	stp	x8, x9, [sp, #64]
	stp	x10, x11, [sp, #80]
	stp	x12, x13, [sp, #96]
	stp	x14, x15, [sp, #112]
	stp	x16, x17, [sp, #128]
	stp	x29, x30, [sp, #144]
	stp	q0, q1, [sp, #160]
	stp	q2, q3, [sp, #192]
	stp	q4, q5, [sp, #224]
	stp	q6, q7, [sp, #256]
	stp	q8, q9, [sp, #288]
	stp	q10, q11, [sp, #320]
	stp	q12, q13, [sp, #352]
	stp	q14, q15, [sp, #384]
	stp	q16, q17, [sp, #416]
	stp	q18, q19, [sp, #448]
	stp	q20, q21, [sp, #480]
	stp	q22, q23, [sp, #512]
	stp	q24, q25, [sp, #544]
	stp	q26, q27, [sp, #576]
	stp	q28, q29, [sp, #608]
	stp	q30, q31, [sp, #640]
	mov	x0, x30			/* where the check is */
	bl	bot_refuel
	ldp	q0, q1, [sp, #160]
	ldp	q2, q3, [sp, #192]
	ldp	q4, q5, [sp, #224]
	ldp	q6, q7, [sp, #256]
	ldp	q8, q9, [sp, #288]
	ldp	q10, q11, [sp, #320]
	ldp	q12, q13, [sp, #352]
	ldp	q14, q15, [sp, #384]
	ldp	q16, q17, [sp, #416]
	ldp	q18, q19, [sp, #448]
	ldp	q20, q21, [sp, #480]
	ldp	q22, q23, [sp, #512]
	ldp	q24, q25, [sp, #544]
	ldp	q26, q27, [sp, #576]
	ldp	q28, q29, [sp, #608]
	ldp	q30, q31, [sp, #640]
	ldp	x29, x30, [sp, #144]
	ldp	x0, x1, [sp, #0]
	ldp	x2, x3, [sp, #16]
	ldp	x4, x5, [sp, #32]
	ldp	x6, x7, [sp, #48]
	ldp	x8, x9, [sp, #64]
	ldp	x10, x11, [sp, #80]
	ldp	x12, x13, [sp, #96]
	ldp	x14, x15, [sp, #112]
	ldp	x16, x17, [sp, #128]
	add	sp, sp, #672
	ret
	.size	__bout_refuel, . - __bout_refuel

	.section .note.GNU-stack,"",@progbits
