/* kernel32: all that a bot's process calls of Windows; build.sh makes the
 * import library of what is declared here. `long` has 64 bits where this is
 * compiled: the bot's words, not Windows'. */
#pragma once

#include <stdint.h>

#define KERNEL32 __declspec(dllimport)

#define STD_INPUT_HANDLE ((uint32_t)-10)
#define STD_OUTPUT_HANDLE ((uint32_t)-11)
#define MEM_COMMIT 0x1000u
#define MEM_RESERVE 0x2000u
#define PAGE_NOACCESS 1u
#define PAGE_READWRITE 4u

#define EXCEPTION_BREAKPOINT 0x80000003u
#define EXCEPTION_ILLEGAL_INSTRUCTION 0xc000001du
#define EXCEPTION_INT_DIVIDE_BY_ZERO 0xc0000094u
#define EXCEPTION_INT_OVERFLOW 0xc0000095u

struct exception_record {
    uint32_t code;
    uint32_t flags;
    struct exception_record *next;
    uint64_t address; /* of the instruction */
    uint32_t count;
    uint64_t information[15]; /* of an access: what was tried, and where */
};

struct exception_pointers {
    struct exception_record *record;
    void *context;
};

typedef int exception_handler(struct exception_pointers *);

KERNEL32 void *AddVectoredExceptionHandler(uint32_t first, exception_handler *);
KERNEL32 _Noreturn void ExitProcess(uint32_t code);
KERNEL32 void *GetStdHandle(uint32_t which);
KERNEL32 int ReadFile(void *file, void *to, uint32_t bytes, uint32_t *done,
                      void *overlapped);
KERNEL32 void *VirtualAlloc(uint64_t address, uint64_t bytes, uint32_t type,
                            uint32_t protection);
KERNEL32 int WriteFile(void *file, const void *from, uint32_t bytes,
                       uint32_t *done, void *overlapped);
