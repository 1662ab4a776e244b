/* The format lock: a read-out that sends text always sends it in the same form, and a line that lost some of its digits and is a
 * number all the same ("0.4312" -> "0.43") betrays itself by its form alone. The form is the number of fields, the number of
 * decimals of the reading, and whether readings above zero carry a plus sign.
 *
 * The first line sets the form, and a line of another form is refused. A display that was switched to another range sends another form
 * for good: ten lines in a row that agree set it anew (and put it right where the very first line was a torn one). What keeps the form (a
 * false digit) no text protocol without a checksum can tell. */
#ifndef DAQ_FORMAT_H
#define DAQ_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#define DAQ_FORMAT_AGAIN 10

typedef struct daq_form {
  int fields, decimals;
  int plus; /* 1: a plus sign, 0: none, -1: not known, as the reading is negative */
} daq_form;

typedef struct daq_format {
  bool locked;
  daq_form form;      /* once locked */
  daq_form candidate; /* of the last n_candidate lines, none of which has the locked form */
  int n_candidate;
  size_t n_changed; /* how often the form was set anew */
} daq_format;

/* The form of a line (line ends at either end are ignored). field, separator: where the reading stands, as in daq_line.h. */
daq_form daq_form_of(const char *line, size_t n, int field, const char *separator);
/* A line that is a reading came: may it be used? All zeros is a lock that has seen nothing. */
bool daq_format_holds(daq_format *f, daq_form form);

#endif
