/* Calendar dates, as a certificate states them: "2026-11-21", proleptic Gregorian, compared as texts. */
#ifndef CB_DATE_H
#define CB_DATE_H

#include "cb_err.h"

#define CB_DATE_SIZE 11 /* with the NUL */

/* Today, UTC. */
void cb_date_today(char out[CB_DATE_SIZE]);
/* The date `days` (rounded down) after `date`, which may be followed by a time of day ("2026-11-21T08:00:00Z"). CB_E_PARSE: no such day;
 * CB_E_RANGE: beyond the year 9999. what: for the sentence. */
CB_CHECKED cb_status cb_date_add(const char *date, double days, const char *what, char out[CB_DATE_SIZE], cb_err *err);

#endif
