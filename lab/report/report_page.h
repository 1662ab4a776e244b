/* Parts of the HTML pages; each appends to page->text. Private to report/. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "lab_card.h"
#include "lab_drape_plan.h"
#include "report_data.h"
#include "report_plot.h"
#include "report_text.h"

typedef struct report_page {
  report_text *text;
  const report_data *data;
  const cb_campaign *campaign; /* NULL: the page of a cloth, or of a pair */
  const report_pair *pairs;    /* of the runs of the campaign; of the cloth */
  size_t n_pairs;
  cb_origin origin;                 /* the least real origin of the data on the page */
  bool partly;                      /* some of it is real all the same */
  const char *dir;                  /* of the page of a cloth or pair */
  char stem[128];                   /* its file name without .html; the names of its figures begin with it */
  bool whole;                       /* every page of the database is being written, so every link holds */
  bool served;                      /* for a browser that asks this program: report_site.h */
  const lab_drape_influences *next; /* of the page of a cloth; NULL: not known */
} report_page;

extern const char report_page_style[]; /* web/style.css */

/* What the head of a served page names: its styles and scripts are files of the same server. */
#define REPORT_SERVED_HEAD                                                                    \
  "<link rel=\"stylesheet\" href=\"style.css\"><link rel=\"stylesheet\" href=\"site.css\">\n" \
  "<script src=\"d3.js\" defer></script><script src=\"plot.js\" defer></script><script "      \
  "src=\"site.js\" defer></script>\n"
/* Appends the bar of links and the field for questions that all served pages have. */
void report_page_bar(report_text *t, const char *question);

/* Of small numbers of units to which a prefix does no harm: 7.07 uN m. */
typedef struct report_prefix {
  double unit;
  const char *name;
} report_prefix;
report_prefix report_page_prefix(const lab_property *p);

/* Appends value +- U with two digits of U, as "0.523 +- 0.012"; a dash for NAN. */
void report_page_value(report_text *t, double value, double U);
void report_page_cell(report_text *t, double value, double U); /* as one of a table */
/* Appends a number with so many significant digits; a dash for NAN. */
void report_page_number(report_text *t, double value, int digits);
/* Appends the plot as a picture; if it is empty, a sentence that says why. Clears the plot. */
CB_CHECKED cb_status report_page_figure(report_page *page, report_plot *plot, const char *caption,
                                        cb_err *err);

/* Appends the plot at the width of a column, and writes it to DIR/figures as SVG, PDF and CSV, which are
 * linked below it. An empty plot appends nothing. Clears the plot. */
CB_CHECKED cb_status report_page_column(report_page *page, report_plot *plot, const char *name,
                                        const char *caption, cb_err *err);

/* Notes the origin of something on the page; before report_page_begin. */
void report_page_note_origin(report_page *page, cb_origin o);
/* Appends head and banner up to <main>, and the end. title is foreign text. */
void report_page_begin(report_page *page, const char *title);
void report_page_end(report_page *page);
/* Returns whether a page of the folder is there or will be. */
bool report_page_is_there(const report_page *page, const char *stem);
/* Appends the name as a link to a page of the folder, if that page is there or will be. */
void report_page_link(report_page *page, const char *stem, const char *name);
/* Writes the page to DIR/STEM.html and returns its path. DIR is made if missing. Errors: those of the file.
 */
CB_CHECKED cb_status report_page_save(const report_page *page, char path[512], cb_err *err);

/* The pages of a cloth, a pair and a campaign, for a browser that asks this program; those of a cloth and a
 * pair without their end. Errors: CB_E_NOTFOUND without such a one. */
CB_CHECKED cb_status report_cloth_text(cb_store *s, int64_t cloth_id, report_text *text, cb_err *err);
CB_CHECKED cb_status report_pair_text(cb_store *s, int64_t cloth_id, int64_t body_id, report_text *text,
                                      cb_err *err);
CB_CHECKED cb_status report_campaign_text(cb_store *s, int64_t campaign_id, report_text *text, cb_err *err);
/* The page in the frame of a served page of a cloth. Error: CB_E_NOTFOUND without a draped shape. */
CB_CHECKED cb_status report_shape_text(cb_store *s, const cb_material *cloth, report_text *text, cb_err *err);

/* File names without .html. */
#define REPORT_INDEX_STEM "index"
void report_campaign_stem(const cb_campaign *c, char out[128]);
void report_cloth_stem(const report_data *d, int64_t cloth_id, char out[128]);
void report_pair_stem(const report_data *d, report_pair pair, char out[128]);

/* Each appends one section. That of `fit standard` is left out if the campaign was not evaluated. */
CB_CHECKED cb_status report_page_facts(report_page *page, cb_err *err);
CB_CHECKED cb_status report_page_standard(report_page *page, cb_err *err);
CB_CHECKED cb_status report_page_pair(report_page *page, report_pair pair, cb_err *err);
/* Control charts of the pair, if it was measured on enough days. */
CB_CHECKED cb_status report_page_chart(report_page *page, report_pair pair, cb_err *err);
CB_CHECKED cb_status report_page_slides(report_page *page, cb_err *err);
/* Of the page of a cloth: facts and gaps; verdicts; figures; properties; friction. */
CB_CHECKED cb_status report_page_cloth(report_page *page, const cb_material *cloth, cb_err *err);
void report_page_next(report_page *page);
CB_CHECKED cb_status report_page_tests(report_page *page, const cb_material *cloth, cb_err *err);
CB_CHECKED cb_status report_page_gaps(report_page *page, const char *cloth, cb_err *err);
/* The newest draped shape, if there is one. */
CB_CHECKED cb_status report_page_shape(report_page *page, const cb_material *cloth, cb_err *err);
/* Of the index: every cloth and what a scene takes of it. */
CB_CHECKED cb_status report_page_known(report_page *page, cb_err *err);
CB_CHECKED cb_status report_page_runs(report_page *page, cb_err *err);
CB_CHECKED cb_status report_page_events(report_page *page, cb_err *err);
CB_CHECKED cb_status report_page_rigs(report_page *page, cb_err *err);

/* Validity of the calibrations behind runs. */

/* Returns whether the calibration of the run was not valid when the run was made, by its dates or by the
 * run's flags. */
bool report_run_is_doubtful(const cb_calibration *list, size_t n, const cb_run *run);
/* Returns whether the calibration of the run is out of date today ("2026-11-21"). */
bool report_run_is_outdated(const cb_calibration *list, size_t n, const cb_run *run, const char *today);

/* Appends a table of the calibrations that were declared or measured, with their runs. Nothing if there are
 * none. */
void report_calibrations(report_page *page, const cb_calibration *list, size_t n, const char *today);

#endif
