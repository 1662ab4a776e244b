#include "cb_err.h"

#include <stdarg.h>
#include <stdio.h>

#include "cb_text.h"

/* What a sentence quotes may be anything: no control character gets into it. Characters that msg has no room
 * for are cut whole. */
#define RAW_BYTES (sizeof((cb_err *)0)->msg + 8)

void cb_err_say(cb_err *err, const char *fmt, ...) {
  if (err) {
    char raw[RAW_BYTES];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(raw, sizeof raw, fmt, ap);
    va_end(ap);
    (void)cb_text_show(raw, err->msg, sizeof err->msg);
  }
}

void cb_err_say_in(cb_err *err, const char *fmt, ...) {
  if (err) {
    char raw[RAW_BYTES];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(raw, sizeof raw, fmt, ap);
    va_end(ap);
    if (n >= 0 && (size_t)n < sizeof raw) (void)snprintf(raw + n, sizeof raw - (size_t)n, ": %s", err->msg);
    (void)cb_text_show(raw, err->msg, sizeof err->msg);
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
