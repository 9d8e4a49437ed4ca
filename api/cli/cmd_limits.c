/* limits: the numbers of contract section 3, and what a program is told. */
#include "api/cli/cli.h"

#include "db/quotas.h"
#include "db/retention.h"
#include "runner/match/limits.h"

int cmd_limits(int argc, char **argv);

/* Contract section 5. */
static const char build_text[] =
    "Your program is C (gnu17) or C++ (gnu++20), compiled with -O2 for a\n"
    "64-bit little-endian machine where long double is double. It reads what\n"
    "the game says from standard input and prints its move; no flush is "
    "needed,\n"
    "no SDK. The macro BOUT is defined; assert, exceptions and RTTI are on; a\n"
    "function that ends without its value is an error. No processor's macros\n"
    "are defined (__x86_64__, __SSE2__); __LITTLE_ENDIAN__ and __BYTE_ORDER__\n"
    "are, and __has_include knows which headers are there.\n\n"
    "All .c, .cc and .cpp files of the upload (files, or one .zip, .tar.gz or\n"
    ".tar.zst) are compiled. #include and #embed see the\n"
    "upload and our headers only. Upload: 8 MiB, 1,000 files; build: 20 s of\n"
    "processor time and 1 GiB.\n\n"
    "There are no threads, files, sockets, inline assembly or processor\n"
    "intrinsics: use one thread, arrays or #embed for data, plain C for\n"
    "vectors. time, clock and rand run on the instruction clock (1 "
    "instruction\n"
    "= 1 ns, from 2000-01-01T00:00:00Z) and on the slot's seeded stream.\n"
    "Nothing persists between matches.\n";

static void print_kept(void)
{
    struct retention retention;

    retention_init(&retention);
    puts("\nHow long it keeps what, and of parts of matches how much at most:");
    for (int i = 0; i < RETAINED_COUNT; i++) {
        printf("%-16s %6lld days ", retained_word((enum retained)i),
               (long long)retention.age_s[i] / 86400);
        if (i < PART_COUNT)
            printf("%3lld GiB", (long long)retention.bytes[i] >> 30);
        else
            printf("%7s", "");
        printf("  %s\n", retained_sentence((enum retained)i));
    }
}

static int print_limits(void)
{
    struct limits limits;
    const char *key;
    json_t *value;

    limits_init(&limits, 0, 0, 0);
    json_t *document = limits_json(&limits);
    json_object_foreach(document, key, value) {
        printf("%-16s %15lld", key, (long long)json_integer_value(value));
        if (limits_multiple(key))
            printf("  %llu x turn_soft, unless given",
                   (unsigned long long)limits_multiple(key));
        putchar('\n');
    }
    printf("%-16s %15s  steps of a match\n", "turns", "the game's");
    printf("%-16s %15s  a turn's rest, saved for later turns, at most\n",
           "turn_bank", "the game's");
    json_decref(document);
    puts("\nWhat a user may have of a service, unless it says otherwise:");
    for (int q = 0; q < QUOTA_COUNT; q++)
        printf("%-16s %15lld  %s\n", quota_word((enum quota)q),
               (long long)quota_default((enum quota)q),
               quota_sentence((enum quota)q));
    print_kept();
    puts(
        "\nCounts are instructions (`bout costs`), sizes are bytes. A game may "
        "set its own.\ncpu_ns a turn is 1 s + 500 ns for each instruction of "
        "the turn's limit; wall_ns\nis 10 times that.");
    return cli_finish("limits");
}

int cmd_limits(int argc, char **argv)
{
    bool json = false;
    bool build = false;
    const struct cli_option options[] = {
        {"build", 0, CLI_FLAG, &build, NULL, "print what a program may be",
         false},
        {"json", 0, CLI_FLAG, &json, NULL, "print one JSON document", false},
        {0},
    };
    const struct cli_command command = {
        .name = "limits",
        .operands = "",
        .text =
            "Prints the default limits of a match, and of a user of a service.",
        .option = options,
    };
    struct cli_operands operands;
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    if (build) {
        fputs(build_text, stdout);
        return cli_finish(command.name);
    }
    if (!json)
        return print_limits();

    struct limits limits;
    limits_init(&limits, 0, 0, 0);
    json_t *document = limits_json(&limits);
    json_object_set_new(document, "turns", json_null()); /* the game's */
    json_t *quotas = json_object();
    for (int q = 0; q < QUOTA_COUNT; q++)
        json_object_set_new(quotas, quota_word((enum quota)q),
                            json_integer(quota_default((enum quota)q)));
    json_object_set_new(document, "quotas", quotas);
    struct retention retention;
    retention_init(&retention);
    json_object_set_new(document, "kept", retention_json(&retention));
    code = cli_print_json(command.name, document);
    json_decref(document);
    return code;
}
