#include "cb_digit.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_plural.h"

#define MAX_STEP 3          /* decades between the decimals of cells that one read-out wrote */
#define MIN_SHARE 10        /* one number in so many has a digit that counts */
#define EXACT 1e-9          /* a digit this small beside the largest number says nothing of a read-out */
#define BINARY_DIGITS 16    /* from so many on, a number is a double written in full */
#define KEPT_DIGITS "%.14g" /* what remains of it, without the noise of binary sums */

/* A number of the column. */
typedef struct item {
  double value, decimals;
} item;

/* Of the mantissa, from the first that is not zero on. */
static size_t count_significant(const char *cell) {
  size_t n = 0;
  for (; *cell && !strchr("eE", *cell); cell++)
    if (strchr("123456789", *cell) || (n > 0 && *cell == '0')) n++;
  return n;
}

/* < 0 in 12e3. A double: no exponent is too long for it. */
static double count_decimals(const char *text) {
  const char *point = strchr(text, '.'), *exponent = strpbrk(text, "eE");
  const double fraction = point ? (double)strspn(point + 1, "0123456789") : 0;
  return exponent ? fraction - strtod(exponent + 1, NULL) : fraction;
}

static double decimals_of(const char *cell, double value) {
  char kept[32];
  if (count_significant(cell) < BINARY_DIGITS) return count_decimals(cell);
  (void)snprintf(kept, sizeof kept, KEPT_DIGITS, value);
  return count_decimals(kept);
}

/* Returns false for a cell that says nothing about the digit. */
static bool read_item(const cb_csv *csv, size_t row, size_t column, item *out) {
  bool missing;
  if (cb_csv_number(csv, row, column, -HUGE_VAL, HUGE_VAL, &out->value, &missing, NULL) != CB_OK || missing)
    return false;
  out->decimals = fmax(0, decimals_of(cb_csv_cell(csv, row, column), out->value));
  return out->value != 0 || out->decimals > 0;
}

/* Equal numbers stand together, the one with most decimals first. */
static int by_value(const void *a, const void *b) {
  const item *x = a, *y = b;
  if (x->value != y->value) return x->value > y->value ? 1 : -1;
  return (x->decimals < y->decimals) - (x->decimals > y->decimals);
}

static int by_decimals(const void *a, const void *b) {
  const item *x = a, *y = b;
  return (x->decimals > y->decimals) - (x->decimals < y->decimals);
}

static size_t drop_equal(item *list, size_t n) {
  size_t kept = 0;
  qsort(list, n, sizeof *list, by_value);
  for (size_t i = 0; i < n; i++)
    if (kept == 0 || list[i].value != list[kept - 1].value) list[kept++] = list[i];
  return kept;
}

/* The decimals of n >= 1 different numbers. */
static double usual_decimals(item *list, size_t n) {
  qsort(list, n, sizeof *list, by_decimals);
  size_t at = (n - 1) / 2;
  for (size_t i = at + 1; i < n; i++) {
    if (list[i].decimals == list[at].decimals) continue;
    if (list[i].decimals > list[at].decimals + MAX_STEP || MIN_SHARE * (n - i) < n) break;
    at = i;
  }
  return list[at].decimals;
}

static double largest(const item *list, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(list[i].value));
  return most;
}

static void count_finer(const cb_csv *csv, size_t column, double decimals, cb_digit *out) {
  item it;
  for (size_t row = cb_csv_rows(csv); row-- > 0;)
    if (read_item(csv, row, column, &it) && it.decimals > decimals) {
      out->n_finer++;
      out->first_row = row;
    }
}

cb_status cb_digit_find(const cb_csv *csv, size_t column, cb_digit *out, cb_err *err) {
  const size_t rows = cb_csv_rows(csv);
  size_t n = 0;
  item *list = malloc(rows * sizeof *list);
  *out = (cb_digit){.value = 1};
  if (!list) return cb_no_memory(err, "%s, %zu rows", cb_csv_name(csv), rows);
  for (size_t row = 0; row < rows; row++) n += read_item(csv, row, column, &list[n]);
  if (n > 0) {
    n = drop_equal(list, n);
    const double most = largest(list, n), decimals = usual_decimals(list, n);
    out->value = fmax(pow(10, -decimals), DBL_EPSILON * most);
    if (out->value > EXACT * most) count_finer(csv, column, decimals, out);
  }
  free(list);
  return CB_OK;
}

void cb_digit_note(const cb_csv *csv, size_t column, const cb_digit *digit, char *out, size_t size) {
  out[0] = '\0';
  if (digit->n_finer == 0) return;
  const char *name = cb_csv_header(csv, column);
  (void)snprintf(out, size,
                 "%.100s:%d: %.40s = %.40s has more decimals than its column (%zu cell%s): the digit of the "
                 "column is taken as %g",
                 cb_csv_name(csv), cb_csv_line(csv, digit->first_row), name && name[0] ? name : "the cell",
                 cb_csv_cell(csv, digit->first_row, column), digit->n_finer, CB_S(digit->n_finer),
                 digit->value);
}
