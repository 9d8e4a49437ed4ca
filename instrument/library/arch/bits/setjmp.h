/* setjmp: the first word holds a ticket; the registers stay out of reach. */
typedef long __jmp_buf[32];
