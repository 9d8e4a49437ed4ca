/* decode_tree: blocks by their place in the tree. A block's place is found by
 * its parent's id; ids of one tree follow each other, so the last million are
 * remembered: a block whose parent is further back hangs at the root. */
#include "profiler/decode.h"
#include "runner/base/cleanup.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#define NODE_NONE UINT32_MAX
#define IDS (1u << 20)
#define MESSAGES_MAX 1000 /* shown; the rest is counted */

struct node {
    char *name;
    uint32_t parent;
    uint64_t calls;
    uint64_t total;  /* ticks */
    uint64_t inside; /* of its children */
};

struct id_node {
    uint32_t id; /* 0: none */
    uint32_t node;
};

struct decode_tree {
    struct node *node;
    size_t node_count, node_capacity;
    json_t *index;         /* "parent\nname" -> node */
    struct id_node *by_id; /* IDS, by id % IDS */
    json_t *waiting;       /* "thread\nname" -> ticks of its trylock */
    json_t *locks;         /* name -> {times, ticks} waited */
    uint64_t frames, last_frame;
    uint64_t messages;
    struct buf shown; /* messages */
};

struct decode_tree *decode_tree_new(void)
{
    struct decode_tree *tree = mem_calloc(1, sizeof *tree);

    tree->by_id = mem_calloc(IDS, sizeof *tree->by_id);
    tree->index = json_object();
    tree->waiting = json_object();
    tree->locks = json_object();
    return tree;
}

void decode_tree_free(struct decode_tree *tree)
{
    for (size_t i = 0; i < tree->node_count; i++)
        free(tree->node[i].name);
    free(tree->node);
    free(tree->by_id);
    json_decref(tree->index);
    json_decref(tree->waiting);
    json_decref(tree->locks);
    buf_release(&tree->shown);
    free(tree);
}

char *decode_clean(const char *text)
{
    char *copy = mem_dup_str(text);

    for (char *at = copy; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = '?';
    json_t *valid = json_string(copy);
    for (char *at = copy; !valid && *at; at++)
        if ((unsigned char)*at >= 0x80)
            *at = '?';
    json_decref(valid);
    return copy;
}

static uint32_t node_get(struct decode_tree *tree, uint32_t parent,
                         const char *name)
{
    auto_free char *key = mem_format("%u\n%s", parent, name);
    const json_t *known = json_object_get(tree->index, key);

    if (known)
        return (uint32_t)json_integer_value(known);
    if (tree->node_count == tree->node_capacity) {
        tree->node_capacity = tree->node_capacity * 2 + 64;
        tree->node =
            mem_realloc(tree->node, tree->node_capacity * sizeof *tree->node);
    }
    uint32_t number = (uint32_t)tree->node_count++;
    tree->node[number] =
        (struct node){.name = mem_dup_str(name), .parent = parent};
    json_object_set_new(tree->index, key, json_integer(number));
    return number;
}

static uint32_t node_of(const struct decode_tree *tree, uint32_t id)
{
    const struct id_node *known = &tree->by_id[id % IDS];

    return id && known->id == id ? known->node : NODE_NONE;
}

static void take_block(struct decode_tree *tree, const struct decode_item *item,
                       const char *name)
{
    uint32_t parent = node_of(tree, item->parent);
    uint32_t number = node_get(tree, parent, name);
    struct node *node = &tree->node[number];

    node->calls++;
    node->total += item->end - item->start;
    if (parent != NODE_NONE)
        tree->node[parent].inside += item->end - item->start;
    tree->by_id[item->id % IDS] =
        (struct id_node){.id = item->id, .node = number};
}

/* From trylock to lock a thread has waited. */
static void take_lock(struct decode_tree *tree, const struct decode_item *item,
                      const char *name)
{
    auto_free char *key = mem_format("%u\n%s", item->thread, name);
    const json_t *since = json_object_get(tree->waiting, key);

    if (item->kind == RECORD_TRYLOCK) {
        json_object_set_new(tree->waiting, key,
                            json_integer((json_int_t)item->start));
        return;
    }
    if (!since)
        return;
    json_t *lock = json_object_get(tree->locks, name);
    if (!lock) {
        lock = json_pack("[i,i]", 0, 0);
        json_object_set_new(tree->locks, name, lock);
    }
    json_int_t waited = (json_int_t)item->start - json_integer_value(since);
    json_array_set_new(
        lock, 0, json_integer(json_integer_value(json_array_get(lock, 0)) + 1));
    json_array_set_new(
        lock, 1,
        json_integer(json_integer_value(json_array_get(lock, 1)) + waited));
    json_object_del(tree->waiting, key);
}

void decode_tree_take(void *user, const struct decode_item *item)
{
    struct decode_tree *tree = user;
    auto_free char *text = decode_clean(item->text);

    if (item->kind == RECORD_BLOCK) {
        take_block(tree, item, text);
    } else if (item->kind == RECORD_FRAME) {
        tree->frames++;
        tree->last_frame = item->end;
    } else if (item->kind == RECORD_TRYLOCK || item->kind == RECORD_LOCK) {
        take_lock(tree, item, text);
    } else if (item->kind == RECORD_LOG && tree->messages++ < MESSAGES_MAX) {
        buf_add_format(&tree->shown, "%15" PRIu64 "  %s\n", item->start, text);
    }
}

/* ---- for reading --------------------------------------------------------- */

static double microseconds(const struct decoder *decoder, uint64_t ticks)
{
    return decoder->ticks_per_second
               ? (double)ticks * 1e6 / (double)decoder->ticks_per_second
               : 0;
}

/* Children are later than their parents: one pass a level would be quadratic,
 * so children are linked first. */
struct links {
    uint32_t *first; /* [0] of the root, then node + 1 */
    uint32_t *next;
};

static void link_nodes(const struct decode_tree *tree, struct links *links)
{
    size_t count = tree->node_count;

    links->first = mem_alloc((2 * count + 2) * sizeof(uint32_t));
    links->next = links->first + count + 1;
    memset(links->first, 0xff, (2 * count + 2) * sizeof(uint32_t));
    for (size_t i = count; i-- > 0;) {
        uint32_t parent = tree->node[i].parent;
        uint32_t *first =
            &links->first[parent == NODE_NONE ? 0 : (size_t)parent + 1];
        links->next[i] = *first;
        *first = (uint32_t)i;
    }
}

void decode_tree_walk(const struct decode_tree *tree,
                      void (*take)(void *user, const struct decode_node *node),
                      void *user)
{
    struct links links;

    link_nodes(tree, &links);
    uint32_t at = links.first[0];
    unsigned depth = 0;
    while (at != NODE_NONE) {
        const struct node *node = &tree->node[at];
        take(user,
             &(struct decode_node){
                 .name = node->name,
                 .depth = depth,
                 .calls = node->calls,
                 .ticks = node->total,
                 .own = node->total > node->inside ? node->total - node->inside
                                                   : 0,
             });
        if (links.first[at + 1] != NODE_NONE) {
            at = links.first[at + 1];
            depth++;
            continue;
        }
        while (at != NODE_NONE && links.next[at] == NODE_NONE) {
            at = tree->node[at].parent;
            depth--;
        }
        if (at != NODE_NONE)
            at = links.next[at];
    }
    free(links.first);
}

struct listing {
    const struct decoder *decoder;
    struct buf *out;
};

static void format_node(void *user, const struct decode_node *node)
{
    struct listing *listing = user;

    buf_add_format(listing->out, "%12" PRIu64 " %16.3f %16.3f  %*s%s\n",
                   node->calls, microseconds(listing->decoder, node->ticks),
                   microseconds(listing->decoder, node->own),
                   2 * (node->depth < 40 ? (int)node->depth : 40), "",
                   node->name);
}

static void format_locks(const struct decode_tree *tree,
                         const struct decoder *decoder, struct buf *out)
{
    const char *name;
    json_t *lock;

    if (json_object_size(tree->locks))
        buf_add_str(out, "\n       times   us waited for  lock\n");
    json_object_foreach(tree->locks, name, lock) {
        buf_add_format(out, "%12" JSON_INTEGER_FORMAT " %16.3f  %s\n",
                       json_integer_value(json_array_get(lock, 0)),
                       microseconds(decoder, (uint64_t)json_integer_value(
                                                 json_array_get(lock, 1))),
                       name);
    }
}

void decode_tree_format(const struct decode_tree *tree,
                        const struct decoder *decoder, struct buf *out)
{
    auto_free char *identifier =
        decode_clean(decoder->identifier ? decoder->identifier : "");

    buf_add_format(out,
                   "%s: %" PRIu64 " ticks a second, %" PRIu64 " frames%s\n",
                   identifier, decoder->ticks_per_second, tree->frames,
                   decoder->has_ended ? "" : ", cut before its end");
    if (decoder->lost || decoder->damages)
        buf_add_format(out,
                       "%" PRIu64 " blocks were lost; the stream is damaged in "
                       "%" PRIu64 " places, %" PRIu64 " bytes passed over\n",
                       decoder->lost, decoder->damages, decoder->bytes_left);
    buf_add_str(out, "\n       calls         us in all           us own  "
                     "block\n");
    decode_tree_walk(tree, format_node,
                     &(struct listing){.decoder = decoder, .out = out});
    format_locks(tree, decoder, out);
    if (tree->messages) {
        buf_add_format(out, "\n          ticks  message (%" PRIu64 ")\n",
                       tree->messages);
        buf_add(out, tree->shown.data, tree->shown.size);
    }
}
