/* Another program at work on a picture or a page. Private to report/. */
#ifndef REPORT_CHILD_H
#define REPORT_CHILD_H

#include "cb_err.h"

/* Runs argv (NULL ends it) with its standard input from `in` (-1: nothing) and its standard output into `to`,
 * and waits for it. need: who needs it, and how it is installed. Errors: CB_E_NOTFOUND if it is not
 * installed; CB_E_IO if it fails, with what it said. */
CB_CHECKED cb_status report_child_run(const char *const argv[], int in, int to, const char *need,
                                      cb_err *err);

#endif
