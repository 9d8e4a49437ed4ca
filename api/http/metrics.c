/* metrics: GET /metrics in Prometheus's text format, version 0.0.4. Names end
 * in base units; counters in _total. */
#include "api/http/metrics.h"

#include "api/http/resources.h"
#include "db/jobs.h"
#include "runner/base/clock.h"

#include <inttypes.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const double metrics_bounds_s[METRICS_BUCKETS - 1] = {0.001, 0.005, 0.025, 0.1,
                                                      0.5,   2.5,   10};

void metrics_note(struct metrics *metrics, unsigned status,
                  uint64_t duration_ns)
{
    size_t bucket = 0;

    while (bucket < METRICS_BUCKETS - 1 &&
           (double)duration_ns / 1e9 > metrics_bounds_s[bucket])
        bucket++;
    atomic_fetch_add(&metrics->answers[status / 100 % 6], 1);
    atomic_fetch_add(&metrics->duration_ns_sum, duration_ns);
    atomic_fetch_add(&metrics->duration_bucket[bucket], 1);
}

static void metrics_head(struct buf *out, const char *name, const char *type,
                         const char *text)
{
    buf_add_format(out, "# HELP %s %s\n# TYPE %s %s\n", name, text, name, type);
}

static void metrics_value(struct buf *out, const char *name, const char *type,
                          const char *text, double value)
{
    metrics_head(out, name, type, text);
    buf_add_format(out, "%s %.17g\n", name, value);
}

static void metrics_add_http(struct buf *out, struct metrics *metrics)
{
    static const char duration[] = "bout_http_request_duration_seconds";
    uint64_t sum = 0;

    metrics_head(out, "bout_http_requests_total", "counter",
                 "Answers by hundred of the status.");
    for (unsigned i = 1; i <= 5; i++)
        buf_add_format(
            out, "bout_http_requests_total{code=\"%uxx\"} %" PRIuLEAST64 "\n",
            i, atomic_load(&metrics->answers[i]));
    metrics_head(out, duration, "histogram",
                 "From the first line of a request to its answer.");
    for (size_t i = 0; i < METRICS_BUCKETS; i++) {
        char bound[16] = "+Inf";
        sum += atomic_load(&metrics->duration_bucket[i]);
        if (i < METRICS_BUCKETS - 1)
            snprintf(bound, sizeof bound, "%g", metrics_bounds_s[i]);
        buf_add_format(out, "%s_bucket{le=\"%s\"} %" PRIu64 "\n", duration,
                       bound, sum);
    }
    buf_add_format(out, "%s_sum %.9f\n%s_count %" PRIu64 "\n", duration,
                   (double)atomic_load(&metrics->duration_ns_sum) / 1e9,
                   duration, sum);
    metrics_value(out, "bout_http_connections", "gauge", "Open connections.",
                  (double)atomic_load(&metrics->open_connections));
    metrics_value(out, "bout_http_waiting_requests", "gauge",
                  "Requests that wait for a change.",
                  (double)atomic_load(&metrics->waiting));
    metrics_value(out, "bout_http_too_slow_total", "counter",
                  "Connections closed because the client sent too slowly.",
                  (double)atomic_load(&metrics->too_slow));
}

static void metrics_add_jobs(struct buf *out, const struct job_counts *counts)
{
    metrics_head(out, "bout_queue_jobs", "gauge", "Jobs by kind and state.");
    for (int k = 0; k < JOB_KIND_COUNT; k++) {
        const char *kind = job_kind_text((enum job_kind)k);
        buf_add_format(out,
                       "bout_queue_jobs{kind=\"%s\",state=\"queued\"} %" PRId64
                       "\nbout_queue_jobs{kind=\"%s\",state=\"leased\"} "
                       "%" PRId64
                       "\nbout_queue_jobs{kind=\"%s\",state=\"failed\"} "
                       "%" PRId64 "\n",
                       kind, counts->queued[k], kind, counts->leased[k], kind,
                       counts->failed[k]);
    }
}

static void metrics_add_kept(struct buf *out, const struct keeper *keeper)
{
    struct keeper_state state;

    keeper_state(keeper, &state);
    metrics_head(out, "bout_kept_bytes", "gauge",
                 "What parts of matches take, compressed.");
    for (int part = 0; part < PART_COUNT; part++)
        buf_add_format(out, "bout_kept_bytes{part=\"%s\"} %" PRId64 "\n",
                       retained_word((enum retained)part), state.bytes[part]);
    metrics_head(out, "bout_dropped_total", "counter",
                 "Matches that lost the part to age or want of room.");
    for (int part = 0; part < PART_COUNT; part++)
        buf_add_format(out, "bout_dropped_total{part=\"%s\"} %" PRIu64 "\n",
                       retained_word((enum retained)part), state.dropped[part]);
}

static void metrics_add_disk(struct buf *out, const struct disk *disk)
{
    struct disk_state state;

    disk_state(disk, &state);
    metrics_value(out, "bout_disk_used_ratio", "gauge",
                  "Of the data's file system, free pages left out.",
                  state.used);
    metrics_value(out, "bout_disk_level", "gauge",
                  "0 fine, 1 the ladder rests, 2 no batches, 3 full.",
                  (double)state.level);
    metrics_value(out, "bout_disk_failing", "gauge",
                  "1 while writes fail or the file system is read-only.",
                  state.failing);
}

static double metrics_age_s(int64_t since_ns)
{
    return since_ns ? (double)(clock_wall_ns() - since_ns) / 1e9 : 0;
}

static void metrics_add_oldest(struct buf *out, const struct job_oldest *oldest)
{
    metrics_head(out, "bout_queue_oldest_seconds", "gauge",
                 "How long the oldest job of a lane has waited.");
    buf_add_format(out,
                   "bout_queue_oldest_seconds{lane=\"upload\"} %.3f\n"
                   "bout_queue_oldest_seconds{lane=\"user\"} %.3f\n"
                   "bout_queue_oldest_seconds{lane=\"ladder\"} %.3f\n",
                   metrics_age_s(oldest->build_ns),
                   metrics_age_s(oldest->user_ns),
                   metrics_age_s(oldest->ladder_ns));
}

static void metrics_add_process(struct buf *out, const struct metrics *metrics)
{
    char line[128] = "";
    FILE *file = fopen("/proc/self/statm", "re");

    if (file && !fgets(line, sizeof line, file))
        line[0] = '\0';
    if (file)
        fclose(file);
    long pages = strtol(line + strcspn(line, " "), NULL, 10); /* field 2 */
    metrics_value(out, "process_resident_memory_bytes", "gauge",
                  "Resident memory of the server.",
                  (double)(pages * sysconf(_SC_PAGESIZE)));
    metrics_value(out, "process_start_time_seconds", "gauge",
                  "When the server started, since 1970.",
                  (double)metrics->started_ns / 1e9);
}

int metrics_show(struct request *request, struct db *db, struct err *err)
{
    struct service *service = request->service;
    struct dispatch_state state = {0};
    struct job_counts counts;
    struct job_oldest oldest;
    struct buf out = {0};

    if (job_count(db, &counts, err) < 0 || job_oldest(db, &oldest, err) < 0)
        return -1;
    if (service->dispatch)
        dispatch_state(service->dispatch, &state);
    metrics_add_http(&out, service->metrics);
    metrics_add_jobs(&out, &counts);
    metrics_value(&out, "bout_workers", "gauge", "Workers alive.",
                  state.workers);
    metrics_value(&out, "bout_workers_busy", "gauge", "Workers with a job.",
                  state.busy);
    metrics_value(&out, "bout_worker_restarts_total", "counter",
                  "Workers that died and were started again.",
                  (double)state.restarts);
    metrics_value(&out, "bout_workers_quarantined", "gauge",
                  "Workers that failed one job after the other and rest.",
                  state.quarantined);
    metrics_value(&out, "bout_jobs_given_up_total", "counter",
                  "Jobs that failed at every attempt.", (double)state.failures);
    metrics_add_oldest(&out, &oldest);
    metrics_value(&out, "bout_writer_waiting", "gauge",
                  "Writes that wait for the writer.",
                  (double)writer_depth(service->writer));
    metrics_add_kept(&out, service->keeper);
    metrics_add_disk(&out, service->disk);
    metrics_add_process(&out, service->metrics);
    return reply_bytes(&request->reply,
                       "text/plain; version=0.0.4; charset=utf-8", &out);
}
