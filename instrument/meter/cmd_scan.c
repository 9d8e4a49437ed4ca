/* bout-meter scan: the last look at a linked executable. */
#include "instrument/meter/cmd.h"

#include "instrument/meter/scan.h"
#include "runner/base/cleanup.h"
#include "runner/base/io.h"

#include <getopt.h>

#define SCAN_MAX_BYTES (1u << 30)

static const char usage[] =
    "usage: bout-meter scan [--runtime RUNTIME.o] ELF\n"
    "Exit code 1, with the file offset on standard error, if the executable\n"
    "is not of a bot's form or holds an instruction that no bot may hold.\n"
    "With --runtime its trusted code is compared with that object.\n";

static int run(const char *path, const char *runtime_path, struct err *err)
{
    auto_buf struct buf elf = {0};
    auto_buf struct buf runtime = {0};

    if (io_read_file(path, SCAN_MAX_BYTES, &elf, err) < 0)
        return -1;
    if (runtime_path &&
        io_read_file(runtime_path, SCAN_MAX_BYTES, &runtime, err) < 0)
        return -1;
    if (scan_executable(&elf, runtime_path ? &runtime : NULL, err) < 0)
        return err_wrap(err, "%s", path);
    return 0;
}

int cmd_scan(int argc, char **argv)
{
    static const struct option options[] = {
        {"runtime", required_argument, NULL, 'r'},
        {0},
    };
    const char *runtime = NULL;
    struct err err;
    int option;

    /* One thread. NOLINTNEXTLINE(concurrency-mt-unsafe) */
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option != 'r')
            return cmd_usage(usage);
        runtime = optarg;
    }
    if (optind + 1 != argc)
        return cmd_usage(usage);
    return run(argv[optind], runtime, &err) < 0 ? cmd_fail("scan", &err) : 0;
}
