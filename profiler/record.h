/* record: the layout of a profile's stream, from record.def. */
#pragma once

#include <stdint.h>

#define RECORD_MAGIC 0x46504f5254554f42u /* "BOUTRPOF" in bytes */
#define RECORD_VERSION 1u
#define RECORD_BYTE_ORDER 0x01020304u
#define RECORD_TEXT 24

struct record {
#define RECORD_FIELD(type, name, count) type name RECORD_COUNT_##count;
#define RECORD_COUNT_1
#define RECORD_COUNT_24 [24]
#include "profiler/record.def"
};

_Static_assert(sizeof(struct record) == 64, "a record has no gaps");

enum record_kind {
#define RECORD_KIND(NAME, number, text) RECORD_##NAME = number,
#include "profiler/record.def"
};
