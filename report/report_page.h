/* Parts of the HTML page. Each appends one section to page->text. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report_data.h"
#include "report_plot.h"
#include "report_text.h"

typedef struct report_page {
  report_text *text;
  const report_data *data;
  const cb_campaign *campaign;
  const report_pair *pairs; /* of the campaign's runs */
  size_t n_pairs;
  cb_origin origin; /* the least real of all that the page shows */
} report_page;

extern const char report_page_style[];

/* value +- U with two digits of U: "0.523 +- 0.012"; a dash for NAN. */
void report_page_value(report_text *t, double value, double U);
/* A number with so many significant digits; a dash for NAN. */
void report_page_number(report_text *t, double value, int digits);
/* Draws the plot into the page; says why not where it is empty. Clears the plot. */
CB_CHECKED cb_status report_page_figure(report_page *page, report_plot *plot, const char *caption,
                                        cb_err *err);

CB_CHECKED cb_status report_page_facts(report_page *page, cb_err *err);
/* What `fit standard` found; nothing where it did not look. */
CB_CHECKED cb_status report_page_standard(report_page *page, cb_err *err);
CB_CHECKED cb_status report_page_pair(report_page *page, report_pair pair, cb_err *err);
CB_CHECKED cb_status report_page_slides(report_page *page, cb_err *err);
CB_CHECKED cb_status report_page_runs(report_page *page, cb_err *err);
CB_CHECKED cb_status report_page_events(report_page *page, cb_err *err);
CB_CHECKED cb_status report_page_rigs(report_page *page, cb_err *err);

#endif
