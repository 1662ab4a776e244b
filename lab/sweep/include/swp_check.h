/* The cases of a plan, checked before anything runs. */
#ifndef SWP_CHECK_H
#define SWP_CHECK_H

#include "swp_run.h"

/* What knows whether a case can be. */
typedef struct swp_checks {
  swp_play command; /* reads a command line and runs nothing; 0: it would run; else it says why not on stderr
                     */
  cb_status (*scene)(const char *text, const char *name, cb_err *err); /* reads a scene */
} swp_checks;

/* Checks the cases k - 1, k - 1 + n, ... What is said meanwhile goes nowhere else.
 * Errors: CB_E_RANGE with the first case that is refused, and why; CB_E_IO. */
CB_CHECKED cb_status swp_check(const swp_plan *plan, int k, int n, const swp_checks *checks, cb_err *err);

#endif
