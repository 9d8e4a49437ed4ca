/* Measures: tables, series, tracking, results, exports; machines with and
 * without sensors are folders below a root. */
#include "profiler/measure/measure.h"
#include "profiler/measure/series_internal.h"
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/base/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <archive.h>
#include <archive_entry.h>
#include <cmocka.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- tables -------------------------------------------------------------- */

static void test_each_name_is_its_enum(void **state)
{
    static const struct {
        enum measure measure;
        const char *name;
    } expected[] = {
        {MEASURE_OS_NAME, "OS_NAME"},
        {MEASURE_TIME_ELAPSED_WALL_CLOCK_MS, "TIME_ELAPSED_WALL_CLOCK_MS"},
        {MEASURE_DEVCONTAINER_CONF_PATHS, "DEVCONTAINER_CONF_PATHS"},
#define MEASURE(NAME, provider, TYPE, unit, description, example) \
    {MEASURE_##NAME, #NAME},
#include "profiler/measure/measure.def"
    };

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct measure_facts *facts = measure_facts(expected[i].measure);
        assert_string_equal(facts->name, expected[i].name);
        assert_true(strlen(facts->description) > 5);
        assert_true(strlen(facts->example) > 0);
        assert_non_null(facts->unit);
    }
    assert_null(measure_facts(MEASURE_COUNT));
    assert_null(measure_facts((enum measure) - 1));
}

static void test_every_measure_has_a_provider(void **state)
{
    struct measure_provider all[32];
    size_t count = measure_providers(all, 32);

    (void)state;
    assert_int_equal(count, measure_providers(NULL, 0));
    assert_int_equal(count, 6);
    memset(&all[1], 0, sizeof all[1]);
    assert_int_equal(measure_providers(all, 1), count);
    assert_null(all[1].name); /* fills no more than asked */
    measure_providers(all, 32);
    for (int m = 0; m < MEASURE_COUNT; m++) {
        bool found = false;
        for (size_t i = 0; i < count; i++)
            found |=
                !strcmp(all[i].name, measure_facts((enum measure)m)->provider);
        assert_true(found);
    }
}

/* An example is what a value of the type looks like. */
static void test_examples_are_of_their_type(void **state)
{
    (void)state;
    for (int m = 0; m < MEASURE_COUNT; m++) {
        const struct measure_facts *facts = measure_facts((enum measure)m);
        json_t *value = json_loads(facts->example, JSON_DECODE_ANY, NULL);
        switch (facts->type) {
        case MEASURE_TYPE_NUMBER:
            assert_true(json_is_number(value));
            break;
        case MEASURE_TYPE_BOOLEAN:
            assert_true(json_is_boolean(value));
            break;
        case MEASURE_TYPE_JSON:
            assert_true(json_is_array(value) || json_is_object(value));
            break;
        case MEASURE_TYPE_SERIES:
            assert_true(json_is_number(json_object_get(value, "max")));
            break;
        case MEASURE_TYPE_TEXT:
        case MEASURE_TYPE_FILE:
            break;
        }
        json_decref(value);
    }
}

/* ---- series -------------------------------------------------------------- */

static void test_a_series_keeps_its_extremes_and_its_limit(void **state)
{
    (void)state;
    for (size_t limit = 2; limit <= 301; limit++) {
        struct series series;
        double sum = 0;

        series_init(&series, limit, true);
        for (int i = 0; i < 10000; i++) {
            double value = i == 7777 ? 5000 : (double)(i % 100);
            sum += value;
            series_add(&series, (uint64_t)i * 100, value);
            assert_true(series.point_count <= limit);
        }
        json_t *json = series_json(&series, MEASURE_ALL);
        json_t *values =
            json_object_get(json_object_get(json, "timeseries"), "values");
        json_t *times =
            json_object_get(json_object_get(json, "timeseries"), "timestamps");
        double highest = 0;
        size_t i;
        json_t *value;
        json_array_foreach(values, i, value)
            highest = fmax(highest, json_number_value(value));
        assert_true(highest == 5000);
        assert_true(json_array_size(values) <= limit);
        assert_true(json_array_size(values) >= limit / 2);
        assert_int_equal(json_array_size(values), json_array_size(times));
        assert_string_equal(json_string_value(json_array_get(times, 0)), "0ms");
        assert_true(json_number_value(json_object_get(json, "max")) == 5000);
        assert_true(json_number_value(json_object_get(json, "min")) == 0);
        assert_true(fabs(json_number_value(json_object_get(json, "avg")) -
                         sum / 10000) < 0.001);
        json_decref(json);
        series_release(&series);
    }
}

static void test_points_are_spread_evenly(void **state)
{
    struct series series;

    (void)state;
    series_init(&series, MEASURE_SERIES_MAX, false);
    for (int i = 0; i < 10000; i++)
        series_add(&series, (uint64_t)i, i);
    uint64_t step = series.point[1].ms - series.point[0].ms;
    for (size_t i = 1; i < series.point_count; i++)
        assert_int_equal(series.point[i].ms - series.point[i - 1].ms, step);
    /* A point is the mean of its samples. */
    assert_true(fabs(series.point[0].value - (double)(step - 1) / 2) < 0.001);
    series_release(&series);
}

static void test_a_series_gives_what_was_asked_for(void **state)
{
    struct series series;

    (void)state;
    series_init(&series, 10, true);
    assert_null(series_json(&series, MEASURE_ALL));
    series_add(&series, 0, NAN);
    assert_null(series_json(&series, MEASURE_ALL));
    series_add(&series, 0, 3);
    series_add(&series, 1, 5);
    json_t *json = series_json(&series, MEASURE_MAX | MEASURE_MEAN);
    auto_free char *text = json_dumps(json, JSON_COMPACT);
    assert_string_equal(text, "{\"max\":5,\"avg\":4}");
    json_decref(json);
    series_release(&series);
}

/* ---- tracking ------------------------------------------------------------ */

struct said {
    int messages;
    int aborts;
    int opened;
    char component[32];
};

static void note(void *user, enum measure_level level, const char *component,
                 const char *message)
{
    struct said *said = user;

    assert_true(message[0]);
    said->opened += level == MEASURE_DEBUG && !strcmp(message, "opened");
    if (level < MEASURE_WARN)
        return;
    said->messages++;
    strncpy(said->component, component, sizeof said->component - 1);
}

static void note_abort(void *user)
{
    struct said *said = user;

    said->aborts++;
}

static void spin(int ms)
{
    struct timespec now;

    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < ms);
}

static struct measure_tracking *track(const struct measure_want *want,
                                      size_t count, unsigned poll_ms)
{
    struct err err = {0};
    const struct measure_spec spec = {.want = want,
                                      .want_count = count,
                                      .poll_ms = poll_ms,
                                      .whose = MEASURE_CHILDREN};
    struct measure_tracking *tracking = measure_start(&spec, &err);

    assert_non_null(tracking);
    return tracking;
}

/* A grandchild burns half a second; its parent waits for it, we for that. */
static void test_a_grandchilds_time_counts(void **state)
{
    static const struct measure_want want[] = {
        {.measure = MEASURE_TIME_ELAPSED_USER_MS},
        {.measure = MEASURE_TIME_ELAPSED_SYSTEM_MS},
        {.measure = MEASURE_TIME_ELAPSED_WALL_CLOCK_MS},
        {.measure = MEASURE_CPU_USED_PROCESS_PERCENT},
        {.measure = MEASURE_RAM_USED_PROCESS_KB},
        {.measure = MEASURE_EXIT_CODE},
    };
    struct err err = {0};

    (void)state;
    struct measure_tracking *tracking = track(want, 6, 20);
    pid_t pid = fork();
    if (pid == 0) {
        pid_t grandchild = fork();
        if (grandchild == 0) {
            spin(500);
            _exit(0);
        }
        waitpid(grandchild, NULL, 0);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
    struct measure_result *result = measure_stop(tracking, &err);
    double user = json_number_value(
        measure_result_get(result, MEASURE_TIME_ELAPSED_USER_MS));
    double kernel = json_number_value(
        measure_result_get(result, MEASURE_TIME_ELAPSED_SYSTEM_MS));
    assert_true(user + kernel >= 480 && user + kernel < 700);
    const json_t *load =
        measure_result_get(result, MEASURE_CPU_USED_PROCESS_PERCENT);
    assert_true(json_number_value(json_object_get(load, "max")) > 1);
    const json_t *memory =
        measure_result_get(result, MEASURE_RAM_USED_PROCESS_KB);
    assert_true(json_number_value(json_object_get(memory, "max")) > 100);
    assert_true(json_is_null(measure_result_get(result, MEASURE_EXIT_CODE)));
    measure_result_free(result);
}

static void test_stopping_waits_for_no_interval(void **state)
{
    static const struct measure_want want[] = {
        {.measure = MEASURE_RAM_USED_SYSTEM_MB}};
    struct err err = {0};

    (void)state;
    uint64_t start = clock_mono_ns();
    struct measure_tracking *tracking = track(want, 1, 3600000);
    struct measure_result *result = measure_stop(tracking, &err);
    assert_true(clock_mono_ns() - start < 60000000000u); /* not an hour */
    const json_t *series =
        measure_result_get(result, MEASURE_RAM_USED_SYSTEM_MB);
    json_t *values =
        json_object_get(json_object_get(series, "timeseries"), "values");
    assert_int_equal(json_array_size(values), 2); /* at once, and at the end */
    measure_result_free(result);
}

static void test_wrong_and_double_wants_are_said(void **state)
{
    const struct measure_want wrong[] = {{.measure = MEASURE_COUNT}};
    const struct measure_want twice[] = {{.measure = MEASURE_OS_NAME},
                                         {.measure = MEASURE_OS_NAME}};
    struct said said = {0};
    struct err err = {0};
    struct measure_spec spec = {.want = wrong,
                                .want_count = 1,
                                .log = note,
                                .abort = note_abort,
                                .abort_level = MEASURE_WARN,
                                .user = &said};

    (void)state;
    assert_null(measure_start(&spec, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    assert_int_equal(said.messages, 1);
    assert_int_equal(said.aborts, 1);
    assert_string_equal(said.component, "measure");
    spec.want = twice;
    spec.want_count = 2;
    spec.abort_level = MEASURE_CRITICAL;
    struct measure_result *result = measure_info(&spec, &err);
    assert_int_equal(measure_result_count(result), 1);
    assert_int_equal(said.messages, 2);
    assert_int_equal(said.aborts, 1);
    measure_result_free(result);
    assert_null(measure_stop(NULL, &err));
    assert_int_equal(err.kind, ERR_INPUT);
}

static void test_only_needed_providers_are_opened(void **state)
{
    static const struct measure_want want[] = {
        {.measure = MEASURE_CPU_TEMPERATURE_CELSIUS}};
    struct said said = {0};
    struct err err = {0};
    const struct measure_spec spec = {
        .want = want, .want_count = 1, .log = note, .user = &said};

    (void)state;
    struct measure_result *result = measure_info(&spec, &err);
    assert_non_null(result);
    assert_int_equal(measure_result_count(result), 1);
    assert_int_equal(said.opened, 1);
    measure_result_free(result);
}

/* ---- results ------------------------------------------------------------- */

static void test_results_are_bounded_and_take_notes(void **state)
{
    static const struct measure_want want[] = {
        {.measure = MEASURE_OS_KERNEL}, {.measure = MEASURE_CPU_BYTE_ORDER}};
    const struct measure_spec spec = {.want = want, .want_count = 2};
    struct measure_entry entry = {0};
    struct err err = {0};
    struct buf out = {0};

    (void)state;
    struct measure_result *result = measure_info(&spec, &err);
    measure_result_note(result, "seed", json_integer(17));
    assert_int_equal(measure_result_count(result), 3);
    assert_int_equal(measure_result_at(result, 0, &entry), 0);
    assert_string_equal(entry.name, "OS_KERNEL");
    assert_int_equal(entry.type, MEASURE_TYPE_TEXT);
    assert_int_equal(measure_result_at(result, 2, &entry), 0);
    assert_true(entry.is_note);
    assert_string_equal(entry.name, "seed");
    assert_int_equal(measure_result_at(result, 3, &entry), -1);
    assert_null(measure_result_get(result, MEASURE_OS_NAME));
    measure_export_simple(result, NULL, &out);
    assert_non_null(strstr(out.data, "CPU_BYTE_ORDER: little endian\n"));
    assert_non_null(strstr(out.data, "seed: 17\n"));
    buf_clear(&out);
    json_t *json = measure_export_json(NULL, result);
    assert_int_equal(json_integer_value(json_object_get(
                         json_object_get(json, "notes"), "seed")),
                     17);
    json_decref(json);
    assert_int_equal(measure_export_irmetadata(result, NULL, &out, &err), 0);
    assert_non_null(strstr(out.data, "schema version: \"0.2\"\n"));
    buf_clear(&out);
    assert_int_equal(measure_export_irmetadata(NULL, NULL, &out, &err), 0);
    assert_non_null(strstr(out.data, "schema version"));
    buf_release(&out);
    measure_result_free(result);
    measure_result_free(NULL);
}

/* ---- machines ------------------------------------------------------------ */

static void put(const char *root, const char *path, const char *text)
{
    struct err err = {0};
    auto_free char *full = mem_format("%s/%s", root, path);
    auto_free char *folder = mem_dup_str(full);

    *strrchr(folder, '/') = '\0';
    assert_int_equal(io_make_folders(folder, 0755, &err), 0);
    assert_int_equal(io_write_file(full, text, strlen(text), 0644, &err), 0);
}

static const struct measure_want sensors[] = {
    {.measure = MEASURE_CPU_ENERGY_SYSTEM_JOULES},
    {.measure = MEASURE_RAM_ENERGY_SYSTEM_JOULES},
    {.measure = MEASURE_CPU_TEMPERATURE_CELSIUS},
    {.measure = MEASURE_CPU_MODEL_NAME},
    {.measure = MEASURE_CPU_VIRTUALIZATION},
    {.measure = MEASURE_CPU_FREQUENCY_MAX_MHZ},
    {.measure = MEASURE_CPU_CACHES},
    {.measure = MEASURE_CPU_THREADS_PER_CORE},
    {.measure = MEASURE_GPU_SUPPORTED},
    {.measure = MEASURE_GPU_MODEL_NAME},
};

static void test_a_machine_without_sensors_has_nulls(void **state)
{
    struct err err = {0};
    auto_free char *root = io_make_temp_folder("measure", &err);
    const struct measure_spec spec = {
        .want = sensors, .want_count = 8, .root = root};
    struct measure_entry entry;

    (void)state;
    struct measure_tracking *tracking = measure_start(&spec, &err);
    struct measure_result *result = measure_stop(tracking, &err);
    for (size_t i = 0; measure_result_at(result, i, &entry) == 0; i++)
        assert_true(json_is_null(entry.value));
    measure_result_free(result);
    io_remove_tree(root, &err);
}

static void test_counters_that_wrap_still_add_up(void **state)
{
    struct err err = {0};
    auto_free char *root = io_make_temp_folder("measure", &err);
    const struct measure_spec spec = {
        .want = sensors, .want_count = 8, .poll_ms = 3600000, .root = root};

    (void)state;
    put(root, "sys/class/powercap/intel-rapl:0/name", "package-0\n");
    put(root, "sys/class/powercap/intel-rapl:0/energy_uj", "900000000\n");
    put(root, "sys/class/powercap/intel-rapl:0/max_energy_range_uj",
        "1000000000\n");
    put(root, "sys/class/powercap/intel-rapl:0:1/name", "dram\n");
    put(root, "sys/class/powercap/intel-rapl:0:1/energy_uj", "1000000\n");
    put(root, "sys/class/hwmon/hwmon0/name", "coretemp\n");
    put(root, "sys/class/hwmon/hwmon0/temp1_input", "45500\n");
    put(root, "sys/class/hwmon/hwmon1/name", "nvme\n");
    put(root, "sys/class/hwmon/hwmon1/temp1_input", "99000\n");
    put(root, "proc/cpuinfo",
        "vendor_id\t: AuthenticAMD\nmodel name\t: AMD Test\nsiblings\t: 16\n"
        "cpu cores\t: 8\nflags\t\t: fpu svm sse2\n");
    put(root, "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
        "4700000\n");
    put(root, "sys/devices/system/cpu/cpu0/cache/index0/level", "1\n");
    put(root, "sys/devices/system/cpu/cpu0/cache/index0/type", "Data\n");
    put(root, "sys/devices/system/cpu/cpu0/cache/index0/size", "32K\n");

    struct measure_tracking *tracking = measure_start(&spec, &err);
    put(root, "sys/class/powercap/intel-rapl:0/energy_uj", "50000000\n");
    put(root, "sys/class/powercap/intel-rapl:0:1/energy_uj", "3500000\n");
    put(root, "sys/class/hwmon/hwmon0/temp1_input", "61000\n");
    struct measure_result *result = measure_stop(tracking, &err);
    assert_true(json_number_value(measure_result_get(
                    result, MEASURE_CPU_ENERGY_SYSTEM_JOULES)) == 150);
    assert_true(json_number_value(measure_result_get(
                    result, MEASURE_RAM_ENERGY_SYSTEM_JOULES)) == 2.5);
    const json_t *heat =
        measure_result_get(result, MEASURE_CPU_TEMPERATURE_CELSIUS);
    assert_true(json_number_value(json_object_get(heat, "max")) == 61);
    assert_true(json_number_value(json_object_get(heat, "min")) == 45.5);
    assert_string_equal(
        json_string_value(measure_result_get(result, MEASURE_CPU_MODEL_NAME)),
        "AMD Test");
    assert_string_equal(json_string_value(measure_result_get(
                            result, MEASURE_CPU_VIRTUALIZATION)),
                        "AMD-V");
    assert_int_equal(json_integer_value(measure_result_get(
                         result, MEASURE_CPU_FREQUENCY_MAX_MHZ)),
                     4700);
    assert_int_equal(json_integer_value(measure_result_get(
                         result, MEASURE_CPU_THREADS_PER_CORE)),
                     2);
    auto_free char *caches = json_dumps(
        measure_result_get(result, MEASURE_CPU_CACHES), JSON_COMPACT);
    assert_string_equal(caches, "[{\"level\":1,\"type\":\"Data\",\"kib\":32}]");
    measure_result_free(result);
    io_remove_tree(root, &err);
}

/* ---- the archive --------------------------------------------------------- */

static void names_of(const char *path, struct buf *out)
{
    struct archive *archive = archive_read_new();
    struct archive_entry *entry;

    archive_read_support_format_zip(archive);
    assert_int_equal(archive_read_open_filename(archive, path, 65536), 0);
    while (archive_read_next_header(archive, &entry) == ARCHIVE_OK)
        buf_add_format(out, "%s ", archive_entry_pathname(entry));
    archive_read_free(archive);
}

static void test_the_archive_has_what_git_knows_and_goes_away(void **state)
{
    static const struct measure_want want[] = {
        {.measure = MEASURE_GIT_ARCHIVE_PATH}};
    struct said said = {0};
    struct err err = {0};
    struct buf names = {0};
    auto_free char *folder = io_make_temp_folder("measure", &err);
    auto_free char *command = mem_format(
        "cd %s && git init -q && mkdir sub && echo a >sub/tracked && "
        "git add sub && echo b >new && echo ignored >.gitignore && "
        "echo c >ignored && head -c 6000000 /dev/zero >large && "
        "ln -s new link",
        folder);
    struct measure_spec spec = {.want = want,
                                .want_count = 1,
                                .folder = folder,
                                .log = note,
                                .user = &said};

    (void)state;
    assert_int_equal(system(command), 0);
    struct measure_result *result = measure_info(&spec, &err);
    auto_free char *path = mem_dup_str(json_string_value(
        measure_result_get(result, MEASURE_GIT_ARCHIVE_PATH)));
    names_of(path, &names);
    assert_string_equal(names.data, ".gitignore new sub/tracked ");
    assert_int_equal(said.messages, 2); /* the large one, the link */
    assert_true(io_exists(path));
    measure_result_free(result);
    assert_false(io_exists(path));
    *strrchr(path, '/') = '\0';
    assert_false(io_exists(path)); /* nor its folder */
    buf_release(&names);
    io_remove_tree(folder, &err);
}

static void test_another_process_can_be_measured(void **state)
{
    static const struct measure_want want[] = {
        {.measure = MEASURE_TIME_ELAPSED_USER_MS},
        {.measure = MEASURE_TIME_ELAPSED_SYSTEM_MS},
    };
    struct err err = {0};
    char byte = 0;
    int pair[2];

    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair),
                     0);
    pid_t pid = fork();
    if (pid == 0) { /* burns when told, says so, ends with its parent */
        close(pair[0]);
        if (read(pair[1], &byte, 1) == 1) {
            spin(400);
            if (write(pair[1], &byte, 1) == 1 && read(pair[1], &byte, 1) >= 0)
                _exit(0);
        }
        _exit(1);
    }
    close(pair[1]);
    struct measure_spec spec = {
        .want = want, .want_count = 2, .whose = MEASURE_PID, .pid = pid};
    struct measure_tracking *tracking = measure_start(&spec, &err);
    assert_non_null(tracking);
    assert_int_equal(write(pair[0], &byte, 1), 1);
    assert_int_equal(read(pair[0], &byte, 1), 1);
    struct measure_result *result = measure_stop(tracking, &err);
    double spent =
        json_number_value(
            measure_result_get(result, MEASURE_TIME_ELAPSED_USER_MS)) +
        json_number_value(
            measure_result_get(result, MEASURE_TIME_ELAPSED_SYSTEM_MS));
    assert_true(spent >= 350 && spent < 600);
    measure_result_free(result);
    close(pair[0]);
    waitpid(pid, NULL, 0);
    assert_null(measure_start(&spec, &err)); /* it is gone */
    assert_int_equal(err.kind, ERR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_name_is_its_enum),
        cmocka_unit_test(test_every_measure_has_a_provider),
        cmocka_unit_test(test_examples_are_of_their_type),
        cmocka_unit_test(test_a_series_keeps_its_extremes_and_its_limit),
        cmocka_unit_test(test_points_are_spread_evenly),
        cmocka_unit_test(test_a_series_gives_what_was_asked_for),
        cmocka_unit_test(test_a_grandchilds_time_counts),
        cmocka_unit_test(test_stopping_waits_for_no_interval),
        cmocka_unit_test(test_wrong_and_double_wants_are_said),
        cmocka_unit_test(test_only_needed_providers_are_opened),
        cmocka_unit_test(test_results_are_bounded_and_take_notes),
        cmocka_unit_test(test_a_machine_without_sensors_has_nulls),
        cmocka_unit_test(test_counters_that_wrap_still_add_up),
        cmocka_unit_test(test_the_archive_has_what_git_knows_and_goes_away),
        cmocka_unit_test(test_another_process_can_be_measured),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
