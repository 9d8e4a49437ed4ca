/* doctor: what this machine's kernel allows, the jail's level that comes of it,
 * what that means and how to reach the next one. */
#pragma once

#include "runner/base/buf.h"
#include "runner/base/err.h"
#include "runner/jail/box.h"

#include <jansson.h>

/* Tries everything for real, in child processes. Call it from a small,
 * single-threaded process, like zygote_start. *out is a new reference:
 *     {"level": 3, "name": "user", "meaning": "...", "next": "..." or null,
 *      "checks": [{"name", "ok", "needed", "detail"}]}
 * `needed`: without it no bot can be played at all. -1 only when the trial
 * itself could not be made. */
int doctor_report(json_t **out, struct err *err);

/* The report for a terminal. */
void doctor_text(const json_t *report, struct buf *text);

/* "limits", "namespaces", "user", "slot": for match documents and settings. */
const char *jail_level_text(enum jail_level level);
