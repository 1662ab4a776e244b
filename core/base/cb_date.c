#include "cb_date.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

void cb_date_today(char out[CB_DATE_SIZE]) {
  const time_t now = time(NULL);
  struct tm local;
  tzset();
  localtime_r(&now, &local);
  (void)strftime(out, CB_DATE_SIZE, "%Y-%m-%d", &local);
}

typedef struct day {
  int year, month, day;
} day;

static bool is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static int days_in(int year, int month) {
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return days[month - 1] + (month == 2 && is_leap(year));
}

static int digits(const char *text, int n) {
  int value = 0;
  for (int i = 0; i < n; i++) value = 10 * value + (text[i] - '0');
  return value;
}

static bool read_day(const char *text, day *d) {
  static const char form[] = "0000-00-00";
  for (int i = 0; i < CB_DATE_SIZE - 1; i++)
    if (form[i] == '0' ? !isdigit((unsigned char)text[i]) : text[i] != form[i]) return false;
  *d = (day){digits(text, 4), digits(text + 5, 2), digits(text + 8, 2)};
  char after = text[CB_DATE_SIZE - 1];
  return (after == '\0' || after == 'T') && d->year >= 1 && d->month >= 1 && d->month <= 12 && d->day >= 1 &&
         d->day <= days_in(d->year, d->month);
}

#define MOST_DAYS 4e6 /* more than there are before the year 10000 */

cb_status cb_date_add(const char *date, double days, const char *what, char out[CB_DATE_SIZE], cb_err *err) {
  day d;
  if (!read_day(date, &d))
    return cb_fail(err, CB_E_PARSE, "%s = '%.40s': a date like 2026-11-21 was wanted", what, date);
  for (long long left = (long long)fmax(0, fmin(days, MOST_DAYS)); left >= 1; left--) {
    d.day++;
    if (d.day > days_in(d.year, d.month)) d.day = 1, d.month++;
    if (d.month > 12) d.month = 1, d.year++;
    if (d.year > 9999)
      return cb_fail(err, CB_E_RANGE, "%s = '%.40s': %g days later no calendar goes on", what, date, days);
  }
  (void)snprintf(out, CB_DATE_SIZE, "%04u-%02u-%02u", (unsigned)d.year % 10000U, (unsigned)d.month % 100U,
                 (unsigned)d.day % 100U);
  return CB_OK;
}
