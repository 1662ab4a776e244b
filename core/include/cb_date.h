/* Calendar dates as a certificate states them: "2026-11-21", proleptic Gregorian. Dates compare as texts. */
#ifndef CB_DATE_H
#define CB_DATE_H

#include "cb_err.h"

#define CB_DATE_SIZE 11 /* with the NUL */

/* Writes today's date where the computer is (TZ): a certificate's dates are those of its place. */
void cb_date_today(char out[CB_DATE_SIZE]);
/* Writes the date `days` after `date`. days is rounded down and counts as 0 if negative. A time of day may
 * follow the date ("2026-11-21T08:00:00Z"). `what` names the quantity in the error sentence.
 * Errors: CB_E_PARSE if there is no such day, CB_E_RANGE beyond the year 9999. */
CB_CHECKED cb_status cb_date_add(const char *date, double days, const char *what, char out[CB_DATE_SIZE],
                                 cb_err *err);

#endif
