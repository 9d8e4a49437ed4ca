/* provider: one kind of source of measures.
 *
 * Life: open, then info or else start, step (at once and at each interval),
 * stop, stats; close. stop is called in the reverse order of start. info fills
 * in what does not change, stats what was measured; both set only what the
 * machine has, and what they leave unset is null. step runs in the monitor's
 * thread, never beside another call.
 * To add one: profiler/README.md, "How to add a measure".
 */
#pragma once

#include "profiler/measure/measure.h"

struct provider_kind {
    struct measure_provider facts;
    void *(*open)(const struct measure_spec *spec);
    void (*close)(void *self);
    void (*info)(void *self, struct measure_result *result);
    /* These four may be NULL. `ms` since the tracking's start. */
    void (*start)(void *self);
    void (*step)(void *self, uint64_t ms);
    void (*stop)(void *self);
    void (*stats)(void *self, struct measure_result *result);
};

/* Whether this measure is wanted. */
bool measure_is_wanted(const struct measure_spec *spec, enum measure measure);

/* Calls the log callback, and the abort callback at its level. */
void measure_say(const struct measure_spec *spec, enum measure_level level,
                 const char *component, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Sets it if it is wanted; takes `value` over (NULL is left out). */
void measure_give(struct measure_result *result, enum measure measure,
                  json_t *value);
/* A finite number; a whole one as an integer. */
void measure_give_number(struct measure_result *result, enum measure measure,
                         double value);
void measure_give_text(struct measure_result *result, enum measure measure,
                       const char *text);

/* As the wanted aggregate says; nothing without a sample. */
struct series;
void measure_give_series(const struct measure_spec *spec,
                         struct measure_result *result, enum measure measure,
                         const struct series *series);

/* "what wanted -> null", before the providers fill it in. */
struct measure_result *measure_result_new(const struct measure_spec *spec);

#define PROVIDER(name) extern const struct provider_kind provider_##name;
#include "profiler/measure/provider.def"
