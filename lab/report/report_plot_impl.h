/* Details of report_plot.h, private to report/. */
#ifndef REPORT_PLOT_IMPL_H
#define REPORT_PLOT_IMPL_H

#include "report_gnuplot.h"
#include "report_pen.h"
#include "report_plot.h"
#include "report_text.h"

/* Adds a point of a run, as report_plot_push. */
void report_plot_push_run(report_plot *p, report_series *s, double x, double a, double b, int64_t run);

/* Adds a curve of n points, thinned to at most max_pairs pairs of minimum and maximum, so that no peak is
 * lost. */
void report_plot_push_curve(report_plot *p, report_series *s, const double *x, const double *y, size_t n,
                            size_t max_pairs);

/* Notes the origin of data in the plot: its origin becomes the least real of all. */
void report_plot_add_origin(report_plot *p, cb_origin origin);

/* Sets the title and the labels of the axes. */
void report_plot_name(report_plot *p, const char *x_label, const char *y_label, const char *title, ...)
    CB_PRINTF(4, 5);

/* Returns whether no series but guides has a point. */
bool report_plot_is_empty(const report_plot *p);

/* Draws a plot as an SVG text of n bytes. The caller frees *svg. Errors: those of report_gnuplot_draw. */
CB_CHECKED cb_status report_gnuplot_svg(report_pen *pen, const report_plot *p, char **svg, size_t *n,
                                        cb_err *err);
/* report_gnuplot_draw, with a pen that draws others, too. */
CB_CHECKED cb_status report_gnuplot_write(report_pen *pen, const report_plot *p, const char *path,
                                          cb_err *err);

/* Appends one row per point: series, style, x, y, low, high. The header names x and y with their units. low
 * and high are the ends of the error bar, or of the band, whose y is empty. */
void report_plot_csv(const report_plot *p, report_text *t);

/* Appends the plot as the JSON that web/plot.js draws. */
void report_plot_json(const report_plot *p, report_text *t);

#endif
