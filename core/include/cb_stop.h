/* A request to stop, which a signal handler or another thread may set, with its reason. */
#ifndef CB_STOP_H
#define CB_STOP_H

#include <stdatomic.h>
#include <stdbool.h>

#include "cb_err.h"

/* CB_STOP_NOT: go on. CB_STOP_OPERATOR: the operator wants to stop, usually by Ctrl-C. CB_STOP_SIGNAL + n:
 * signal n came. */
typedef atomic_int cb_stop;
enum { CB_STOP_NOT = 0, CB_STOP_OPERATOR = 1, CB_STOP_SIGNAL = 1000 };

/* Returns true if a stop was requested; false for NULL. */
bool cb_stop_wanted(const cb_stop *stop);

/* Errors: CB_E_STOPPED if a stop was requested: "stopped by the operator", "stopped by SIGXCPU (CPU time
 * limit exceeded)". NULL is never a request. */
CB_CHECKED cb_status cb_stop_check(const cb_stop *stop, cb_err *err);

#endif
