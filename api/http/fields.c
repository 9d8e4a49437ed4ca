#include "api/http/fields.h"

#include "runner/base/cleanup.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FIELDS_SEED_DIGITS 64

void fields_init_at(struct fields *fields, struct request *request,
                    const json_t *object, const char *prefix)
{
    *fields = (struct fields){.request = request,
                              .from = object,
                              .left = json_copy((json_t *)(uintptr_t)object),
                              .prefix = prefix};
}

void fields_init(struct fields *fields, struct request *request)
{
    fields_init_at(fields, request, request->json, "");
}

void fields_invalid(struct fields *fields, const char *name, const char *format,
                    ...)
{
    auto_free char *field = mem_format("%s%s", fields->prefix, name);
    char *what = NULL;
    va_list args;

    va_start(args, format);
    if (vasprintf(&what, format, args) < 0)
        what = NULL;
    va_end(args);
    reply_invalid(&fields->request->reply, field, "%s",
                  what ? what : "is wrong");
    free(what);
}

bool fields_has(const struct fields *fields, const char *name)
{
    const json_t *value = json_object_get(fields->from, name);

    return value && !json_is_null(value);
}

/* The member, or NULL; it counts as known from now on. null is absent. */
static json_t *fields_take(struct fields *fields, const char *name)
{
    json_t *value = json_object_get(fields->from, name);

    json_object_del(fields->left, name);
    return json_is_null(value) ? NULL : value;
}

static void fields_wrong(struct fields *fields, const char *name,
                         const char *what)
{
    fields_invalid(fields, name, "must be %s", what);
}

const char *fields_text(struct fields *fields, const char *name, bool required)
{
    const json_t *value = fields_take(fields, name);

    if (!value && required)
        fields_invalid(fields, name, "is missing");
    else if (value && !json_is_string(value))
        fields_wrong(fields, name, "a string");
    return json_string_value(value);
}

void fields_bool(struct fields *fields, const char *name, bool *value)
{
    const json_t *member = fields_take(fields, name);

    if (member && !json_is_boolean(member))
        fields_wrong(fields, name, "true or false");
    else if (member)
        *value = json_is_true(member);
}

const json_t *fields_object(struct fields *fields, const char *name)
{
    const json_t *value = fields_take(fields, name);

    if (value && !json_is_object(value)) {
        fields_wrong(fields, name, "an object");
        return NULL;
    }
    return value;
}

void fields_count(struct fields *fields, const char *name,
                  struct uri_range range, int64_t *value)
{
    const json_t *member = fields_take(fields, name);

    if (!member)
        return;
    if (json_is_integer(member) && json_integer_value(member) >= range.low &&
        json_integer_value(member) <= range.high)
        *value = json_integer_value(member);
    else
        fields_invalid(fields, name,
                       "must be an integer of %" PRId64 " to %" PRId64,
                       range.low, range.high);
}

void fields_scopes(struct fields *fields, const char *name, unsigned *scopes)
{
    static const char words[] = "one of"
#define SCOPE(name, word, text) " " word
#include "db/scope.def"
        ;
    const json_t *list = fields_take(fields, name);
    const json_t *member;
    unsigned found = 0;
    size_t i;

    if (!list)
        return;
    json_array_foreach(list, i, member) {
        const char *word = json_string_value(member);
        unsigned scope = word ? scope_parse(word) : 0;
        auto_free char *field = mem_format("%s/%zu", name, i);
        if (!scope)
            fields_wrong(fields, field, words);
        found |= scope;
    }
    if (!json_is_array(list))
        fields_wrong(fields, name, "a list of scopes");
    *scopes = found;
}

size_t fields_ids(struct fields *fields, const char *name, int64_t *id,
                  size_t cap)
{
    const json_t *list = fields_take(fields, name);
    size_t count = json_array_size(list);

    if (!list) {
        fields_invalid(fields, name, "is missing");
        return 0;
    }
    if (!json_is_array(list) || count == 0 || count > cap) {
        fields_invalid(fields, name, "must be a list of 1 to %zu ids", cap);
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *member = json_array_get(list, i);
        id[i] = json_integer_value(member);
        if (json_is_integer(member) && id[i] > 0 && id[i] <= REPLY_MAX_INTEGER)
            continue;
        char *field = mem_format("%s/%zu", name, i);
        fields_wrong(fields, field, "an id: a positive integer");
        free(field);
        count = 0;
    }
    return count;
}

static bool fields_is_hex_seed(const char *text)
{
    if (strlen(text) != FIELDS_SEED_DIGITS)
        return false;
    for (; *text; text++)
        if (!isxdigit((unsigned char)*text))
            return false;
    return true;
}

char *fields_seed(struct fields *fields, const char *name)
{
    const json_t *value = fields_take(fields, name);
    const char *text = json_string_value(value);
    json_int_t number = json_integer_value(value);

    if (!value)
        return NULL;
    if (json_is_integer(value) && number >= 0 && number <= REPLY_MAX_INTEGER)
        return mem_format("%" JSON_INTEGER_FORMAT, number);
    if (text && fields_is_hex_seed(text)) {
        char *seed = mem_dup_str(text);
        for (char *c = seed; *c; c++)
            *c = (char)tolower((unsigned char)*c);
        return seed;
    }
    fields_wrong(fields, name, "an integer of 0 to 2^53-1 or 64 hex digits");
    return NULL;
}

const json_t *fields_list(struct fields *fields, const char *name)
{
    const json_t *value = fields_take(fields, name);

    if (value && !json_is_array(value)) {
        fields_wrong(fields, name, "a list");
        return NULL;
    }
    return value;
}

bool fields_close(struct fields *fields)
{
    const char *name;
    json_t *value;

    json_object_foreach(fields->left, name, value)
        fields_invalid(fields, name, "is not known here");
    json_decref(fields->left);
    fields->left = NULL;
    return !fields->request->reply.errors;
}

bool fields_end(struct fields *fields)
{
    if (fields_close(fields))
        return true;
    reply_invalid_body(&fields->request->reply);
    return false;
}
