/* new: a folder with a first bot that compiles, plays and is read as a lesson.
 */
#include "api/cli/cli.h"
#include "api/cli/kit.h"

#include "runner/base/cleanup.h"
#include "runner/base/io.h"
#include "runner/work/gamebook.h"

#include <errno.h>
#include <string.h>

int cmd_new(int argc, char **argv);

#define NEW_MAX_BYTES (1u << 20)

struct language {
    const char *name; /* of --lang */
    const char *file; /* the bot's */
    const char *starter;
};

static const struct language languages[] = {
    {"c", "bot.c", "starter.c"},
    {"c++", "bot.cpp", "starter.cpp"},
    {"cpp", "bot.cpp", "starter.cpp"},
};

static const struct language *language_find(const char *name)
{
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (!strcmp(languages[i].name, name))
            return &languages[i];
    return NULL;
}

/* A folder that is not there, or holds nothing: no work of anybody's is lost.
 */
static int make_folder(const char *path, struct err *err)
{
    if (io_make_folders(path, 0755, err) < 0)
        return -1;
    auto_dir DIR *dir = opendir(path);
    if (!dir)
        return err_sys(err, errno, "%s: open", path);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            return err_set(err, ERR_CONFLICT,
                           "%s is not empty: name a new folder", path);
    return 0;
}

static int copy(const char *from_folder, const char *from,
                const char *to_folder, const char *to, struct err *err)
{
    auto_free char *source = mem_format("%s/%s", from_folder, from);
    auto_free char *target = mem_format("%s/%s", to_folder, to);
    auto_buf struct buf bytes = {0};

    if (io_read_file(source, NEW_MAX_BYTES, &bytes, err) < 0)
        return -1;
    return io_write_file(target, bytes.data, bytes.size, 0644, err);
}

static int write_note(const char *folder, const char *game, struct err *err)
{
    auto_free char *path = mem_format("%s/" KIT_NOTE, folder);
    auto_free char *text = mem_format("{\"game\": \"%s\"}\n", game);

    return io_write_file(path, text, strlen(text), 0644, err);
}

static void print_next(const char *game, const struct language *language,
                       const struct gamebook_entry *entry, const char *folder)
{
    auto_free char *rival =
        entry->sample_count ? realpath(entry->sample[0], NULL) : NULL;

    printf("%s/%s   your bot: it plays already\n", folder, language->file);
    printf("%s/rules.md   the rules of %s\n\n", folder, game);
    printf("Next:\n  bout test %s\n", folder);
    if (rival)
        printf("  bout play %s %s %s --replay match.log\n"
               "  bout watch match.log\n  bout why match.log\n",
               game, folder, rival);
}

static int make(const char *game, const struct language *language,
                const char *folder, struct err *err)
{
    auto_gamebook struct gamebook book = {0};
    int code = gamebook_read(&book, err);
    struct gamebook_entry *entry =
        code < 0 ? NULL : gamebook_get(&book, game, err);

    code = entry ? 0 : -1;
    if (entry) {
        auto_free char *starter =
            mem_format("%s/%s", entry->folder, language->starter);
        if (!io_exists(starter))
            code = err_set(err, ERR_MISSING,
                           "%s has no first bot in %s; its rules are "
                           "%s/rules.md",
                           game, language->name, entry->folder);
    }
    if (code == 0 &&
        (make_folder(folder, err) < 0 ||
         copy(entry->folder, language->starter, folder, language->file, err) <
             0 ||
         copy(entry->folder, "rules.md", folder, "rules.md", err) < 0 ||
         write_note(folder, game, err) < 0))
        code = -1;
    if (code == 0)
        print_next(game, language, entry, folder);
    return code;
}

int cmd_new(int argc, char **argv)
{
    const char *name = "c";
    const struct cli_option options[] = {
        {"lang", 'l', CLI_TEXT, &name, "LANGUAGE", "c (the default) or c++",
         false},
        {0},
    };
    const struct cli_command command = {
        .name = "new",
        .operands = "GAME DIR",
        .text = "Writes a first bot for a game into the new folder DIR: it "
                "compiles, it plays, and\nits comments are a lesson.",
        .option = options,
        .operands_min = 2,
        .operands_max = 2,
    };
    struct cli_operands operands;
    struct err err = {0};
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    const struct language *language = language_find(name);
    if (!language)
        return cli_usage(command.name, "--lang: %s is neither c nor c++", name);
    if (make(operands.item[0], language, operands.item[1], &err) < 0)
        return cli_fail(command.name, &err);
    return cli_finish(command.name);
}
