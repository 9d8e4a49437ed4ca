/* bots: what the resources below /v1/bots/{id} share. */
#pragma once

#include "api/http/request.h"
#include "db/bots.h"

#define BOTS_NOTES_MAX 4096 /* bytes */

/* The bot of the path, or answers 404. 1, 0, -1. */
int bots_get(struct request *request, struct db *db, struct bot *bot,
             struct err *err);
/* As bots_get, and it must be the client's: answers 403 otherwise. */
int bots_get_own(struct request *request, struct db *db, struct bot *bot,
                 const char *what, struct err *err);
/* Adds the bot, within the owner's quotas, and answers 202. */
int bots_enter(struct request *request, struct db *db,
               const struct bot_spec *spec, struct err *err);
/* Answers with the document and its Location. */
int bots_answer(struct request *request, struct db *db, int64_t id,
                unsigned status, struct err *err);
