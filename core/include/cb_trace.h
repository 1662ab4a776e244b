/* One pull as analysis sees it: force and position on the rig's time base, SI units. Measured and simulated traces are the
 * same struct. Two devices have two clocks: force and position are separate series, joined only by interpolation in time. */
#ifndef CB_TRACE_H
#define CB_TRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

typedef struct cb_series {
  size_t n, cap;
  double *t_s; /* ascending */
  double *v;
} cb_series;

typedef struct cb_trace {
  cb_series force_N;    /* calibrated pull-line force; not zeroed */
  cb_series position_m; /* stage position, positive along the pull */
  double speed_m_per_s; /* no faster does the stage go; 0: not known */
  double doubt_s;       /* the force's times may be wrong by this against the position's; INFINITY: they are not known; 0: exact */
  size_t n_lost;        /* so many readings are missing from the force, or came twice; where is only roughly known */
  size_t n_rest;        /* so many readings, the first, were taken at rest with a slack link: the zero; 0: that is not known */
  bool zero_given;      /* what the force reads without a force is known beforehand (a tared log): */
  double zero_N, u_zero_N;
} cb_trace;

/* Room for so many more samples beyond n. */
CB_CHECKED cb_status cb_series_reserve(cb_series *s, size_t more, cb_err *err);
CB_CHECKED cb_status cb_series_push(cb_series *s, double t_s, double v, cb_err *err);
void cb_series_clear(cb_series *s);
/* Linear interpolation at t; the end values outside. n >= 1. */
double cb_series_at(const cb_series *s, double t_s);
/* Index of the first sample with t >= t_s (n if none). */
size_t cb_series_lower_bound(const cb_series *s, double t_s);
/* The values become their integral over time: trapezoids, from 0 on. */
void cb_series_integrate(cb_series *s);

void cb_trace_clear(cb_trace *t);

#endif
