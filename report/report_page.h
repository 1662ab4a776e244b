/* Parts of the HTML page; each appends to page->text. Private to report/. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report_data.h"
#include "report_plot.h"
#include "report_text.h"

typedef struct report_page {
  report_text *text;
  const report_data *data;
  const cb_campaign *campaign;
  const report_pair *pairs; /* of the runs of the campaign */
  size_t n_pairs;
  cb_origin origin; /* the least real origin of the data on the page */
} report_page;

extern const char report_page_style[];

/* Appends value +- U with two digits of U, as "0.523 +- 0.012"; a dash for NAN. */
void report_page_value(report_text *t, double value, double U);
/* Appends a number with so many significant digits; a dash for NAN. */
void report_page_number(report_text *t, double value, int digits);
/* Appends the plot as a picture; if it is empty, a sentence that says why. Clears the plot. */
CB_CHECKED cb_status report_page_figure(report_page *page, report_plot *plot, const char *caption,
                                        cb_err *err);

/* Each appends one section. That of `fit standard` is left out if the campaign was not evaluated. */
CB_CHECKED cb_status report_page_facts(report_page *page, cb_err *err);
CB_CHECKED cb_status report_page_standard(report_page *page, cb_err *err);
CB_CHECKED cb_status report_page_pair(report_page *page, report_pair pair, cb_err *err);
CB_CHECKED cb_status report_page_slides(report_page *page, cb_err *err);
CB_CHECKED cb_status report_page_runs(report_page *page, cb_err *err);
CB_CHECKED cb_status report_page_events(report_page *page, cb_err *err);
CB_CHECKED cb_status report_page_rigs(report_page *page, cb_err *err);

#endif
