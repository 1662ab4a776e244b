/* Reports: self-contained HTML pages without scripts, with their pictures inside. They link only to each
 * other and to the figures beside them. A page is of a campaign, of a cloth, of a pair, or the index. All
 * text from the database is escaped. The same database gives the same bytes: the page does not depend on when
 * or where it is written. docs/guide/report.md describes it. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stddef.h>

#include "cb_store.h"
#include "lab_drape_plan.h"
#include "lab_selection.h"

/* Checks that pages may be written to a folder: it does not exist, is empty, holds a page of an earlier
 * report, or holds the database itself. Else the error is CB_E_RANGE and names a file. */
CB_CHECKED cb_status report_folder_check(const char *dir, const char *db_path, cb_err *err);

/* Writes DIR/campaign-ID-NAME.html and returns its path. sel: only the selected runs are on the page, with
 * laws that are fitted to them, and the page says so; NULL: all. DIR is made if missing. Errors:
 * CB_E_NOTFOUND without gnuplot or such a campaign; those of the file. */
CB_CHECKED cb_status report_html_write(cb_store *s, const lab_selection *sel, int64_t campaign_id,
                                       const char *dir, char path[512], cb_err *err);

/* What the pages of cloths show. */
typedef struct report_cloths {
  const char *cloth;                /* NULL: every cloth; links then take the index as written */
  const lab_selection *sel;         /* NULL: all runs */
  const lab_drape_influences *next; /* what a sweep found of this cloth; NULL: nothing */
  void (*on_page)(void *context, const char *path);
  void *context;
} report_cloths;

/* Writes the page of each cloth, DIR/cloth-ID-NAME.html, and one of each of its pairs,
 * DIR/pair-ID-ID-NAME-on-NAME.html, with their figures in DIR/figures as SVG, PDF and CSV. on_page gets the
 * path of each. Errors: CB_E_NOTFOUND without gnuplot or such a cloth; those of the files. */
CB_CHECKED cb_status report_cloth_write(cb_store *s, const report_cloths *what, const char *dir, cb_err *err);

/* Writes DIR/index.html (DIR is made if missing) and gives its path: the kinetic coefficients of all pairs,
 * the other properties of all cloths, and the calibrations, with their uncertainty, gaps and verdicts. Names
 * are links where their pages lie in DIR. Which calibrations are out of date depends on the day. No figures:
 * gnuplot is not needed. */
CB_CHECKED cb_status report_index_write(cb_store *s, const char *dir, char path[512], cb_err *err);

#endif
