#include "runner/match/match.h"

static json_t *number(uint64_t value)
{
    return json_integer(
        (json_int_t)(value < LIMITS_MAX_NUMBER ? value : LIMITS_MAX_NUMBER));
}

static json_t *result_json(const struct match_result *result, unsigned slot,
                           const char *name)
{
    json_t *object = json_object();

    json_object_set_new(object, "bot", json_string(name));
    json_object_set_new(object, "slot", json_integer(slot));
    json_object_set_new(object, "rank", json_integer(result->rank));
    json_object_set_new(object, "score", json_integer(result->score));
    json_object_set_new(object, "verdict",
                        json_string(verdict_text(result->verdict)));
    json_object_set_new(object, "detail", json_string(result->detail));
    json_object_set_new(object, "instructions", number(result->instructions));
    return object;
}

json_t *match_json(const struct match_spec *spec, const struct match *match,
                   char *const *names)
{
    json_t *document = json_object();
    json_t *results = json_array();

    for (unsigned slot = 0; slot < match->slots; slot++)
        json_array_append_new(
            results, result_json(&match->result[slot], slot, names[slot]));
    json_object_set_new(document, "status", json_string("finished"));
    json_object_set_new(document, "game", json_string(spec->game_name));
    json_object_set_new(document, "game_version",
                        json_string(spec->game->hash));
    json_object_set_new(document, "fingerprint",
                        json_string(spec->game->fingerprint));
    json_object_set_new(document, "seed", match_seed_json(spec->seed));
    json_object_set_new(document, "limits", limits_json(&spec->limits));
    json_object_set_new(document, "results", results);
    json_object_set_new(document, "turns", json_integer(match->turns));
    json_object_set_new(document, "replay_sha256",
                        json_string(match->replay_sha256));
    json_object_set_new(document, "jail_level", json_integer(match->level));
    return document;
}
