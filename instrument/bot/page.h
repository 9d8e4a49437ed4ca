/* page: what a bot's process and its runner share, and where a bot's memory is.
 *
 * One memfd a bot and match holds, in this order:
 *
 *     struct page_io      4 KiB   mapped in the bot at PAGE_IO_ADDRESS
 *     view area           view_bytes, rounded up to 4 KiB  (runner -> bot)
 *     reply area          reply_bytes, rounded up          (bot -> runner)
 *     log area            log_bytes, rounded up            (bot -> runner)
 *     struct page_hidden  4 KiB   mapped at a random address (hidden.h)
 *     counters            PAGE_COUNTER_BYTES each, rounded up
 *     jump table          PAGE_JUMP_BYTES (setjmp tickets)
 *     events              profile_bytes, rounded up (bot -> runner)
 *
 * Everything up to the log area can be written by the bot at any time: the
 * runner reads each word once and trusts nothing. The hidden part is reached by
 * charged code and the trusted runtime alone, through a register (hidden.h); no
 * word that the bot can read holds its address. Whatever decides (turn numbers,
 * sizes, how the bot ended) stands there; the I/O page holds only the words on
 * which the two sides sleep, and a copy of the phase.
 *
 * Turn order (words are 32 bits; futex(2), shared, never private). `request`
 * and `answer` start as PAGE_TURN_NONE; turn 0 may be granted before the bot is
 * there:
 *     bot     is set up: hidden.answered = PAGE_TURN_NONE, hidden.ready = 1,
 *             phase = READY, waits for `request` to change
 *     runner  writes the view and the hidden words of turn n, hidden.granted =
 *             n, then `request` = n, FUTEX_WAKE(request)
 *     bot     runs; when it wants more input than it was given, or ends, stores
 *             hidden.answered = n, phase, then `answer` = n,
 *             FUTEX_WAKE(answer), and waits for `request` to change or leaves
 * A wake is left out where the other side is not asleep: who is about to sleep
 * says so in hidden memory first, then futex(2) looks at the word; who stores
 * the word looks then whether somebody sleeps. All four are sequentially
 * consistent, so one of the two sees the other.
 *
 * So while turn n runs, request == n, answer == n - 1 and phase == READY; the
 * runtime checks that at the end of a turn: anything else is PAGE_END_PROTOCOL.
 *
 * This header is C for both sides and includes nothing of ours.
 */
#pragma once

#include <stdint.h>

#define PAGE_BYTES 4096u

/* Counts up with every change to what is below, so that an executable made
 * before the change is told apart and not run. */
#define PAGE_VERSION 4u

/* The bot's address space: equal on every host and target. What every bot
 * touches lies close together, since each page of page tables that a start
 * fills costs about as much as a page of memory: I/O page, areas of the usual
 * size and the first code share one, so do the ends of linear stack and heap,
 * and those of the native stack and the hidden part. */
#define PAGE_IO_ADDRESS 0x200000u         /* struct page_io, then the areas */
#define PAGE_TEXT_ADDRESS 0x360000u       /* executable: code, function table */
#define PAGE_DATA_ADDRESS 0x20000000u     /* all data, laid out by bout-meter */
#define PAGE_DATA_MAX_BYTES 0x40000000u   /* 1 GiB */
#define PAGE_FAR_ADDRESS 0x800000000u     /* 32 GiB: areas that are too large */
#define PAGE_STACK_TOP 0x10000f0000u      /* linear stack, grows down */
#define PAGE_HEAP_ADDRESS 0x1000100000u   /* 64 GiB and a little, grows up */
#define PAGE_HEAP_MAX_BYTES 0x800000000u  /* 32 GiB */
#define PAGE_STACK_MAX_BYTES 0x400000000u /* 16 GiB */

/* A call takes at least this much linear stack, and native frames hold spills
 * only (at most 4 KiB), so the linear stack always overflows first. */
#define PAGE_FRAME_MIN_BYTES 32u
#define PAGE_NATIVE_STACK_BYTES(stack_bytes) \
    ((stack_bytes) / PAGE_FRAME_MIN_BYTES * PAGE_BYTES + 0x100000u)

/* The native region starts with the stack of the fault handlers and a page that
 * nothing may touch; the native stack lies above. */
#define PAGE_HANDLER_BYTES 0x10000u
#define PAGE_NATIVE_GUARD_END (PAGE_HANDLER_BYTES + PAGE_BYTES)

/* The descriptor on which the memfd arrives; closed before the bot's code. */
#define PAGE_FD 3

/* Values of hidden.answered, then of `request` and `answer`, before turn 0. */
#define PAGE_TURN_LOADING 0xfffffffeu
#define PAGE_TURN_NONE 0xffffffffu

enum page_phase {
    PAGE_LOADING = 0, /* the trusted runtime is setting up: faults are ours */
    PAGE_READY = 1,   /* from here on it is the bot's; a turn may run */
    PAGE_ASKING = 2,  /* waits for input: the turn has ended */
    PAGE_ENDED = 3,   /* about to leave; hidden.end says why */
};

/* Why a bot's process ended, as its trusted runtime notes it. The kernel's wait
 * status is the truth; the note explains it. */
enum page_end {
    PAGE_END_NONE = 0,
    PAGE_END_EXIT = 1,     /* code: the exit code */
    PAGE_END_BUDGET = 2,   /* remaining went below 0 */
    PAGE_END_STACK = 3,    /* linear stack used up */
    PAGE_END_MEMORY = 4,   /* the heap's limit */
    PAGE_END_OUTPUT = 5,   /* reply area full */
    PAGE_END_TRAP = 6,     /* code: enum page_trap; the count is exact */
    PAGE_END_FAULT = 7,    /* code: the signal; address, ip */
    PAGE_END_SYSCALL = 8,  /* code: the call's number; ip */
    PAGE_END_PROTOCOL = 9, /* request, answer or phase was overwritten */
    PAGE_END_METER = 10,   /* two ways of counting disagree: a fault of ours */
};

/* Steps of the runtime's set-up, for the message when one fails. */
enum page_step {
    PAGE_STEP_NONE = 0,
    PAGE_STEP_AREAS = 1,
    PAGE_STEP_HIDDEN = 2,
    PAGE_STEP_SEGMENT = 3,
    PAGE_STEP_NATIVE = 4,
    PAGE_STEP_ARENA = 5,
    PAGE_STEP_UNMAP = 6,
    PAGE_STEP_SIGNALS = 7,
    PAGE_STEP_FILTER = 8,
    PAGE_STEP_VERSION = 9, /* it was made for another PAGE_VERSION */
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

/* What a bot says of itself by <bout/profile.h>. */
enum page_event_kind {
    PAGE_EVENT_BEGIN = 1, /* of a block; text: its name */
    PAGE_EVENT_END = 2,   /* of the innermost block that is open */
    PAGE_EVENT_FRAME = 3, /* number: the bot's own */
    PAGE_EVENT_LOG = 4,   /* text, as in those below */
    PAGE_EVENT_TRYLOCK = 5,
    PAGE_EVENT_LOCK = 6,
    PAGE_EVENT_UNLOCK = 7,
    PAGE_EVENT_WAIT = 8,
    PAGE_EVENT_SIGNAL = 9,
};

/* In the events' area, one after the other; the text follows, filled up to 8
 * bytes. Begins and ends are balanced whatever the bot did, but for blocks that
 * are open when a turn ends: they go on in the next one. */
struct page_event {
    uint64_t tick; /* instructions since the turn began */
    uint64_t number;
    uint32_t kind;
    uint32_t text_bytes;
};

/* What the runner tells the runtime once. Wiped before the bot's first
 * instruction: `hidden_address`, `native_address` and `seed` are secrets. */
struct page_start {
    uint64_t hidden_address; /* where to map struct page_hidden and counters */
    uint64_t native_address; /* lowest address of the native stack */
    uint64_t native_bytes;
    uint64_t counters_bytes; /* a multiple of PAGE_BYTES */
    uint64_t data_bytes;     /* of the executable's data, for the accounting */
    uint64_t memory_bytes;   /* data + heap + linear stack */
    uint64_t stack_bytes;    /* of the linear stack, inside memory_bytes */
    uint64_t view_bytes;     /* capacities of the three areas, as asked for */
    uint64_t reply_bytes;
    uint64_t log_bytes;
    uint64_t profile_bytes; /* of the events' area; 0: nothing is kept */
    uint8_t seed[32];       /* key of this slot's ChaCha20 stream */
};

struct page_io {
    _Atomic uint32_t request; /* futex word 1: the turn that may run */
    _Atomic uint32_t answer;  /* futex word 2: the turn that has ended */
    _Atomic uint32_t phase;   /* enum page_phase */
    uint32_t version;         /* the runner's PAGE_VERSION */
    uint32_t setup_step;      /* enum page_step, while PAGE_LOADING */
    uint32_t setup_errno;
    uint8_t reserved[1024 - 24];
    struct page_start start;
};

/* The first five offsets are known to bout-meter (PAGE_HIDDEN_*): charged code
 * works on them through address space 257. */
struct page_hidden {
    int64_t remaining;      /* instructions left; exact when a turn has ended */
    uint64_t stack_pointer; /* of the linear stack */
    uint64_t stack_floor;   /* a pointer below it takes the slow path */
    int64_t allowance;      /* for prices; below 0 takes the slow path */
    uint64_t check;         /* the stop of the check that takes the slow path */
    uint64_t read_charge;   /* charged so far for bytes read, [read] */
    uint64_t write_charge;  /* [write] */
    uint64_t page_charge;   /* [page] */

    /* Written by the runner before it grants a turn. */
    int64_t budget; /* what `remaining` was at the turn's start */
    uint64_t spent; /* instructions of all earlier turns */
    uint64_t view_size;
    uint32_t last; /* nothing follows this view: reading on gives 0 */
    _Atomic uint32_t granted;
    _Atomic uint32_t runner_sleeps; /* so that `answer` needs a wake */
    _Atomic uint32_t bot_sleeps;    /* the runtime's: `request` needs one */

    /* Written by the runtime. */
    _Atomic uint32_t answered; /* as io.answer, which the bot could forge */
    _Atomic uint32_t ready;    /* 1: what follows is the bot's doing */
    uint64_t view_next;        /* bytes of the view that were read */
    uint64_t reply_size;       /* of this turn */
    uint64_t log_size;         /* of this turn: kept */
    uint64_t log_lost;         /* and dropped */
    uint64_t memory_peak;      /* highest data + heap + linear stack so far */
    uint64_t heap_end;
    uint64_t heap_limit;
    uint64_t stack_limit;  /* lowest address of the linear stack */
    uint64_t view_address; /* of the view area, in the bot */
    uint32_t end;          /* enum page_end */
    int32_t end_code;
    uint64_t end_address;
    uint64_t end_ip;
    int64_t end_detail; /* of a signal: its si_code */
    /* The runtime's, count.c. */
    uint64_t counted;    /* instructions up to this turn's start */
    uint64_t correction; /* of the counters' sum, for the fuel in them */
    uint64_t pool;       /* instructions that no check has been given */
    uint64_t pool_start; /* what it was when the count was last taken */
    uint64_t fuelled;    /* fuel counters that have fuel: entries of the list */
    uint64_t parked;     /* 1: counters hold true counts, fuel is put aside */
    uint64_t jump_offset;    /* of the jump table, from this struct's start */
    uint64_t jump_count;     /* live setjmp tickets */
    uint64_t jump_serial;    /* tickets given so far */
    struct page_start start; /* the copy that the runtime works from */
    /* The runtime's, event.c. */
    uint64_t event_size;    /* bytes of this turn's events */
    uint64_t event_open;    /* blocks that have begun and not ended */
    uint64_t event_skipped; /* likewise, whose beginning found no room */
    uint64_t event_lost;    /* blocks and messages of this turn */
    uint64_t reserved[10];
};

/* One live setjmp: the registers that longjmp restores. jump_TARGET.S knows the
 * order of the words. */
struct page_jump {
    uint64_t ticket;    /* serial << 16 | index; the serial is never 0 */
    uint64_t linear;    /* page_hidden.stack_pointer */
    uint64_t native;    /* the stack pointer after setjmp's return */
    uint64_t target;    /* setjmp's return address */
    uint64_t saved[19]; /* x86-64 has 6; aarch64: x19 to x29, d8 to d15 */
    uint64_t env;       /* the jmp_buf it was taken for */
};

#define PAGE_JUMP_MAX 65536u
#define PAGE_JUMP_BYTES (PAGE_JUMP_MAX * sizeof(struct page_jump))

#define PAGE_HIDDEN_REMAINING 0
#define PAGE_HIDDEN_STACK_POINTER 8
#define PAGE_HIDDEN_STACK_FLOOR 16
#define PAGE_HIDDEN_ALLOWANCE 24
#define PAGE_HIDDEN_CHECK 32
/* A counter, and as much of the runtime's own behind all of them. */
#define PAGE_COUNTER_BYTES 32u
#define PAGE_HIDDEN_COUNTERS PAGE_BYTES /* counters start here */

_Static_assert(PAGE_JUMP_BYTES % PAGE_BYTES == 0, "events begin a page");
_Static_assert(sizeof(struct page_io) <= PAGE_BYTES, "one page");
_Static_assert(sizeof(struct page_hidden) <= PAGE_BYTES, "one page");
_Static_assert(__builtin_offsetof(struct page_hidden, stack_pointer) ==
                   PAGE_HIDDEN_STACK_POINTER,
               "known to bout-meter");
_Static_assert(__builtin_offsetof(struct page_hidden, stack_floor) ==
                   PAGE_HIDDEN_STACK_FLOOR,
               "known to bout-meter");
_Static_assert(__builtin_offsetof(struct page_hidden, allowance) ==
                   PAGE_HIDDEN_ALLOWANCE,
               "known to bout-meter");
_Static_assert(__builtin_offsetof(struct page_hidden, check) ==
                   PAGE_HIDDEN_CHECK,
               "known to bout-meter");

/* Sizes and places of the areas inside the memfd; the view area starts at
 * PAGE_BYTES, the hidden page right after the areas. */
static inline uint64_t page_round(uint64_t bytes)
{
    return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

static inline uint64_t page_areas_bytes(const struct page_start *start)
{
    return PAGE_BYTES + page_round(start->view_bytes) +
           page_round(start->reply_bytes) + page_round(start->log_bytes);
}

/* Where the bot has its view area: behind the I/O page if the areas end there
 * before the code starts, with a page between. */
static inline uint64_t page_view_address(const struct page_start *start)
{
    uint64_t room = PAGE_TEXT_ADDRESS - PAGE_IO_ADDRESS - PAGE_BYTES;

    return page_areas_bytes(start) <= room ? PAGE_IO_ADDRESS + PAGE_BYTES
                                           : PAGE_FAR_ADDRESS;
}

static inline uint64_t page_hidden_bytes(const struct page_start *start)
{
    return PAGE_BYTES + start->counters_bytes + PAGE_JUMP_BYTES +
           page_round(start->profile_bytes);
}
