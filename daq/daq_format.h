/* The format lock. A read-out that sends text always sends it in the same form. A line that lost some digits
 * and is still a number ("0.4312" -> "0.43") is recognised by its form alone. The form is the number of
 * fields, the number of decimals of the reading, and whether readings above zero have a plus sign.
 *
 * The first line sets the form. A line of another form is refused. Ten lines in a row that agree set the form
 * anew: a display was switched to another range, or the very first line was torn. A false digit keeps the
 * form; no text protocol without a checksum can detect it. */
#ifndef DAQ_FORMAT_H
#define DAQ_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#define DAQ_FORMAT_AGAIN 10

typedef struct daq_form {
  int fields, decimals;
  int plus; /* 1: a plus sign; 0: none; -1: not known (negative reading) */
} daq_form;

typedef struct daq_format {
  bool locked;
  daq_form form;      /* holds if locked */
  daq_form candidate; /* of the last n_candidate lines, which differ from `form` */
  int n_candidate;
  size_t n_changed; /* number of times the form was set anew */
} daq_format;

/* Returns the form of a line of n bytes. Line ends at both ends are ignored. field and separator locate the
 * reading, as in daq_line.h. */
daq_form daq_form_of(const char *line, size_t n, int field, const char *separator);
/* Returns true if a reading of this form may be used, and updates the lock. A zeroed lock has seen
 * nothing. */
bool daq_format_holds(daq_format *f, daq_form form);

#endif
