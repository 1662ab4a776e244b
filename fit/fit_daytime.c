#include "fit_cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_cell.h"

#define DAY_S 86400.0

typedef struct daytime {
  bool dated;
  long day;     /* since some day */
  double s;     /* of the day */
  int decimals; /* of the seconds */
} daytime;

/* At most `most` digits. Returns behind them, or NULL. */
static const char *read_digits(const char *at, size_t most, long *out) {
  const size_t n = strspn(at, "0123456789");
  if (n == 0 || n > most) return NULL;
  *out = strtol(at, NULL, 10);
  return at + n;
}

/* Days of the proleptic Gregorian calendar, whose year begins in March here. */
static long day_number(long year, long month, long day) {
  const long y = month > 2 ? year : year - 1, m = month > 2 ? month - 3 : month + 9;
  return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day;
}

/* "2026-11-29 " or "2026-11-29T", if there is one. Returns where the time begins, or NULL. */
static const char *read_date(const char *text, daytime *out) {
  long year, month, day;
  const char *at = read_digits(text, 4, &year);
  if (!at || *at != '-') return text;
  at = read_digits(at + 1, 2, &month);
  at = at && *at == '-' ? read_digits(at + 1, 2, &day) : NULL;
  if (!at || !strchr(" T", *at) || !*at || month < 1 || month > 12 || day < 1 || day > 31) return NULL;
  out->dated = true;
  out->day = day_number(year, month, day);
  return at + 1;
}

static const char *read_fraction(const char *at, daytime *out) {
  if (*at != '.' && *at != ',') return at;
  const size_t n = strspn(at + 1, "0123456789");
  double unit = 1;
  if (n == 0 || n > 9) return NULL;
  for (size_t i = 0; i < n; i++) unit /= 10, out->s += unit * (at[1 + i] - '0');
  out->decimals = (int)n;
  return at + 1 + n;
}

static bool read_daytime(const char *text, daytime *out) {
  long part[3];
  int n = 0;
  *out = (daytime){.dated = false};
  const char *at = read_date(text, out);
  while (at && n < 3) {
    at = read_digits(at, 2, &part[n]);
    if (!at) return false;
    n++;
    if (*at != ':') break;
    at++;
  }
  if (!at || n < 2) return false;
  for (int i = 0; i < n; i++) {
    if (part[i] > (n == 3 && i == 0 ? 24 : 59)) return false;
    out->s = 60 * out->s + (double)part[i];
  }
  at = read_fraction(at, out);
  if (!at || (n == 2 && out->decimals == 0)) return false;
  return *at == '\0' || strcmp(at, "Z") == 0;
}

static bool has_daytime(const cb_csv *csv, size_t column) {
  daytime d;
  for (size_t row = 0; row < cb_csv_rows(csv); row++)
    if (read_daytime(cb_csv_cell(csv, row, column), &d)) return true;
  return false;
}

cb_status fit_daytime_make_plain(cb_csv *csv, size_t column, bool *any, cb_err *err) {
  daytime d;
  long first_day = 0, nights = 0;
  double last_s = -INFINITY;
  char plain[40];
  *any = has_daytime(csv, column);
  for (size_t row = 0; *any && row < cb_csv_rows(csv); row++) {
    const char *cell = cb_csv_cell(csv, row, column);
    if (cb_cell_is_missing(cell)) continue;
    if (!read_daytime(cell, &d))
      return cb_fail(err, CB_E_PARSE,
                     "%s:%d: '%.40s': a time of day like the others was wanted, as 14:05:09.25 or "
                     "2026-11-29 14:05:09.25",
                     cb_csv_name(csv), cb_csv_line(csv, row), cell);
    if (isinf(last_s)) first_day = d.day;
    if (!d.dated && d.s < last_s - 0.5 * DAY_S) nights++;
    last_s = d.s;
    (void)snprintf(plain, sizeof plain, "%.*f", d.decimals,
                   d.s + DAY_S * (double)(d.dated ? d.day - first_day : nights));
    if (strlen(plain) <= strlen(cell)) cb_csv_set_cell(csv, row, column, plain);
  }
  return CB_OK;
}
