/* One figure as data: what is drawn, before anything draws it. */
#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_origin.h"

typedef enum report_style {
  REPORT_LINE,   /* y = a */
  REPORT_DASH,   /* y = a, broken line */
  REPORT_POINTS, /* y = a, error bars +- b */
  REPORT_BAND,   /* shaded from a to b, no entry in the key */
  REPORT_GUIDE   /* y = a: thin and grey, no entry in the key */
} report_style;

typedef struct report_series {
  report_style style;
  int color; /* index into the palette; equal colours belong together */
  char name[128];
  size_t n, cap;
  double *x, *a, *b;
} report_series;

#define REPORT_MAX_SERIES 64

typedef struct report_plot {
  char title[256], x_label[96], y_label[96];
  cb_origin origin; /* anything but measured or imported is named in front of the title */
  bool equal_axes;  /* one metre right is as long as one metre up */
  bool from_zero;   /* both axes begin at 0 */
  size_t n;
  report_series series[REPORT_MAX_SERIES];
  char note[600]; /* what the figure lacks, and what would bring it; "" nothing */
  bool failed;    /* out of memory or series: drawing says so */
} report_plot;

/* Adds a series; what no longer fits sticks as `failed`. */
report_series *report_plot_add(report_plot *p, report_style style, int color, const char *name);
void report_plot_push(report_plot *p, report_series *s, double x, double a, double b);
void report_plot_clear(report_plot *p);

#endif
