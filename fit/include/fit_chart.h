/* Control charts of single values over time: the points and moving ranges of Shewhart with rules for runs
 * (ISO 7870-2), EWMA (ISO 7870-6) and CUSUM (ISO 7870-4). docs/guide/over-time.md has their rates. */
#ifndef FIT_CHART_H
#define FIT_CHART_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

#define FIT_CHART_LEAST 8     /* fewer points give no limits */
#define FIT_CHART_BASELINE 25 /* as many first points give them, where nothing else is said */

#define FIT_CHART_POINT_K 3.0   /* beyond so many sigma of the centre */
#define FIT_CHART_RUN 7         /* points in a row on one side, or rising, or falling */
#define FIT_CHART_RANGE_K 3.686 /* of sigma: D4 d2 of two values, 3.267 x 1.128 */
#define FIT_CHART_LAMBDA 0.2
#define FIT_CHART_EWMA_K 2.962 /* Lucas, Saccucci, Technometrics 32:1, 1990: 500 quiet points to an alarm */
#define FIT_CHART_CUSUM_K 0.5
#define FIT_CHART_CUSUM_H 5.0 /* 465 quiet points to an alarm (Montgomery, table of k 1/2) */

typedef enum fit_chart_kind {
  FIT_CHART_POINT, /* alarms: these three */
  FIT_CHART_EWMA,
  FIT_CHART_CUSUM,
  FIT_CHART_SIDE, /* warnings: FIT_CHART_RUN points on one side of the centre */
  FIT_CHART_TREND,
  FIT_CHART_RANGE, /* two neighbours are far from each other */
  FIT_CHART_KINDS
} fit_chart_kind;
extern const char *const fit_chart_names[]; /* "point", "ewma" ..., NULL */
/* A warning comes too often on quiet days to stop a rig for it. */
bool fit_chart_is_warning(fit_chart_kind kind);

typedef struct fit_chart_limits {
  size_t n;                /* points that they rest on; 0: there are no limits */
  double center, u_center; /* the mean without points that stand alone, and its standard uncertainty */
  double sigma;            /* of a point */
  double range_sigma;      /* the same from the moving ranges alone */
  /* All limits are wider by this, as sigma itself is known from n points: Student's t of 99.73 % with 0.62 (n
   * - 1) degrees of freedom, over 3. */
  double factor;
  double r1; /* correlation of neighbours */
  /* r1 > 2 / sqrt(n). sigma is then that of the points about the centre; EWMA and CUSUM have limits wider by
   * sqrt((1 + r1) / (1 - r1)); side and trend are not judged. */
  bool correlated;
} fit_chart_limits;

/* Neighbouring points for which a chart is out of its limits. */
typedef struct fit_chart_alarm {
  fit_chart_kind kind;
  size_t at, until;      /* first and last point of the alarm */
  size_t since;          /* where the chart puts the beginning of the change */
  double shift, u_shift; /* of the mean since then; of a trend: how far it went; of a range: the jump */
} fit_chart_alarm;

typedef struct fit_chart {
  fit_chart_limits limits;
  double ewma_limit;        /* half the width */
  double *ewma, *up, *down; /* owned; n each; the sums in units of sigma */
  fit_chart_alarm *alarms;  /* owned; by chart, then time */
  size_t n_alarms;
} fit_chart;

/* Judges n values in the order of time; the first `baseline` of them give the limits (0: all). With fewer
 * than FIT_CHART_LEAST, or without any scatter, there are no limits and no alarms. The caller calls
 * fit_chart_clear, even after an error. Error: CB_E_NOMEM. */
CB_CHECKED cb_status fit_chart_make(const double *x, size_t n, size_t baseline, fit_chart *out, cb_err *err);
void fit_chart_clear(fit_chart *c);

/* Returns after how many points on average a chart finds that the mean has shifted by so many sigma; 0: quiet
 * points until a false alarm. kind: FIT_CHART_POINT, exactly; FIT_CHART_CUSUM, by Siegmund's approximation
 * (Sequential Analysis, 1985, 2.6). */
double fit_chart_delay(fit_chart_kind kind, double shift_sigma);

#endif
