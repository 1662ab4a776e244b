/* One campaign as one self-contained HTML page: no scripts, no links, pictures inside. Everything from the
 * database is escaped. The same database gives the same bytes: nothing in the page depends on when or where
 * it is written. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stddef.h>

#include "cb_store.h"

/* Pages do not mix with files of others. CB_OK where the folder does not exist, is empty, holds a page of an
 * earlier report, or holds the database itself; else CB_E_RANGE, one sentence that names a file. */
CB_CHECKED cb_status report_folder_check(const char *dir, const char *db_path, cb_err *err);

/* Writes DIR/campaign-ID-NAME.html (DIR is made if missing) and gives its path; path holds at least 512
 * bytes. Figures need gnuplot: CB_E_NOTFOUND says so. */
CB_CHECKED cb_status report_html_write(cb_store *s, int64_t campaign_id, const char *dir, char path[512],
                                       cb_err *err);

/* Writes DIR/index.html (DIR is made if missing) and gives its path: the kinetic coefficients of all pairs,
 * and the other properties of all cloths, with their uncertainty, gaps and verdicts. No figures: gnuplot is
 * not needed. */
CB_CHECKED cb_status report_index_write(cb_store *s, const char *dir, char path[512], cb_err *err);

#endif
