/* The numbers of a figure, private to report/. */
#ifndef REPORT_PLOT_CSV_H
#define REPORT_PLOT_CSV_H

#include "report_plot.h"
#include "report_text.h"

/* Appends one row per point: series, style, x, y, low, high. The header names x and y with their units. low
 * and high are the ends of the error bar, or of the band, whose y is empty. */
void report_plot_csv(const report_plot *p, report_text *t);

#endif
