/* matches: what the resources below /v1/matches/{id} share. */
#pragma once

#include "api/http/request.h"
#include "db/matches.h"

/* The match of the path. 1: filled; 0: answered 404; -1. */
int matches_get(struct request *request, struct db *db, struct match_row *match,
                struct err *err);

/* As matches_get, and it must be finished: answers 409 otherwise. */
int matches_get_finished(struct request *request, struct db *db,
                         struct match_row *match, struct err *err);

/* As matches_get_finished; `slot` is the query's, and its bot must be the
 * client's: answers 422 or 403 otherwise. */
int matches_get_slot(struct request *request, struct db *db,
                     struct match_row *match, unsigned *slot, struct err *err);

/* Is that part of the match kept? Answers 410 otherwise, with when it went. */
bool matches_must_keep(struct request *request, const struct match_row *match,
                       enum retained part);

/* Can it be played again, or (slot >= 0) that slot's turns? What played it
 * under another toolchain may not have been kept, and nothing is of versions
 * that were dropped and of who was erased: answers 409 then. 1; 0: answered;
 * -1. */
int matches_can_replay(struct request *request, struct db *db,
                       const struct match_row *match, int slot,
                       struct err *err);

/* What this client may see of it. New reference. */
json_t *matches_document(const struct request *request,
                         const struct match_row *match);
/* Adds to the results the end of what a bot that went out wrote to stderr, for
 * its owner. */
int matches_add_stderr(const struct request *request, struct db *db,
                       const struct match_row *match, json_t *document,
                       struct err *err);
/* Answers with the document and its Location. */
int matches_answer(struct request *request, struct db *db, int64_t id,
                   unsigned status, struct err *err);
