#include "cb_err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void cb_err_say(cb_err *err, const char *fmt, ...) {
  if (err) {
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(err->msg, sizeof err->msg, fmt, ap);
    va_end(ap);
  }
}

void cb_err_say_in(cb_err *err, const char *fmt, ...) {
  if (err) {
    cb_err inner = *err;
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(err->msg, sizeof err->msg, fmt, ap);
    va_end(ap);
    if (n >= 0 && (size_t)n < sizeof err->msg) (void)snprintf(err->msg + n, sizeof err->msg - (size_t)n, ": %s", inner.msg);
  }
}

const char *cb_status_text(cb_status st) {
  switch (st) {
#define X(name, number, text) \
  case name: return text;
    CB_STATUS_LIST(X)
#undef X
  }
  return "unknown status";
}
