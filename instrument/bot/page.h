/* page: what a bot's process and its runner share, and where a bot's memory is.
 *
 * One memfd a bot and match holds, in this order:
 *
 *     struct page_io      4 KiB   mapped in the bot at PAGE_IO_ADDRESS
 *     view area           view_bytes, rounded up to 4 KiB  (runner -> bot)
 *     reply area          reply_bytes, rounded up          (bot -> runner)
 *     log area            log_bytes, rounded up            (bot -> runner)
 *     struct page_hidden  4 KiB   mapped at a random address, in GS base only
 *     counters            8 bytes each, rounded up
 *
 * Everything up to the log area can be written by the bot at any time: the
 * runner reads each word once, clamps it, copies, and trusts nothing. The
 * hidden part is reached by `%gs:` operands of charged code and of the trusted
 * runtime alone; no word that the bot can read holds its address.
 *
 * Turn order (all words are 32 bits; futex(2), shared, never private):
 *     runner  writes the view, sets hidden.remaining, stores `request` = n,
 *             FUTEX_WAKE(request)
 *     bot     runs; when it wants more input than it was given, or ends, stores
 *             phase, sizes, then `answer` = n, FUTEX_WAKE(answer), and waits
 *             for `request` to change
 * Turn 0 needs no request: it runs from PAGE_READY on.
 *
 * This header is C for both sides and includes nothing of ours.
 */
#pragma once

#include <stdint.h>

#define PAGE_BYTES 4096u

/* The bot's address space: equal on every host and target. */
#define PAGE_TEXT_ADDRESS 0x400000u       /* executable: code, function table */
#define PAGE_DATA_ADDRESS 0x40000000u     /* all data, laid out by bout-meter */
#define PAGE_DATA_MAX_BYTES 0x40000000u   /* 1 GiB */
#define PAGE_IO_ADDRESS 0x800000000u      /* 32 GiB: struct page_io and areas */
#define PAGE_HEAP_ADDRESS 0x1000000000u   /* 64 GiB, grows up */
#define PAGE_STACK_TOP 0x2000000000u      /* 128 GiB, linear stack, grows down */
#define PAGE_HEAP_MAX_BYTES 0x800000000u  /* 32 GiB */
#define PAGE_STACK_MAX_BYTES 0x400000000u /* 16 GiB */

/* A call takes at least this much linear stack, and native frames hold spills
 * only (at most 4 KiB), so the linear stack always overflows first. */
#define PAGE_FRAME_MIN_BYTES 32u
#define PAGE_NATIVE_STACK_BYTES(stack_bytes)                                   \
    ((stack_bytes) / PAGE_FRAME_MIN_BYTES * PAGE_BYTES + 0x100000u)

/* The descriptor on which the memfd arrives; closed before the bot's code. */
#define PAGE_FD 3

enum page_phase {
    PAGE_LOADING = 0, /* the trusted runtime is setting up: faults are ours */
    PAGE_READY = 1,   /* latched by the runner: from here on it is the bot's */
    PAGE_ASKING = 2,  /* waits for input: the turn has ended */
    PAGE_ENDED = 3,   /* about to leave; `end` says why */
};

/* Why a bot's process ended, as its trusted runtime notes it. The kernel's wait
 * status is the truth; the note explains it. */
enum page_end {
    PAGE_END_NONE = 0,
    PAGE_END_EXIT = 1,    /* code: the exit code */
    PAGE_END_BUDGET = 2,  /* remaining went below 0 */
    PAGE_END_STACK = 3,   /* linear stack used up */
    PAGE_END_MEMORY = 4,  /* the heap's limit */
    PAGE_END_OUTPUT = 5,  /* reply area full */
    PAGE_END_TRAP = 6,    /* code: enum page_trap; the count is exact */
    PAGE_END_FAULT = 7,   /* code: the signal; address, ip */
    PAGE_END_SYSCALL = 8, /* code: the call's number; ip */
    PAGE_END_SETUP = 9,   /* start-up failed: ours; code: errno, address: step */
};

/* Reasons of a trap that charged code or the runtime finds by itself. */
enum page_trap {
    PAGE_TRAP_UNREACHABLE = 0, /* "trap" */
    PAGE_TRAP_DIVIDE = 1,      /* "division by zero" */
    PAGE_TRAP_ABORT = 2,       /* "abort" */
    PAGE_TRAP_EXCEPTION = 3,   /* "uncaught exception" */
    PAGE_TRAP_POINTER = 4,     /* "bad function pointer" */
    PAGE_TRAP_JUMP = 5,        /* "bad jmp_buf" */
};

/* What the runner tells the runtime once. Wiped before the bot's first
 * instruction: `hidden_address`, `native_address` and `seed` are secrets. */
struct page_start {
    uint64_t hidden_address; /* where to map struct page_hidden and counters */
    uint64_t native_address; /* lowest address of the native stack */
    uint64_t native_bytes;
    uint64_t counters_bytes; /* rounded up to PAGE_BYTES */
    uint64_t data_bytes;     /* of the executable's data, for the accounting */
    uint64_t memory_bytes;   /* data + heap + linear stack */
    uint64_t stack_bytes;    /* of the linear stack, inside memory_bytes */
    uint64_t view_bytes;     /* capacities of the three areas, as asked for */
    uint64_t reply_bytes;
    uint64_t log_bytes;
    uint8_t seed[32]; /* key of this slot's ChaCha20 stream */
};

struct page_io {
    _Atomic uint32_t request; /* futex word 1: the turn that may run */
    _Atomic uint32_t answer;  /* futex word 2: the turn that has ended */
    _Atomic uint32_t phase;   /* enum page_phase */
    uint32_t end;             /* enum page_end */
    int32_t end_code;
    uint32_t last; /* runner: no input follows this view; read gives 0 then */
    uint64_t end_address;
    uint64_t end_ip;
    uint64_t view_size;  /* runner: bytes of this turn's view */
    uint64_t reply_size; /* bot: bytes of this turn's reply */
    uint64_t log_size;   /* bot: bytes of this turn's log that were kept */
    uint64_t log_lost;   /* bot: bytes of it that were dropped */
    uint8_t reserved[1024 - 80];
    struct page_start start;
};

/* Offsets here are known to bout-meter (PAGE_HIDDEN_*): charged code works on
 * the first three words through address space 256. */
struct page_hidden {
    int64_t remaining;      /* instructions left; below 0 is a stop */
    uint64_t stack_pointer; /* of the linear stack */
    uint64_t stack_floor;   /* a pointer below it takes the slow path */
    uint64_t read_charge;   /* charged so far for bytes read, [read] */
    uint64_t write_charge;  /* [write] */
    uint64_t page_charge;   /* [page] */
    int64_t budget;         /* runner: what `remaining` was at the turn's start */
    uint64_t spent;         /* runner: instructions of all earlier turns */
    uint64_t memory_peak;   /* highest data + heap + linear stack so far */
    uint64_t heap_end;
    uint64_t heap_limit;
    uint64_t stack_limit; /* lowest address of the linear stack */
    uint64_t view_next;   /* bytes of the view that were read */
    uint64_t view_size;   /* clamped copy */
    uint64_t last;
    uint64_t turn;
    uint64_t reply_size;
    uint64_t log_size;
    uint64_t log_lost;
    struct page_start start; /* the copy that the runtime works from */
    uint64_t jump_count;     /* live setjmp tickets */
    uint64_t jump_serial;
    uint64_t reserved[32];
};

#define PAGE_HIDDEN_REMAINING 0
#define PAGE_HIDDEN_STACK_POINTER 8
#define PAGE_HIDDEN_STACK_FLOOR 16
#define PAGE_HIDDEN_COUNTERS PAGE_BYTES /* counters start here */

_Static_assert(sizeof(struct page_io) <= PAGE_BYTES, "one page");
_Static_assert(sizeof(struct page_hidden) <= PAGE_BYTES, "one page");
_Static_assert(__builtin_offsetof(struct page_hidden, stack_pointer) ==
                   PAGE_HIDDEN_STACK_POINTER,
               "known to bout-meter");
_Static_assert(__builtin_offsetof(struct page_hidden, stack_floor) ==
                   PAGE_HIDDEN_STACK_FLOOR,
               "known to bout-meter");

/* Sizes of the areas inside the memfd. */
static inline uint64_t page_round(uint64_t bytes)
{
    return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}
