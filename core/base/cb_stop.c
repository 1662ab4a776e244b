#define _GNU_SOURCE /* sigabbrev_np, sigdescr_np */
#include "cb_stop.h"

#include <signal.h>
#include <string.h>

bool cb_stop_wanted(const cb_stop *stop) { return stop && atomic_load(stop) != CB_STOP_NOT; }

cb_status cb_stop_check(const cb_stop *stop, cb_err *err) {
  int reason = stop ? atomic_load(stop) : CB_STOP_NOT, number = reason - CB_STOP_SIGNAL;
  if (reason == CB_STOP_NOT) return CB_OK;
  if (reason < CB_STOP_SIGNAL) return cb_fail(err, CB_E_STOPPED, "stopped by the operator");
  const char *name = sigabbrev_np(number), *meaning = sigdescr_np(number);
  if (name && meaning) return cb_fail(err, CB_E_STOPPED, "stopped by SIG%s (%s)", name, meaning);
  return cb_fail(err, CB_E_STOPPED, "stopped by signal %d", number);
}
