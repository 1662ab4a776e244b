/* What tests that read tables of measured data share. */
#ifndef CSVTEST_H
#define CSVTEST_H

#include "cb_csv.h"
#include "cbtest.h"

/* Caller: cb_csv_free. */
static inline cb_csv *csvt_load(const char *path) {
  cb_csv_options opt = cb_csv_options_default();
  cb_csv *csv;
  char *text = cbt_read(path);
  assert_ok(cb_csv_parse(text, strlen(text), path, &opt, &csv, err));
  free(text);
  return csv;
}

static inline size_t csvt_column(const cb_csv *csv, const char *column) {
  size_t i;
  assert_ok(cb_csv_find(csv, column, &i, err));
  return i;
}

static inline const char *csvt_text(const cb_csv *csv, size_t row, const char *column) {
  return cb_csv_cell(csv, row, csvt_column(csv, column));
}

static inline double csvt_number_at(const cb_csv *csv, size_t row, size_t column) {
  double v;
  assert_ok(cb_csv_number(csv, row, column, -1e9, 1e9, &v, NULL, err));
  return v;
}

static inline double csvt_number(const cb_csv *csv, size_t row, const char *column) {
  return csvt_number_at(csv, row, csvt_column(csv, column));
}

#endif
