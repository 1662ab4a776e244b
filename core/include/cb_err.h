/* Status codes and the one sentence that explains a failure.
 *
 * Every fallible function returns a cb_status and takes a cb_err* (may be NULL) that receives the sentence:
 * where, what, got, wanted. Libraries never print, exit or abort. */
#ifndef CB_ERR_H
#define CB_ERR_H

#define CB_STATUS_LIST(X)                                      \
  X(CB_OK, 0, "ok")                                            \
  X(CB_E_ARG, -1, "caller broke the contract (a bug)")         \
  X(CB_E_NOMEM, -2, "out of memory")                           \
  X(CB_E_IO, -3, "read, write or open failed")                 \
  X(CB_E_PARSE, -4, "text is not in the expected form")        \
  X(CB_E_RANGE, -5, "value outside its allowed range")         \
  X(CB_E_DB, -6, "database error")                             \
  X(CB_E_DEVICE, -7, "instrument did not answer as specified") \
  X(CB_E_TIMEOUT, -8, "instrument did not answer in time")     \
  X(CB_E_NUM, -9, "NaN, infinity or singular matrix")          \
  X(CB_E_NOTFOUND, -10, "no such entry")                       \
  X(CB_E_STOPPED, -11, "stopped by the operator")              \
  X(CB_E_SAFETY, -12, "stopped by the guard")

typedef enum cb_status {
#define X(name, number, text) name = (number),
  CB_STATUS_LIST(X)
#undef X
} cb_status;

#define CB_CHECKED __attribute__((warn_unused_result))
#define CB_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))

typedef struct cb_err {
  char msg[512];
} cb_err;

/* Writes the sentence (truncated to fit, control characters as cb_text_show does) and returns st, so that a failing line reads
 *   return cb_fail(err, CB_E_RANGE, "%s:%d: dt_s = %g: must be > 0", path, line, dt_s);
 * A macro, so that compiler and analyzer see which status comes back. */
#define cb_fail(err, st, ...) (cb_err_say((err), __VA_ARGS__), (st))
void cb_err_say(cb_err *err, const char *fmt, ...) CB_PRINTF(2, 3);

/* Puts "prefix: " in front of the sentence err holds; returns st. */
#define cb_fail_in(err, st, ...) (cb_err_say_in((err), __VA_ARGS__), (st))
void cb_err_say_in(cb_err *err, const char *fmt, ...) CB_PRINTF(2, 3);

/* The fixed text of a status; "unknown status" for a number that is not in the list. */
const char *cb_status_text(cb_status st);

/* Error propagation: returns from the calling function on anything but CB_OK. */
#define CB_TRY(call)                            \
  do {                                          \
    cb_status cb_try_st_ = (call);              \
    if (cb_try_st_ != CB_OK) return cb_try_st_; \
  } while (0)

/* The same for functions with one exit label: sets `st` and jumps to `done`. */
#define CB_GOTO(call)           \
  do {                          \
    st = (call);                \
    if (st != CB_OK) goto done; \
  } while (0)

#endif
