/* fields: reading a JSON body's members, noting everything that is wrong with
 * reply_invalid, so that the client sees all of it at once.
 *
 * Each reader takes the member away from what fields_end will find unknown.
 * Absent optional members leave the output as it was.
 */
#pragma once

#include "api/http/request.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct fields {
    struct request *request;
    const json_t *from; /* the object that is read */
    json_t *left;       /* a copy of it: the members not read yet */
    const char *prefix; /* of the names in errors: "matches/3/" */
};

void fields_init(struct fields *fields, struct request *request);
/* Of an object within the body. `prefix` is borrowed. */
void fields_init_at(struct fields *fields, struct request *request,
                    const json_t *object, const char *prefix);
/* Notes that the member is wrong, as reply_invalid does. */
void fields_invalid(struct fields *fields, const char *name, const char *format,
                    ...) __attribute__((format(printf, 3, 4)));

/* Borrowed from the request's body. A required one that is absent is noted. */
const char *fields_text(struct fields *fields, const char *name, bool required);
void fields_bool(struct fields *fields, const char *name, bool *value);
const json_t *fields_object(struct fields *fields, const char *name);
/* Ids, at most `cap` of them. Returns how many; 0 where anything was wrong. */
size_t fields_ids(struct fields *fields, const char *name, int64_t *id,
                  size_t cap);
/* An integer of low to high. */
void fields_count(struct fields *fields, const char *name,
                  struct uri_range range, int64_t *value);
/* The bits of a list of words (db/scope.def). */
void fields_scopes(struct fields *fields, const char *name, unsigned *scopes);
/* A decimal integer or 64 hex digits, as a new text; NULL: absent or wrong. */
char *fields_seed(struct fields *fields, const char *name);

/* Is the member there, and not null? */
bool fields_has(const struct fields *fields, const char *name);
/* The member's list, or NULL. */
const json_t *fields_list(struct fields *fields, const char *name);

/* Notes unknown members, and is of no use afterwards. False: anything was
 * wrong, and nothing is answered yet. */
bool fields_close(struct fields *fields);
/* Notes unknown members. False, with 422 answered, if anything was wrong. */
bool fields_end(struct fields *fields);
