/* series: samples over time in little memory.
 *
 * Of any number of samples at most `limit` points stay: when there are as many,
 * two neighbours become one, and from then on each point stands for twice as
 * many samples. So the points are spread evenly over the whole run, its start
 * included. A point is the greatest of its samples, or their mean. max, min and
 * mean are over all samples, exactly.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct series_point {
    uint64_t ms; /* of its first sample */
    double value;
};

struct series {
    size_t limit; /* at least 2 */
    bool keeps_max;
    uint64_t count; /* of samples */
    double max, min, sum;
    struct series_point *point;
    size_t point_count;
    uint64_t batch; /* samples a point */
    uint64_t open;  /* samples in the last point, if it is not full */
};

void series_init(struct series *series, size_t limit, bool keeps_max);
void series_release(struct series *series);
void series_add(struct series *series, uint64_t ms, double value);

/* NULL without a sample. `aggregate`: enum measure_aggregate. */
json_t *series_json(const struct series *series, unsigned aggregate);
