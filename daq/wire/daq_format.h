/* The format lock. A read-out that sends text always sends it in the same form. A line that lost some digits
 * and is still a number ("0.4312" -> "0.43") is recognised by its form alone. The form is the number of
 * fields, the number of decimals of the reading, whether readings above zero have a plus sign, and those
 * below one a zero before the point.
 *
 * The first line sets the form, or the lines that were learned before. A line of another form is refused. Ten
 * lines in a row that agree set the form anew: a display was switched to another range, or the very first
 * line was torn. A false digit keeps the form; no text protocol without a checksum can detect it.
 *
 * The shortest print (MicroPython, "%g") leaves out trailing zeros: one reading in ten has a decimal less. It
 * is told by two facts: shorter readings come, and no reading ends in a zero. The number of decimals then
 * tells nothing, and only the fields, the sign and a zero in front of other digits are left of the lock. */
#ifndef DAQ_FORMAT_H
#define DAQ_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#define DAQ_FORMAT_AGAIN 10

typedef struct daq_form {
  int fields, decimals;
  int plus;          /* 1: a plus sign; 0: none; -1: not known (negative reading) */
  int zero;          /* 1: "0.43"; 0: ".43"; -1: not known (another digit before the point) */
  int last;          /* last decimal, 0 to 9; -1: the reading has none */
  bool leading_zero; /* "04312": nobody prints that */
} daq_form;

/* What the lines so far say of the way in which the read-out prints. */
typedef struct daq_prints {
  size_t n;
  int most_decimals;    /* of the longest readings */
  size_t n_shorter;     /* times that longest readings came again after shorter ones */
  size_t n_zeros;       /* longest readings that end in a zero */
  unsigned last_digits; /* a bit for each last decimal of the longest readings */
  bool in_shorter;      /* the last reading was shorter */
} daq_prints;

typedef struct daq_format {
  bool locked;
  bool shortest;      /* the read-out leaves out trailing zeros */
  daq_form form;      /* holds if locked */
  daq_form candidate; /* of the last n_candidate lines, which differ from `form` */
  int n_candidate;
  size_t n_changed; /* number of times the form was set anew */
  daq_prints prints;
} daq_format;

/* Returns the form of a line of n bytes. Line ends at both ends are ignored. field and separator locate the
 * reading, as in daq_line.h. */
daq_form daq_form_of(const char *line, size_t n, int field, const char *separator);
/* Learns from a line while nothing depends on readings yet. A line with other fields begins anew. Returns the
 * number of lines that were learned in a row. */
size_t daq_format_learn(daq_format *f, daq_form form);
/* Returns true if a reading of this form may be used, and updates the lock. A zeroed lock has seen
 * nothing. */
bool daq_format_holds(daq_format *f, daq_form form);

#endif
