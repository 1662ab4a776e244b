/* The report of a campaign: one self-contained HTML page without scripts and links, with its pictures
 * inside. All text from the database is escaped. The same database gives the same bytes: the page does not
 * depend on when or where it is written. docs/report.md describes it. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stddef.h>

#include "cb_store.h"

/* Checks that pages may be written to a folder: it does not exist, is empty, holds a page of an earlier
 * report, or holds the database itself. Else the error is CB_E_RANGE and names a file. */
CB_CHECKED cb_status report_folder_check(const char *dir, const char *db_path, cb_err *err);

/* Writes DIR/campaign-ID-NAME.html and returns its path. DIR is made if missing. Errors: CB_E_NOTFOUND
 * without gnuplot or such a campaign; those of the file. */
CB_CHECKED cb_status report_html_write(cb_store *s, int64_t campaign_id, const char *dir, char path[512],
                                       cb_err *err);

/* Writes DIR/index.html (DIR is made if missing) and gives its path: the kinetic coefficients of all pairs,
 * and the other properties of all cloths, with their uncertainty, gaps and verdicts. No figures: gnuplot is
 * not needed. */
CB_CHECKED cb_status report_index_write(cb_store *s, const char *dir, char path[512], cb_err *err);

#endif
