#include "profiler/measure/series_internal.h"

#include "profiler/measure/measure.h"
#include "runner/base/buf.h"
#include "runner/base/cleanup.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

void series_init(struct series *series, size_t limit, bool keeps_max)
{
    assert(limit >= 2);
    *series = (struct series){
        .limit = limit,
        .keeps_max = keeps_max,
        .batch = 1,
        .point = mem_calloc(limit, sizeof *series->point),
    };
}

void series_release(struct series *series)
{
    free(series->point);
    *series = (struct series){0};
}

/* Both stand for `n` and `m` samples. */
static double merge(const struct series *series, double a, uint64_t n, double b,
                    uint64_t m)
{
    if (series->keeps_max)
        return fmax(a, b);
    return (a * (double)n + b * (double)m) / (double)(n + m);
}

/* Pairs become points; with an odd number the last one stays half full. */
static void halve(struct series *series)
{
    size_t pairs = series->point_count / 2;

    for (size_t i = 0; i < pairs; i++) {
        const struct series_point *pair = &series->point[2 * i];
        series->point[i] = (struct series_point){
            .ms = pair[0].ms,
            .value = merge(series, pair[0].value, 1, pair[1].value, 1),
        };
    }
    if (series->point_count % 2) {
        series->point[pairs] = series->point[series->point_count - 1];
        series->open = series->batch;
        pairs++;
    }
    series->point_count = pairs;
    series->batch *= 2;
}

void series_add(struct series *series, uint64_t ms, double value)
{
    if (!isfinite(value))
        return;
    series->max = series->count ? fmax(series->max, value) : value;
    series->min = series->count ? fmin(series->min, value) : value;
    series->sum += value;
    series->count++;
    if (!series->open && series->point_count == series->limit)
        halve(series);
    if (series->open) {
        struct series_point *last = &series->point[series->point_count - 1];
        last->value = merge(series, last->value, series->open, value, 1);
        series->open++;
    } else {
        series->point[series->point_count++] =
            (struct series_point){.ms = ms, .value = value};
        series->open = 1;
    }
    if (series->open == series->batch)
        series->open = 0;
}

/* Three decimals are more than any sensor has. */
static json_t *number(double value)
{
    double rounded = round(value * 1000) / 1000;

    return rounded == rint(rounded) && fabs(rounded) < 9e15
               ? json_integer((json_int_t)rounded)
               : json_real(rounded);
}

static json_t *points(const struct series *series)
{
    json_t *times = json_array();
    json_t *values = json_array();

    for (size_t i = 0; i < series->point_count; i++) {
        auto_free char *time = mem_format("%" PRIu64 "ms", series->point[i].ms);
        json_array_append_new(times, json_string(time));
        json_array_append_new(values, number(series->point[i].value));
    }
    return json_pack("{s:o,s:o}", "timestamps", times, "values", values);
}

json_t *series_json(const struct series *series, unsigned aggregate)
{
    if (!series->count)
        return NULL;
    json_t *out = json_object();
    if (!aggregate || aggregate & MEASURE_MAX)
        json_object_set_new(out, "max", number(series->max));
    if (!aggregate || aggregate & MEASURE_MIN)
        json_object_set_new(out, "min", number(series->min));
    if (!aggregate || aggregate & MEASURE_MEAN)
        json_object_set_new(out, "avg",
                            number(series->sum / (double)series->count));
    if (!aggregate)
        json_object_set_new(out, "timeseries", points(series));
    return out;
}
