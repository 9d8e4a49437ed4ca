/* resources: the handlers that routes.def names, a file a resource. What each
 * may do and return is told in request.h. */
#pragma once

#include "api/http/route.h"

int page_home(struct request *request, struct db *db, struct err *err);
int health_live(struct request *request, struct db *db, struct err *err);
int health_ready(struct request *request, struct db *db, struct err *err);
int metrics_show(struct request *request, struct db *db, struct err *err);
int openapi_show(struct request *request, struct db *db, struct err *err);
int users_add(struct request *request, struct db *db, struct err *err);
int users_list(struct request *request, struct db *db, struct err *err);
int users_me(struct request *request, struct db *db, struct err *err);
int users_show(struct request *request, struct db *db, struct err *err);
int users_set_role(struct request *request, struct db *db, struct err *err);
int users_set_quotas(struct request *request, struct db *db, struct err *err);
int users_export(struct request *request, struct db *db, struct err *err);
int users_erase(struct request *request, struct db *db, struct err *err);
int bots_fork(struct request *request, struct db *db, struct err *err);
int bots_note(struct request *request, struct db *db, struct err *err);
int bots_suspend(struct request *request, struct db *db, struct err *err);
int bots_resume(struct request *request, struct db *db, struct err *err);
int batches_add(struct request *request, struct db *db, struct err *err);
int batches_show(struct request *request, struct db *db, struct err *err);
int tokens_list(struct request *request, struct db *db, struct err *err);
int tokens_add(struct request *request, struct db *db, struct err *err);
int tokens_revoke(struct request *request, struct db *db, struct err *err);
int invitations_list(struct request *request, struct db *db, struct err *err);
int invitations_add(struct request *request, struct db *db, struct err *err);
int invitations_revoke(struct request *request, struct db *db, struct err *err);
int audit_show(struct request *request, struct db *db, struct err *err);
int bots_list(struct request *request, struct db *db, struct err *err);
int bots_add(struct request *request, struct db *db, struct err *err);
int bots_show(struct request *request, struct db *db, struct err *err);
int bots_source(struct request *request, struct db *db, struct err *err);
int bots_activate(struct request *request, struct db *db, struct err *err);
int matches_list(struct request *request, struct db *db, struct err *err);
int matches_add(struct request *request, struct db *db, struct err *err);
int matches_show(struct request *request, struct db *db, struct err *err);
int matches_cancel(struct request *request, struct db *db, struct err *err);
int matches_requeue(struct request *request, struct db *db, struct err *err);
int matches_verify(struct request *request, struct db *db, struct err *err);
int turns_list(struct request *request, struct db *db, struct err *err);
int replay_show(struct request *request, struct db *db, struct err *err);
int profile_show(struct request *request, struct db *db, struct err *err);
int profile_queue(struct request *request, struct db *db, struct err *err);
int measures_show(struct request *request, struct db *db, struct err *err);
int log_show(struct request *request, struct db *db, struct err *err);
int admin_profile(struct request *request, struct db *db, struct err *err);
int leaderboard_show(struct request *request, struct db *db, struct err *err);
int games_list(struct request *request, struct db *db, struct err *err);
int games_show(struct request *request, struct db *db, struct err *err);
int costs_show(struct request *request, struct db *db, struct err *err);
int limits_show(struct request *request, struct db *db, struct err *err);
int fingerprint_show(struct request *request, struct db *db, struct err *err);
