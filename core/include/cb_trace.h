/* One pull as analysis sees it: force and position on the rig's time base, SI units. Measured and simulated
 * pulls are the same struct. Force and position come from two devices with two clocks. They are therefore
 * separate series, joined only by interpolation in time. docs/reference/traces.md says how a trace is
 * reduced. */
#ifndef CB_TRACE_H
#define CB_TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

/* n samples in arrays of cap elements, which the series owns. A zeroed series is empty and valid.
 * cb_series_clear frees it. */
typedef struct cb_series {
  size_t n, cap;
  double *t_s; /* ascending */
  double *v;
} cb_series;

/* A zeroed trace is empty and valid. cb_trace_clear frees the series. */
typedef struct cb_trace {
  cb_series force_N;        /* calibrated pull-line force; the zero is not subtracted */
  cb_series position_m;     /* stage position, positive along the pull */
  cb_series displacement_m; /* of the cart, by a sensor that is read with the force; empty: none */
  double speed_m_per_s;     /* the stage's highest speed; 0: not known */
  double doubt_s;     /* largest error of force times against position times; 0: exact; INFINITY: not known */
  size_t n_lost;      /* readings missing from force_N or doubled; their places are only roughly known */
  double digit_N;     /* least step of force_N; 0: not known */
  double u_scale_rel; /* relative standard uncertainty of the calibration, which all pulls share; 0: not known
                       */
  size_t n_rest;      /* the first n_rest readings were taken at rest with a slack link; 0: not known */
  bool zero_given;    /* the zero is known beforehand, as in a tared log: zero_N and u_zero_N hold */
  double zero_N, u_zero_N;
} cb_trace;

/* Makes room for `more` samples beyond n. The samples stay.
 * Errors: CB_E_NOMEM; the series is then still valid. */
CB_CHECKED cb_status cb_series_reserve(cb_series *s, size_t more, cb_err *err);
/* Appends a sample. t_s must not be below the last time; this is not checked.
 * Errors: CB_E_NOMEM. */
CB_CHECKED cb_status cb_series_push(cb_series *s, double t_s, double v, cb_err *err);
/* Frees the arrays and empties the series. */
void cb_series_clear(cb_series *s);
/* Returns the value at t_s by linear interpolation; outside the series its first or last value. n >= 1. */
double cb_series_at(const cb_series *s, double t_s);
/* Returns the index of the first sample at or after t_s, or n if there is none. */
size_t cb_series_lower_bound(const cb_series *s, double t_s);
/* Replaces the values by their integral over time, by trapezoids. The first value becomes 0. */
void cb_series_integrate(cb_series *s);

/* Frees the series and zeroes the trace. */
void cb_trace_clear(cb_trace *t);

#endif
