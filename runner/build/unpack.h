/* unpack: the files of an archive that a contestant sent.
 *
 * The archive is opened by a program of its own, bout-unpack, in a workbox;
 * what it brings out is checked again like any upload. Zip and tar, plain or
 * compressed once with gzip or zstd. Passed over: what source_is_leftover and
 * source_is_built name; one folder around everything is taken off.
 */
#pragma once

#include "runner/build/build.h"

/* What both sides of the box agree on. */
#define UNPACK_LIST "files.json"   /* [[path, size], ...] */
#define UNPACK_BYTES "files.bytes" /* their bytes, one after the other */
#define UNPACK_ENTRIES_MAX 20000u  /* of an archive, left out or not */

/* Adds the archive's files to `source`. ERR_INPUT and ERR_TOO_BIG are the
 * archive's fault, with a sentence for its owner that begins with `name`. Any
 * thread. */
int unpack_archive(struct build_source *source, const char *name,
                   const void *bytes, size_t size, struct err *err);

/* Where a submission is one archive, its files take its place. 1: they did;
 * 0: it is none; -1 as above. */
int unpack_source(struct build_source *source, struct err *err);
