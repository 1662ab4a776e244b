/* The table's text, and the scales on which layings scatter evenly. */
#include "val_drape_table_impl.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "cb_csv.h"
#include "cb_file.h"

#define MAX_BYTES ((size_t)16 << 20)

/* ---- reading ---- */

/* What stands in a column, what brings it to SI, and where it may lie. */
typedef struct column {
  const char *name;
  double to_si, low, high;
} column;

enum {
  SUPPORT,
  SPECIMEN,
  VERTICES,
  SEED,
  BENDING,
  RATIO,
  SHEAR,
  SOFTENING,
  SIGN,
  STRETCH = SIGN + VAL_DRAPE_SIGNS,
  COLUMNS
};
static const column columns[COLUMNS] = {
    {"support_cm", 1e-2, 0.1, 1000},
    {"specimen_cm", 1e-2, 0.1, 1000},
    {"vertices", 1, 1, 1e7},
    {"seed", 1, 0, 9e15},
    {"bending_length_mm", 1e-3, 0.1, 1e4},
    {"bending_ratio", 1, 1, 1e3},
    {"shear_length_m", 1, 1e-3, 1e6},
    {"softening", 1, 1, 1e3},
    {"drape_coefficient", 1, -0.2, 1.05},
    {"nodes", 1, 0, 180},
    {"amplitude_mm", 1e-3, 0, 1e4},
    {"elongation", 1, 0, 1},
    {"stretch_length_m", 1, 1e-1, 1e5},
};

/* A table in which all cloths stretch alike has no such column. */
#define NO_COLUMN SIZE_MAX

static cb_status read_row(const cb_csv *csv, size_t r, const size_t *at, val_drape_row *out, cb_err *err) {
  double v[COLUMNS];
  v[STRETCH] = VAL_DRAPE_STRETCH_M;
  for (int k = 0; k < COLUMNS && at[k] != NO_COLUMN; k++) {
    CB_TRY(cb_csv_number(csv, r, at[k], columns[k].low, columns[k].high, &v[k], NULL, err));
    v[k] *= columns[k].to_si;
  }
  if (!(v[SPECIMEN] > v[SUPPORT]))
    return cb_fail(err, CB_E_RANGE, "%s:%d: specimen_cm = %g: must be above support_cm = %g",
                   cb_csv_name(csv), cb_csv_line(csv, r), 100 * v[SPECIMEN], 100 * v[SUPPORT]);
  *out = (val_drape_row){.support_m = v[SUPPORT],
                         .specimen_m = v[SPECIMEN],
                         .vertices = (int)v[VERTICES],
                         .seed = v[SEED],
                         .cloth = {v[BENDING], v[RATIO], v[SHEAR], v[SOFTENING], v[STRETCH]}};
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++) out->sign[s] = v[SIGN + s];
  return CB_OK;
}

static cb_status read_rows(const cb_csv *csv, val_drape_table *out, cb_err *err) {
  size_t at[COLUMNS];
  for (int k = 0; k < STRETCH; k++) CB_TRY(cb_csv_find(csv, columns[k].name, &at[k], err));
  if (cb_csv_find(csv, columns[STRETCH].name, &at[STRETCH], err) != CB_OK) at[STRETCH] = NO_COLUMN;
  out->n = cb_csv_rows(csv);
  out->row = calloc(out->n, sizeof *out->row);
  if (!out->row) return cb_no_memory(err, "%s, %zu drapes", cb_csv_name(csv), out->n);
  for (size_t r = 0; r < out->n; r++) CB_TRY(read_row(csv, r, at, &out->row[r], err));
  return CB_OK;
}

cb_status val_drape_table_parse(const char *text, size_t n, const char *name, val_drape_table *out,
                                cb_err *err) {
  cb_csv_options how = cb_csv_options_default();
  cb_csv *csv;
  *out = (val_drape_table){.n = 0};
  CB_TRY(cb_csv_parse(text, n, name, &how, &csv, err));
  cb_status st = read_rows(csv, out, err);
  cb_csv_free(csv);
  return st;
}

cb_status val_drape_table_read(const char *path, val_drape_table *out, cb_err *err) {
  char *text;
  size_t n;
  *out = (val_drape_table){.n = 0};
  CB_TRY(cb_file_read(path, MAX_BYTES, &text, &n, err));
  cb_status st = val_drape_table_parse(text, n, path, out, err);
  free(text);
  return st;
}

void val_drape_table_clear(val_drape_table *t) {
  free(t->row);
  *t = (val_drape_table){.n = 0};
}

/* ---- even scales ---- */

/* A cloth that hangs straight down, or a plate: as far as the reduction sees them. */
#define COEFFICIENT_MIN 0.01
#define COEFFICIENT_MAX 0.99

static double within(double v) { return fmin(fmax(v, COEFFICIENT_MIN), COEFFICIENT_MAX); }

double val_drape_even(val_drape_sign s, double value) {
  if (s == VAL_DRAPE_COEFFICIENT) return log(within(value) / (1 - within(value)));
  return s == VAL_DRAPE_NODES ? value : sqrt(value);
}

double val_drape_uneven(val_drape_sign s, double even) {
  if (s == VAL_DRAPE_COEFFICIENT) return 1 / (1 + exp(-even));
  return s == VAL_DRAPE_NODES ? even : even * fmax(even, 0);
}

/* Roots are steep at 0. */
#define ROOT_FROM 1e-3

double val_drape_even_slope(val_drape_sign s, double value) {
  if (s == VAL_DRAPE_COEFFICIENT) return 1 / (within(value) * (1 - within(value)));
  return s == VAL_DRAPE_NODES ? 1 : 0.5 / sqrt(fmax(value, ROOT_FROM));
}

/* Natural scales: coefficient, nodes, amplitude [m], elongation. */
static const double u_simulation[VAL_DRAPE_SIGNS] = {0.012, 0.3, 0.0005, 0.002};

double val_drape_u_simulation(val_drape_sign s, double even) {
  return u_simulation[s] * val_drape_even_slope(s, val_drape_uneven(s, even));
}
