/* A figure as data, before it is drawn. */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_err.h"
#include "cb_origin.h"

typedef enum report_style {
  REPORT_LINE,   /* y = a */
  REPORT_DASH,   /* y = a, dashed line */
  REPORT_POINTS, /* y = a, error bars +- b */
  REPORT_BAND,   /* shaded from a to b; not in the key */
  REPORT_GUIDE   /* y = a, thin grey line; not in the key */
} report_style;

/* A curve of n points. Its arrays belong to it. */
typedef struct report_series {
  report_style style;
  int color; /* index into the palette; series of one colour belong together */
  char name[128];
  bool quiet; /* not in the key */
  size_t n, cap;
  double *x, *a, *b;
  int64_t *run; /* that a point is of; 0: none */
} report_series;

#define REPORT_MAX_SERIES 64

typedef struct report_plot {
  char title[256], x_label[96], y_label[96];
  cb_origin origin; /* the title names it, unless it is measured or imported */
  bool equal_axes;  /* both axes have the same scale */
  bool from_zero;   /* both axes start at 0 */
  bool y_from_zero; /* the y axis alone */
  bool y_positive;  /* what y shows is never negative: its axis has nothing below 0 unless a datum lies there
                     */
  bool log_x, log_y;
  double x_tic; /* from tic to tic of x; 0: as it comes */
  bool column;  /* drawn as wide as a column of a paper (84 mm), without its title */
  bool margins; /* room around the points, as where they lie on round numbers */
  size_t n;
  report_series series[REPORT_MAX_SERIES];
  char note[600]; /* what the figure lacks and what would provide it; "": nothing */
  bool failed;    /* memory or series ran out; drawing reports it */
} report_plot;

/* Adds an empty series. If there is no room, it sets p->failed; the series that is returned may then still
 * be used. */
report_series *report_plot_add(report_plot *p, report_style style, int color, const char *name);
/* Adds a point to a series of p. Without memory it sets p->failed. */
void report_plot_push(report_plot *p, report_series *s, double x, double a, double b);
void report_plot_clear(report_plot *p);

#endif
