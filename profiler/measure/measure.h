/* measure: what a command, or this program, takes of the machine while it runs.
 *
 * Calling order: measure_start, what is to be measured, measure_stop; or
 * measure_info alone, for the facts that do not change. A result is opaque,
 * read by index, and freed once with measure_result_free, which also deletes
 * the files among its values.
 *
 * A value is a jansson value: text, number, boolean, JSON, a file's path, or a
 * series {"max","min","avg","timeseries":{"timestamps":["0ms",...],
 * "values":[...]}} of at most MEASURE_SERIES_MAX points. What a machine has not
 * is null, never 0.
 *
 * A provider measures several things at once; only those are created whose
 * measures are wanted. measure_start runs the first step before it returns; a
 * thread takes the next ones. measure_stop does not wait for an interval to
 * end. One tracking belongs to one thread; several may run side by side.
 * Ancestor: the TIREx tracker's C API.
 */
#pragma once

#include "runner/base/buf.h"
#include "runner/base/err.h"

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define MEASURE_SERIES_MAX 300
#define MEASURE_POLL_MS 100         /* the default interval */
#define MEASURE_POLL_NEVER UINT_MAX /* at start and stop alone: no thread */

enum measure {
#define MEASURE(NAME, provider, TYPE, unit, description, example) \
    MEASURE_##NAME,
#include "profiler/measure/measure.def"
    MEASURE_COUNT
};

enum measure_type {
    MEASURE_TYPE_TEXT,
    MEASURE_TYPE_NUMBER,
    MEASURE_TYPE_BOOLEAN,
    MEASURE_TYPE_JSON,
    MEASURE_TYPE_FILE, /* text: a path; deleted with the result */
    MEASURE_TYPE_SERIES,
};

/* What of a series is wanted; flags. None: all of it. */
enum measure_aggregate {
    MEASURE_ALL = 0,
    MEASURE_MAX = 1,
    MEASURE_MIN = 2,
    MEASURE_MEAN = 4,
};

struct measure_facts {
    const char *name; /* "OS_NAME": as its enum */
    const char *provider;
    enum measure_type type;
    const char *unit; /* "" without one */
    const char *description;
    const char *example;
};

/* NULL for what is no measure. */
const struct measure_facts *measure_facts(enum measure measure);
const char *measure_type_name(enum measure_type type);

struct measure_provider {
    const char *name;
    const char *version; /* of the interface it reads */
    const char *description;
};

/* Fills at most `most`; returns how many there are. `out` may be NULL. */
size_t measure_providers(struct measure_provider *out, size_t most);

/* ---- what is wanted -------------------------------------------------------
 */

struct measure_want {
    enum measure measure;
    unsigned aggregate; /* enum measure_aggregate */
};

/* Appends the measures of a provider, or of all (NULL). The caller frees. */
struct measure_want *measure_want_provider(struct measure_want *wants,
                                           size_t *count, const char *provider);

enum measure_whose {
    MEASURE_SELF,     /* this process and all its descendants */
    MEASURE_CHILDREN, /* the descendants alone: started after measure_start */
    MEASURE_PID,      /* another process and its descendants */
};

enum measure_level {
    MEASURE_TRACE,
    MEASURE_DEBUG,
    MEASURE_INFO,
    MEASURE_WARN,
    MEASURE_ERROR,
    MEASURE_CRITICAL,
};

struct measure_spec {
    const struct measure_want *want; /* borrowed for the call */
    size_t want_count;
    unsigned poll_ms; /* 0: MEASURE_POLL_MS */
    enum measure_whose whose;
    pid_t pid;          /* MEASURE_PID */
    const char *folder; /* of git and devcontainer; NULL: the current one */
    const char *root;   /* where /sys and /proc are: NULL is "" (for tests) */

    /* May be called from the monitor's thread. NULL: nothing is said. */
    void (*log)(void *user, enum measure_level level, const char *component,
                const char *message);
    /* Called for what is said at abort_level or above; NULL: abort(3). The
     * level 0 means MEASURE_CRITICAL. */
    void (*abort)(void *user);
    enum measure_level abort_level;
    void *user; /* of both */
};

/* ---- tracking -------------------------------------------------------------
 */

struct measure_tracking; /* opaque */
struct measure_result;   /* opaque */

/* ERR_INPUT for a number that is no measure and for an unknown process. A
 * measure that is wanted twice is a warning, and measured once. */
struct measure_tracking *measure_start(const struct measure_spec *spec,
                                       struct err *err);

/* Ends the tracking and frees it. NULL: ERR_INPUT. */
struct measure_result *measure_stop(struct measure_tracking *tracking,
                                    struct err *err);

/* The facts that need no tracking, of those wanted. */
struct measure_result *measure_info(const struct measure_spec *spec,
                                    struct err *err);

/* ---- results --------------------------------------------------------------
 */

struct measure_entry {
    const char *name; /* of the measure, or the key of a note */
    bool is_note;
    enum measure measure; /* unless it is a note */
    enum measure_type type;
    const json_t *value; /* borrowed; null where the machine has it not */
};

size_t measure_result_count(const struct measure_result *result);

/* 0; -1 beyond the end. */
int measure_result_at(const struct measure_result *result, size_t index,
                      struct measure_entry *entry);

/* The value of one measure; NULL if it was not wanted. Borrowed. */
const json_t *measure_result_get(const struct measure_result *result,
                                 enum measure measure);

/* Adds or replaces; takes `value` over. For what only the caller knows. */
void measure_result_set(struct measure_result *result, enum measure measure,
                        json_t *value);

/* The caller's own key and value, for the exports. Takes `value` over. */
void measure_result_note(struct measure_result *result, const char *key,
                         json_t *value);

void measure_result_free(struct measure_result *result);

/* ---- exports: either result may be NULL -----------------------------------
 */

/* "OS_NAME: Debian\n", a line a measure. */
void measure_export_simple(const struct measure_result *info,
                           const struct measure_result *result,
                           struct buf *out);

/* {"OS_NAME":"Debian",...}, notes under "notes". New reference. */
json_t *measure_export_json(const struct measure_result *info,
                            const struct measure_result *result);

/* ir_metadata 0.2, YAML (https://www.ir-metadata.org). */
int measure_export_irmetadata(const struct measure_result *info,
                              const struct measure_result *result,
                              struct buf *out, struct err *err);

/* As TIME_START is written: "2026-03-01T12:00:00.123Z". New reference. */
json_t *measure_time(int64_t wall_ns);

/* Every measure, as the rows of a Markdown table with its head. */
void measure_table(struct buf *out);
