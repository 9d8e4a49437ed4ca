/* games: which games are installed here, as their referees describe them; and
 * taking in another. */
#include "api/cli/cli.h"
#include "api/cli/game_add.h"

#include "runner/base/cleanup.h"
#include "runner/work/gamebook.h"

#include <inttypes.h>
#include <string.h>

int cmd_games(int argc, char **argv);

static json_t *game_json(const struct gamebook_entry *entry)
{
    const struct match_game *about = &entry->about;
    json_t *object = json_object();

    json_object_set_new(object, "name", json_string(about->name));
    json_object_set_new(object, "label", json_string(about->label));
    json_object_set_new(object, "version", json_string(entry->referee->hash));
    json_object_set_new(object, "min_slots", json_integer(about->min_slots));
    json_object_set_new(object, "max_slots", json_integer(about->max_slots));
    json_object_set_new(object, "turns", json_integer(about->turns));
    if (about->turn_soft)
        json_object_set_new(object, "turn_soft",
                            json_integer((json_int_t)about->turn_soft));
    if (about->turn_bank)
        json_object_set_new(object, "turn_bank",
                            json_integer((json_int_t)about->turn_bank));
    json_object_set_new(object, "folder", json_string(entry->folder));
    return object;
}

static int print(const struct gamebook *book, bool json)
{
    if (json) {
        json_t *document = json_object();
        json_t *items = json_array();
        for (size_t i = 0; i < book->count; i++)
            json_array_append_new(items, game_json(&book->entry[i]));
        json_object_set_new(document, "items", items);
        int code = cli_print_json("games", document);
        json_decref(document);
        return code;
    }
    for (size_t i = 0; i < book->count; i++) {
        const struct gamebook_entry *entry = &book->entry[i];
        auto_free char *folder = realpath(entry->folder, NULL);
        char slots[32];

        printf("%-10s %-14s %6s bots, at most %3" PRIu32
               " turns; rules: %s/rules.md\n",
               entry->name, entry->about.label,
               gamebook_slots(&entry->about, slots, sizeof slots),
               entry->about.turns, folder ? folder : entry->folder);
    }
    return cli_finish("games");
}

static int run(bool json, struct err *err)
{
    auto_zygote struct zygote *zygote = zygote_start(-1, err);
    auto_gamebook struct gamebook book = {0};

    if (!zygote || gamebook_read(&book, err) < 0)
        return -1;
    for (size_t i = 0; i < book.count; i++)
        if (!gamebook_referee(&book.entry[i], zygote, err))
            return -1;
    return print(&book, json);
}

int cmd_games(int argc, char **argv)
{
    bool json = false;
    const struct cli_option options[] = {
        {"json", 0, CLI_FLAG, &json, NULL, "print one JSON document", false},
        {0},
    };
    const struct cli_command command = {
        .name = "games",
        .operands = "[add DIR]",
        .text = "Lists the games that are installed here. `add` tries the game "
                "in the folder DIR\n(built, played by its samples, twice the "
                "same) and copies it to DATA/games, where\nthe service and all "
                "commands look: BOUT_DATA, or ~/.local/share/bout.",
        .option = options,
        .operands_max = 2,
    };
    struct cli_operands operands;
    struct err err = {0};
    int code = cli_parse(&command, argc, argv, &operands);

    if (code != CLI_GO_ON)
        return code;
    if (operands.count == 1 ||
        (operands.count == 2 && strcmp(operands.item[0], "add") != 0))
        return cli_usage(command.name, "it is `bout games` or `bout games add "
                                       "DIR`");
    if (operands.count == 2)
        code = game_add(operands.item[1], &err);
    else
        code = run(json, &err);
    return code < 0 ? cli_fail(command.name, &err) : code;
}
