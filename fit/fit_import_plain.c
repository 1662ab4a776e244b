/* Friction as a plain table: cloth, body, direction, load, and a force or a coefficient, each with its unit.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_plural.h"
#include "fit_import_impl.h"
#include "fit_table.h"

enum {
  CLOTH,
  BODY,
  DIRECTION,
  BODY_DIRECTION,
  NORMAL_FORCE,
  MASS,
  FORCE,
  COEFFICIENT,
  STATIC_FORCE,
  STATIC_COEFFICIENT,
  REPEAT,
  AREA,
  SPEED,
  U_FORCE, /* in the order of FORCE ... STATIC_COEFFICIENT */
  U_COEFFICIENT,
  U_STATIC_FORCE,
  U_STATIC_COEFFICIENT,
  FIELDS
};
static const fit_table_field fields[FIELDS] = {{"cloth", CB_DIM_NONE, true, 0, 0},
                                               {"body", CB_DIM_NONE, true, 0, 0},
                                               {"direction", CB_DIM_ANGLE, false, -2 * CB_PI, 2 * CB_PI},
                                               {"body_direction", CB_DIM_ANGLE, false, -2 * CB_PI, 2 * CB_PI},
                                               {"normal_force", CB_DIM_FORCE, false, 1e-6, 1e6},
                                               {"mass", CB_DIM_MASS, false, 1e-7, 1e5},
                                               {"force", CB_DIM_FORCE, false, 0, 1e6},
                                               {"friction_coefficient", CB_DIM_RATIO, false, 0, 100},
                                               {"static_force", CB_DIM_FORCE, false, 0, 1e6},
                                               {"static_coefficient", CB_DIM_RATIO, false, 0, 100},
                                               {"repeat", CB_DIM_COUNT, false, 1, 1e6},
                                               {"area", CB_DIM_AREA, false, 1e-8, 100},
                                               {"speed", CB_DIM_SPEED, false, 0, 100},
                                               {"u_force", CB_DIM_FORCE, false, 0, 1e6},
                                               {"u_friction_coefficient", CB_DIM_RATIO, false, 0, 100},
                                               {"u_static_force", CB_DIM_FORCE, false, 0, 1e6},
                                               {"u_static_coefficient", CB_DIM_RATIO, false, 0, 100}};

#define AREA_M2 0.005 /* where the table does not tell it, as docs/guide/import.md says */

/* ---- a row ---- */

/* A number and its standard uncertainty: of the last digit, and what the table states. value NAN: the cell is
 * empty. */
typedef struct cell {
  double value, u;
} cell;

static cell read_cell(const fit_table *t, size_t field, size_t row) {
  return (cell){fit_table_number(t, field, row), fit_table_digit(t, field) / sqrt(12)};
}

/* With the standard uncertainty that the table states, if it does. */
static cell read_value(const fit_table *t, size_t field, size_t row) {
  const cell c = read_cell(t, field, row);
  return (cell){c.value, hypot(c.u, fit_table_number_or(t, U_FORCE + field - FORCE, row, 0))};
}

/* A force that is printed goes before one from a coefficient. */
static cell force_of(const fit_table *t, size_t force, size_t coefficient, size_t row, double load_N) {
  const cell f = read_value(t, force, row), mu = read_value(t, coefficient, row);
  return isfinite(f.value) ? f : (cell){mu.value * load_N, mu.u * load_N};
}

static cell load_of(const fit_table *t, size_t row) {
  const cell m = read_cell(t, MASS, row);
  if (fit_table_given(t, NORMAL_FORCE)) return read_cell(t, NORMAL_FORCE, row);
  return (cell){m.value * CB_STANDARD_GRAVITY_M_PER_S2, m.u * CB_STANDARD_GRAVITY_M_PER_S2};
}

static void fill_run(const fit_table *t, size_t row, cell load, cb_run *r) {
  *r = (cb_run){.kind = CB_RUN_PULL,
                .angle_deg = fit_table_number_or(t, DIRECTION, row, 0) / CB_DEG,
                .body_angle_deg = fit_table_number(t, BODY_DIRECTION, row) / CB_DEG,
                .added_mass_kg = load.value / CB_STANDARD_GRAVITY_M_PER_S2,
                .normal_force_N = load.value,
                .u_normal_force_N = load.u,
                .contact_area_m2 = fit_table_number_or(t, AREA, row, AREA_M2),
                .speed_m_per_s = fit_table_number_or(t, SPEED, row, 0),
                .direction = 1,
                .repeat = (int)fit_table_number_or(t, REPEAT, row, 1),
                .origin = CB_IMPORTED,
                .status = CB_RUN_DONE};
  (void)snprintf(r->source, sizeof r->source, "%.200s", fit_table_source(t));
}

static int decimals_of(double digit) { return digit > 0 && digit < 1 ? (int)lround(-log10(digit)) : 0; }

static void fill_point(const fit_table *t, size_t row, cell kinetic, cell still, cb_friction_point *p) {
  *p = (cb_friction_point){.static_N = still.value,
                           .u_static_N = isnan(still.value) ? NAN : still.u,
                           .kinetic_N = kinetic.value,
                           .u_kinetic_N = isnan(kinetic.value) ? NAN : kinetic.u,
                           .n_eff = 1,
                           .mu_reported = fit_table_number(t, COEFFICIENT, row),
                           .mu_reported_decimals = decimals_of(fit_table_digit(t, COEFFICIENT))};
  (void)snprintf(
      p->method, sizeof p->method, "import/2 force from the %s",
      fit_table_given(t, FORCE) || fit_table_given(t, STATIC_FORCE) ? "table" : "printed coefficient");
}

static cb_status check_force(const fit_table *t, size_t row, const char *what, cell force, cell load,
                             cb_err *err) {
  if (isnan(force.value) || force.value >= FIT_LEAST_MU * load.value) return CB_OK;
  return fit_table_fail(
      t, row, CB_E_RANGE, err,
      "a %s friction force of %g N under %g N: it must be > 0 (at least %g of the load); an "
      "empty cell says that it was not measured",
      what, force.value, load.value, FIT_LEAST_MU);
}

static cb_status read_row(const fit_table *t, size_t row, fit_import *out, cb_err *err) {
  fit_import_row *to = &out->rows[out->n_rows];
  const cell load = load_of(t, row);
  CB_TRY(fit_table_name(t, CLOTH, row, to->cloth, sizeof to->cloth, err));
  CB_TRY(fit_table_name(t, BODY, row, to->body, sizeof to->body, err));
  if (isnan(load.value))
    return fit_table_fail(t, row, CB_E_PARSE, err, "the load is empty: a number was wanted");
  const cell kinetic = force_of(t, FORCE, COEFFICIENT, row, load.value),
             still = force_of(t, STATIC_FORCE, STATIC_COEFFICIENT, row, load.value);
  fill_run(t, row, load, &to->run);
  if (isnan(kinetic.value) && isnan(still.value)) {
    out->holes[out->n_holes++] = *to;
    return CB_OK;
  }
  CB_TRY(check_force(t, row, "kinetic", kinetic, load, err));
  CB_TRY(check_force(t, row, "static", still, load, err));
  fill_point(t, row, kinetic, still, &to->point);
  out->n_rows++;
  return CB_OK;
}

/* ---- the table ---- */

static cb_status check_columns(const fit_table *t, const char *mapping, cb_err *err) {
  const bool load = fit_table_given(t, NORMAL_FORCE) != fit_table_given(t, MASS);
  bool value = false;
  for (size_t field = FORCE; field <= STATIC_COEFFICIENT; field++) value |= fit_table_given(t, field);
  if (load && value) return CB_OK;
  return cb_fail(
      err, CB_E_PARSE,
      "%s: one of 'normal_force' and 'mass', and one of 'force', 'friction_coefficient', 'static_force' and "
      "'static_coefficient' at least were wanted",
      mapping);
}

static cb_status read_rows(const fit_table *t, const char *csv_path, fit_import *out, cb_err *err) {
  const size_t n = fit_table_rows(t);
  out->rows = calloc(n + 1, sizeof *out->rows);
  out->holes = calloc(n + 1, sizeof *out->holes);
  out->mapping_text = strdup(fit_table_mapping(t));
  if (!out->rows || !out->holes || !out->mapping_text) return cb_no_memory(err, "%zu rows", n);
  for (size_t row = 0; row < n; row++) CB_TRY(read_row(t, row, out, err));
  if (out->n_rows == 0)
    return cb_fail(err, CB_E_RANGE, "%s: nothing but holes in %zu row%s: no force, no coefficient", csv_path,
                   n, CB_S(n));
  /* What all rows share: the relative uncertainty of the column that the forces come from. */
  double u_rel = 0;
  for (size_t field = FORCE; field <= STATIC_COEFFICIENT; field++)
    u_rel = fmax(u_rel, fit_table_u_rel(t, field));
  return fit_import_end(t, u_rel, REPEAT, out, err);
}

cb_status fit_import_plain(const char *mapping_path, const char *csv_path, fit_import *out, cb_err *err) {
  fit_table *t;
  CB_TRY(fit_table_read(mapping_path, csv_path, "friction", fields, FIELDS, &t, err));
  cb_status st = check_columns(t, mapping_path, err);
  if (st == CB_OK) st = read_rows(t, csv_path, out, err);
  fit_table_free(t);
  return st;
}
