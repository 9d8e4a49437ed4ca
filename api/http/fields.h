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
    json_t *left; /* a copy of the body: the members not read yet */
};

void fields_init(struct fields *fields, struct request *request);

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

/* Notes unknown members. False, with 422 answered, if anything was wrong. */
bool fields_end(struct fields *fields);
