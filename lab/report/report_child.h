/* Another program at work on a picture or a page. Private to report/. */
#ifndef REPORT_CHILD_H
#define REPORT_CHILD_H

#include <stdio.h>
#include <sys/types.h>

#include "cb_err.h"

/* Runs argv (NULL ends it) with its standard input from `in` (-1: nothing) and its standard output into `to`,
 * and waits for it. need: who needs it, and how it is installed. Errors: CB_E_NOTFOUND if it is not
 * installed; CB_E_IO if it fails, with what it said. */
CB_CHECKED cb_status report_child_run(const char *const argv[], int in, int to, const char *need,
                                      cb_err *err);
/* The same in two halves. words: takes its standard error. log: what it said. */
CB_CHECKED cb_status report_child_start(const char *const argv[], int in, int to, int words, pid_t *pid,
                                        cb_err *err);
CB_CHECKED cb_status report_child_end(pid_t pid, const char *name, const char *need, FILE *log, cb_err *err);

#endif
