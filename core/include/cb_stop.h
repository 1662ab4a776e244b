/* A wish to stop, which a signal handler or another thread may set, with what brought it. */
#ifndef CB_STOP_H
#define CB_STOP_H

#include <stdatomic.h>
#include <stdbool.h>

#include "cb_err.h"

/* CB_STOP_NOT: go on. CB_STOP_OPERATOR: somebody wants it, by Ctrl-C as a rule. CB_STOP_SIGNAL + number: that signal came. */
typedef atomic_int cb_stop;
enum { CB_STOP_NOT = 0, CB_STOP_OPERATOR = 1, CB_STOP_SIGNAL = 1000 };

/* NULL: nobody can want it. */
bool cb_stop_wanted(const cb_stop *stop);

/* CB_OK, or CB_E_STOPPED: "stopped by the operator", "stopped by SIGXCPU (CPU time limit exceeded)". */
CB_CHECKED cb_status cb_stop_check(const cb_stop *stop, cb_err *err);

#endif
