/* scan_internal: what scan.c, scan_form.c and scan_code.c share. */
#pragma once

#include "runner/base/err.h"

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An ELF file in memory. Every offset in it is checked before it is used. */
struct scan_file {
    const uint8_t *bytes;
    size_t size;
    const Elf64_Ehdr *head;
    const Elf64_Shdr *sections;
};

/* A run of bytes of the file. */
struct scan_range {
    uint64_t offset;
    uint64_t size;
    uint64_t address;
};

#define SCAN_RUNTIME_SECTION "bout_runtime"

/* Fills *file; ERR_INPUT if it is not an ELF file of this type for one of our
 * targets. */
int scan_open(struct scan_file *file, const void *bytes, size_t size,
              unsigned type, struct err *err);
/* Its section of that name, or NULL. */
const Elf64_Shdr *scan_section(const struct scan_file *file, const char *name);
const char *scan_section_name(const struct scan_file *file,
                              const Elf64_Shdr *section);

/* Headers and addresses; *runtime is the trusted runtime's code. */
int scan_form(const struct scan_file *file, struct scan_range *runtime,
              struct err *err);
int scan_runtime(const struct scan_file *file, const struct scan_range *runtime,
                 const void *object, size_t size, struct err *err);
/* One run of code that is no part of the runtime's. */
int scan_code_x86_64(const struct scan_file *file,
                     const struct scan_range *code, struct err *err);
int scan_code_aarch64(const struct scan_file *file,
                      const struct scan_range *code, struct err *err);
