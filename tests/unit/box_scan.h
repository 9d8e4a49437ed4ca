/* box_scan: looks through all memory that a jailed bot can read, from outside,
 * for the addresses that it must not know. Needs the right to trace (root). */
#pragma once

#include "instrument/bot/page.h"
#include "runner/base/cleanup.h"
#include "runner/jail/box.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct box_range {
    uint64_t from, to;
    int file;     /* what it is mapped from; negative: nothing */
    off_t offset; /* there */
};

/* Words at any byte offset whose value lies in a secret range. Those that stand
 * in the file too are known to everybody, and equal in every run: among some
 * 400,000 of code and tables one often looks like an address. */
static inline int box_scan_bytes(const uint8_t *bytes, const uint8_t *file,
                                 size_t size, const struct box_range secret[2])
{
    int found = 0;

    for (size_t i = 0; i + 8 <= size; i++) {
        uint64_t word;

        if (!memcmp(bytes + i, file + i, sizeof word))
            continue;
        memcpy(&word, bytes + i, sizeof word);
        word &= 0xffffffffffff; /* an address has 48 bits */
        for (int s = 0; s < 2; s++)
            found += word >= secret[s].from && word < secret[s].to;
    }
    return found;
}

static inline bool box_is_zero(const uint8_t *bytes, size_t size)
{
    return size == 0 || (!bytes[0] && !memcmp(bytes, bytes + 1, size - 1));
}

/* The file's bytes; beyond its end, or without one, such as differ from all of
 * `bytes`. */
static inline void box_read_file(struct box_range range, uint64_t at,
                                 const uint8_t *bytes, uint8_t *file,
                                 size_t size)
{
    off_t offset = range.offset + (off_t)(at - range.from);
    ssize_t got = range.file < 0 ? 0 : pread(range.file, file, size, offset);

    for (size_t i = got < 0 ? 0 : (size_t)got; i < size; i++)
        file[i] = (uint8_t)~bytes[i];
}

/* One mapping, page by page; pages never touched read as zero and hold none. */
static inline int box_scan_range(pid_t pid, struct box_range range,
                                 const struct box_range secret[2])
{
    enum { PIECE = 1 << 20 };
    auto_free uint8_t *bytes = malloc(PIECE);
    auto_free uint8_t *file = malloc(PIECE);
    int found = 0;

    for (uint64_t at = range.from; at < range.to; at += PIECE) {
        size_t size = range.to - at < PIECE ? range.to - at : PIECE;
        struct iovec here = {bytes, size};
        struct iovec there = {(void *)(uintptr_t)at, size};
        ssize_t got = process_vm_readv(pid, &here, 1, &there, 1, 0);

        if (got != (ssize_t)size) {
            found = -1000000; /* not scanned is not clean */
        } else if (!box_is_zero(bytes, size)) {
            box_read_file(range, at, bytes, file, size);
            found += box_scan_bytes(bytes, file, size, secret);
        }
    }
    return found;
}

/* How often a hidden address stands in readable memory; negative when that
 * could not be found out. The bot waits meanwhile. */
static inline int box_scan_secrets(const struct box *box)
{
    const struct page_start *start = &box->hidden->start;
    const struct box_range secret[2] = {
        {.from = start->hidden_address,
         .to = start->hidden_address + page_hidden_bytes(start)},
        {.from = start->native_address,
         .to = start->native_address + start->native_bytes},
    };
    char path[64], line[512];
    auto_file FILE *maps = NULL;
    int found = 0, mappings = 0;

    snprintf(path, sizeof path, "/proc/%d/exe", box->pid);
    auto_fd int program = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status = {0};
    if (program < 0 || fstat(program, &status) < 0)
        return -1;
    snprintf(path, sizeof path, "/proc/%d/maps", box->pid);
    maps = fopen(path, "re");
    while (maps && fgets(line, sizeof line, maps)) {
        struct box_range range;
        unsigned long inode;
        char mode[5];

        if (sscanf(line, "%lx-%lx %4s %lx %*s %lu", &range.from, &range.to,
                   mode, (unsigned long *)&range.offset, &inode) != 5 ||
            mode[0] != 'r' || strstr(line, "[vsyscall]"))
            continue;
        range.file = inode == status.st_ino ? program : -1;
        if (range.from >= secret[0].from && range.to <= secret[0].to)
            continue;
        if (range.from >= secret[1].from && range.to <= secret[1].to)
            continue;
        found += box_scan_range(box->pid, range, secret);
        mappings++;
    }
    return mappings >= 4 ? found : -1;
}
