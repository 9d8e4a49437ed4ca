#include "profiler/report/model_internal.h"

static uint64_t read_stream(const struct profile_turn *turn,
                            void (*take)(void *user,
                                         const struct decode_item *item),
                            void *user)
{
    struct decoder decoder;

    decoder_init(&decoder, take, user);
    decoder_feed(&decoder, turn->blocks.data, turn->blocks.size);
    decoder_end(&decoder);
    uint64_t lost = decoder.lost;
    decoder_release(&decoder);
    return lost;
}

uint64_t named_add(const struct profile_turn *turn, struct decode_tree *tree)
{
    return read_stream(turn, decode_tree_take, tree);
}

void named_read(const struct profile_turn *turn,
                void (*take)(void *user, const struct decode_item *item),
                void *user)
{
    read_stream(turn, take, user);
}

bool named_any(const struct profile *profile)
{
    for (size_t t = 0; t < profile->turn_count; t++)
        if (profile->turn[t].blocks.size)
            return true;
    return false;
}
