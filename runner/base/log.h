/* log: one line of JSON a happening, on standard error, for the service's
 * operators. Commands print with stdio instead. Safe from any thread. */
#pragma once

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ALARM };

/* Lines below `level` are dropped; the start value is LOG_INFO. */
void log_set_level(enum log_level level);

/* {"time_ns":..,"level":"..","room":"..","message":".."} */
void log_line(enum log_level level, const char *room, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
