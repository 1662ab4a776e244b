/* Measured inclines as a table (CSV) with a mapping (YAML) -> runs of kind slide and their points, ready to
 * store. Two kinds (docs/guide/import.md): angles of release, and slides down a slope. Nothing here accesses
 * the store.
 *
 * A sled of mass m lies on a slope of angle a: N = m g cos a under standard gravity g. The point of a release
 * has the static force m g sin a, that of a slide with acceleration b the kinetic force m (g sin a - b). The
 * uncertainty of a force contains that of the angle, and what the angle's error does to the load by way of
 * F / N. */
#ifndef FIT_INCLINE_H
#define FIT_INCLINE_H

#include "cb_trace.h"
#include "fit_import.h"

typedef enum fit_incline_kind {
  FIT_INCLINE_RELEASE, /* `kind: release` */
  FIT_INCLINE_SLIDE    /* `kind: incline` */
} fit_incline_kind;
extern const char *const fit_incline_kind_names[]; /* "release", "incline", NULL */

/* Reads a table. A slide is given by its mean acceleration, by one distance and time from rest, or by a
 * record of at least 4 distances over time, which the row keeps. The caller frees *out with fit_import_clear,
 * also after a failure.
 * Errors, with file:line, column and value: CB_E_IO, CB_E_PARSE, CB_E_RANGE, CB_E_NOTFOUND (a column),
 * CB_E_NOMEM. */
CB_CHECKED cb_status fit_incline_read(fit_incline_kind kind, const char *mapping_path, const char *csv_path,
                                      fit_import *out, cb_err *err);

/* The parabola s0 + v0 t + b t^2/2 through distances over time, t from the first sample on. */
typedef struct fit_incline_motion {
  double distance_m, speed_m_per_s; /* at the first sample */
  double acceleration_m_per_s2, u_acceleration_m_per_s2;
  double rms_m; /* of the residuals */
} fit_incline_motion;

/* Fits the parabola by least squares. digit_m is the last digit of the distances: residuals count as no
 * smaller than digit_m / sqrt 12. Errors: CB_E_RANGE for fewer than 4 samples, or fewer than 3 times. */
CB_CHECKED cb_status fit_incline_motion_of(const cb_series *distance_m, double digit_m,
                                           fit_incline_motion *out, cb_err *err);

#endif
