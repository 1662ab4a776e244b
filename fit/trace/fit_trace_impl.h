/* Private to the reader of logs: the fields of its mappings, and what its parts share. */
#ifndef FIT_TRACE_IMPL_H
#define FIT_TRACE_IMPL_H

#include "fit_table_raw.h"
#include "fit_trace.h"

/* motion: both names NULL where the force's file has it all. */
typedef struct fit_trace_files {
  fit_table_file force_mapping, force, motion_mapping, motion;
} fit_trace_files;

/* Errors say file:line, column, value, what was wanted. Caller: fit_trace_clear, also after a failure. */
CB_CHECKED cb_status fit_trace_parse(const fit_trace_files *files, fit_trace *out, cb_err *err);

/* The first are those of both kinds. */
enum { TIME, RATE, POSITION, SPEED, N_SHARED };
enum {
  FORCE = N_SHARED,
  ZERO,
  CLOTH,
  BODY,
  ANGLE,
  REPEAT,
  NORMAL_FORCE,
  MASS,
  AREA,
  DIRECTION,
  FORWARD,
  BACKWARD,
  MARKER
};
enum { OFFSET = N_SHARED, U_OFFSET };

/* When the row was taken; NAN: a hole. Where no times are known, they are 0: the record came at once. */
double fit_trace_time(const fit_table *t, size_t row);
CB_CHECKED cb_status fit_trace_check_time(const fit_table *t, const char *mapping, cb_err *err);
/* Raw values of a field over time. Times since 1970 then count from the midnight before the first one, and a
 * board's counter that began anew goes on. holes may be NULL. Caller: cb_series_clear, also after a failure.
 */
CB_CHECKED cb_status fit_trace_series(const fit_table *t, size_t field, cb_series *out, size_t *holes,
                                      cb_err *err);
cb_run_channel fit_trace_converter(const fit_table *t, size_t field, cb_channel channel);

/* Adds a word to the run's flags. */
void fit_trace_flag(fit_trace *out, const char *word);

/* Reads the motion from its one source: the force's table, or `motion` if not NULL. Fills all members of *out
 * about it. The force must have been read. *n_rest receives the number of readings from before the stage was
 * seen to move; 0: that is not known. */
CB_CHECKED cb_status fit_trace_motion(const fit_table *force, const fit_table *motion,
                                      const fit_trace_files *f, fit_trace *out, size_t *n_rest, cb_err *err);

#endif
