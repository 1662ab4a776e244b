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

/* raw, of which n characters stand there, goes before `after`. */
static void put_before(cb_err *err, char *raw, int n, const char *after) {
  if (n >= 0 && (size_t)n < RAW_BYTES) (void)snprintf(raw + n, RAW_BYTES - (size_t)n, ": %s", after);
  (void)cb_text_show(raw, err->msg, sizeof err->msg);
}

void cb_err_say_in(cb_err *err, const char *fmt, ...) {
  if (err) {
    char raw[RAW_BYTES];
    va_list ap;
    va_start(ap, fmt);
    put_before(err, raw, vsnprintf(raw, sizeof raw, fmt, ap), err->msg);
    va_end(ap);
  }
}

void cb_err_no_memory(cb_err *err, const char *what, ...) {
  if (err) {
    char raw[RAW_BYTES];
    va_list ap;
    va_start(ap, what);
    put_before(err, raw, vsnprintf(raw, sizeof raw, what, ap), "out of memory");
    va_end(ap);
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
