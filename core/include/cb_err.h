/* Status codes, and the sentence that explains a failure.
 *
 * A function that can fail returns a cb_status. Its last argument is a cb_err *, which may be NULL. On
 * failure the function writes one sentence to *err: where, what, got, wanted. On CB_OK *err is unspecified.
 * Libraries never print, exit or abort. */
#ifndef CB_ERR_H
#define CB_ERR_H

/* CB_E_ARG and a failed assert mean a bug of the caller. All other codes are facts of files, devices and
 * data. */
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
  char msg[512]; /* NUL-terminated; one line without control characters */
} cb_err;

/* Writes the sentence to *err and evaluates to st. A failing line therefore reads
 *   return cb_fail(err, CB_E_RANGE, "%s:%d: dt_s = %g: must be > 0", path, line, dt_s);
 * err may be NULL. The sentence is cut to fit msg. Control characters are replaced as cb_text_show replaces
 * them. cb_fail is a macro, so that compiler and analyzer see which status comes back. */
#define cb_fail(err, st, ...) (cb_err_say((err), __VA_ARGS__), (st))
void cb_err_say(cb_err *err, const char *fmt, ...) CB_PRINTF(2, 3);

/* Puts "prefix: " in front of the sentence that *err holds, and evaluates to st. err may be NULL. */
#define cb_fail_in(err, st, ...) (cb_err_say_in((err), __VA_ARGS__), (st))
void cb_err_say_in(cb_err *err, const char *fmt, ...) CB_PRINTF(2, 3);

/* Writes "what: out of memory" and evaluates to CB_E_NOMEM: cb_no_memory(err, "%d vertices", n). */
#define cb_no_memory(err, ...) (cb_err_no_memory((err), __VA_ARGS__), CB_E_NOMEM)
void cb_err_no_memory(cb_err *err, const char *what, ...) CB_PRINTF(2, 3);

/* Returns the fixed text of a status, or "unknown status" for a number outside the list. The text is
 * static. */
const char *cb_status_text(cb_status st);

/* Returns from the calling function with the status of the call, unless that is CB_OK. */
#define CB_TRY(call)                            \
  do {                                          \
    cb_status cb_try_st_ = (call);              \
    if (cb_try_st_ != CB_OK) return cb_try_st_; \
  } while (0)

/* CB_TRY for a function with one exit label: assigns the status to `st`, and jumps to `done` unless it is
 * CB_OK. */
#define CB_GOTO(call)           \
  do {                          \
    st = (call);                \
    if (st != CB_OK) goto done; \
  } while (0)

#endif
