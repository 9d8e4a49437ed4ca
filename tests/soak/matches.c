/* matches: plays COUNT matches in a row and looks at this process after each
 * tenth: resident memory, open descriptors, children, time of a match (printed,
 * not judged). Exit code 1 where something grew. Usage: matches COUNT. */
#include "runner/base/cleanup.h"
#include "runner/base/clock.h"
#include "runner/match/match.h"
#include "runner/work/gamebook.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GROWTH_KIB_MOST 1024

struct sample {
    long resident_kib;
    int descriptors;
    int maps;
};

static struct err err;

static _Noreturn void end(const char *what)
{
    fprintf(stderr, "matches: %s\n", what);
    exit(1);
}

static struct sample sample_take(void)
{
    struct sample sample = {0};
    auto_file FILE *statm = fopen("/proc/self/statm", "re");
    auto_file FILE *maps = fopen("/proc/self/maps", "re");
    auto_dir DIR *folder = opendir("/proc/self/fd");

    if (!statm || !maps || !folder ||
        fscanf(statm, "%*d %ld", &sample.resident_kib) != 1)
        end("/proc");
    sample.resident_kib *= sysconf(_SC_PAGESIZE) / 1024;
    while (readdir(folder))
        sample.descriptors++;
    for (int c; (c = fgetc(maps)) != EOF;)
        sample.maps += c == '\n';
    return sample;
}

static void open_game(struct gamebook *book, struct zygote *zygote,
                      struct match_spec *spec)
{
    struct gamebook_entry *game;

    if (gamebook_read(book, &err) < 0 ||
        !(game = gamebook_get(book, "hundred", &err)) ||
        !(spec->game = gamebook_referee(game, zygote, &err)) ||
        !(spec->bot[0] = gamebook_sample(game, 0, &err)))
        end(err.msg);
    spec->bot[1] = spec->bot[0];
    limits_init(&spec->limits, game->about.turn_soft, game->about.turn_bank,
                game->about.turns);
}

/* Microseconds a match. */
static double play(struct zygote *zygote, const struct match_spec *spec,
                   unsigned count)
{
    static char first[HASH_HEX_SIZE];
    uint64_t start_ns = clock_mono_ns();

    for (unsigned i = 0; i < count; i++) {
        struct match match = {0};

        if (match_play(zygote, spec, &match, &err) < 0)
            end(err.msg);
        if (!*first)
            memcpy(first, match.replay_sha256, sizeof first);
        if (strcmp(first, match.replay_sha256) != 0)
            end("a match went another way than the first");
        match_release(&match);
    }
    return (double)(clock_mono_ns() - start_ns) / 1000 / (count ? count : 1);
}

int main(int argc, char **argv)
{
    unsigned tenth = argc > 1 ? (unsigned)atoi(argv[1]) / 10 : 0;
    struct match_spec spec = {.game_name = "hundred", .slots = 2, .seed = "1"};
    struct zygote *zygote = zygote_start(0, &err);
    struct gamebook book = {0};
    struct sample first = {0}, last = {0};

    if (!zygote || !tenth)
        end(zygote ? "usage: matches COUNT (at least 10)" : err.msg);
    open_game(&book, zygote, &spec);
    for (int i = 0; i < 10; i++) {
        double match_us = play(zygote, &spec, tenth);

        last = sample_take();
        if (i == 0)
            first = last;
        printf("%u matches: %ld KiB, %d descriptors, %d mappings, %.0f us\n",
               tenth * (unsigned)(i + 1), last.resident_kib, last.descriptors,
               last.maps, match_us);
    }
    gamebook_release(&book);
    zygote_stop(zygote);
    return last.resident_kib > first.resident_kib + GROWTH_KIB_MOST ||
           last.descriptors != first.descriptors || last.maps > first.maps + 4;
}
