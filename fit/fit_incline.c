#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_csv.h"
#include "cb_num.h"
#include "cb_plural.h"
#include "fit_import_impl.h"
#include "fit_regress.h"

#define AREA_M2 0.005 /* where the table does not tell it, as docs/guide/import.md says */
#define MIN_SAMPLES 4 /* of a record: a parabola, and something to judge it by */
#define G CB_STANDARD_GRAVITY_M_PER_S2

const char *const fit_incline_kind_names[] = {"release", "incline", NULL};

enum { CLOTH, BODY, ANGLE, U_ANGLE, DIRECTION, BODY_DIRECTION, MASS, AREAL_MASS, AREA, REPEAT, ORIGIN };
enum { N_SHARED = ORIGIN + 1, ACCELERATION = N_SHARED, TIME, DISTANCE, N_FIELDS };

#define SHARED(angle)                                                                                  \
  {"cloth", CB_DIM_NONE, true, 0, 0}, {"body", CB_DIM_NONE, true, 0, 0},                               \
      {angle, CB_DIM_ANGLE, true, 1e-3, 1.57}, {"u_angle", CB_DIM_ANGLE, false, 0, 1},                 \
      {"direction", CB_DIM_ANGLE, false, -2 * CB_PI, 2 * CB_PI},                                       \
      {"body_direction", CB_DIM_ANGLE, false, -2 * CB_PI, 2 * CB_PI},                                  \
      {"mass", CB_DIM_MASS, false, 1e-7, 1e5}, {"areal_mass", CB_DIM_AREAL_DENSITY, false, 1e-4, 1e5}, \
      {"area", CB_DIM_AREA, false, 1e-8, 100}, {"repeat", CB_DIM_COUNT, false, 1, 1e6}, {              \
    "origin", CB_DIM_NONE, false, 0, 0                                                                 \
  }
static const fit_table_field release_fields[] = {SHARED("release_angle")};
static const fit_table_field slide_fields[] = {SHARED("incline"),
                                               {"acceleration", CB_DIM_ACCELERATION, false, -G, G},
                                               {"time", CB_DIM_TIME, false, -1e9, 1e9},
                                               {"distance", CB_DIM_LENGTH, false, -1e3, 1e3}};

/* By fit_incline_kind. */
static const struct {
  const fit_table_field *list;
  size_t n;
} fields[] = {{release_fields, N_SHARED}, {slide_fields, N_FIELDS}};

/* ---- a record of distances ---- */

cb_status fit_incline_motion_of(const cb_series *s, double digit_m, fit_incline_motion *out, cb_err *err) {
  fit_regress sums = {.n_columns = 3};
  fit_regression line;
  const double span_s = s->n > 0 ? s->t_s[s->n - 1] - s->t_s[0] : 0;
  if (s->n < MIN_SAMPLES || !(span_s > 0))
    return cb_fail(err, CB_E_RANGE, "%zu distance%s over %g s: at least %d at different times were wanted",
                   s->n, CB_S(s->n), span_s, MIN_SAMPLES);
  for (size_t i = 0; i < s->n; i++) {
    const double x = (s->t_s[i] - s->t_s[0]) / span_s;
    fit_regress_add(&sums, (const double[]){1, x, x * x}, s->v[i] - s->v[0], 1);
  }
  fit_regress_solve(&sums, &line);
  if (!line.used[2])
    return cb_fail(err, CB_E_RANGE, "%zu distance%s at 2 times: at least 3 times were wanted", s->n,
                   CB_S(s->n));
  const double dof = (double)s->n - 3, rest = fmax(0, line.rest),
               sd = fmax(sqrt(rest / dof), digit_m / sqrt(12));
  *out =
      (fit_incline_motion){.distance_m = s->v[0] + line.beta[0],
                           .speed_m_per_s = line.beta[1] / span_s,
                           .acceleration_m_per_s2 = 2 * line.beta[2] / (span_s * span_s),
                           .u_acceleration_m_per_s2 = 2 * sd * sqrt(line.inverse[2][2]) / (span_s * span_s),
                           .rms_m = sqrt(rest / (double)s->n)};
  return CB_OK;
}

/* ---- a row ---- */

typedef struct reading {
  const fit_table *table;
  fit_incline_kind kind;
  fit_import *out;
} reading;

/* The last digit, rectangular, and the instrument's. */
static double u_of(const fit_table *t, size_t field, double value) {
  return hypot(fit_table_digit(t, field) / sqrt(12), fit_table_u_rel(t, field) * value);
}

static cb_status read_mass(const fit_table *t, size_t row, double area_m2, double *kg, double *u_kg,
                           cb_err *err) {
  const bool areal = fit_table_given(t, AREAL_MASS);
  const size_t field = areal ? AREAL_MASS : MASS;
  const double scale = areal ? area_m2 : 1, value = fit_table_number(t, field, row);
  *kg = scale * value;
  *u_kg = scale * u_of(t, field, value);
  return isnan(value) ? fit_table_fail(t, row, CB_E_PARSE, err, "the mass is empty: a number was wanted")
                      : CB_OK;
}

/* Conditions of a row whose angle is known. */
static cb_status read_run(const reading *r, size_t row, fit_import_row *to, cb_err *err) {
  const fit_table *t = r->table;
  const double angle_rad = fit_table_number(t, ANGLE, row),
               area_m2 = fit_table_number_or(t, AREA, row, AREA_M2);
  double kg, u_kg;
  CB_TRY(fit_table_name(t, CLOTH, row, to->cloth, sizeof to->cloth, err));
  CB_TRY(fit_table_name(t, BODY, row, to->body, sizeof to->body, err));
  CB_TRY(read_mass(t, row, area_m2, &kg, &u_kg, err));
  to->run = (cb_run){.kind = CB_RUN_SLIDE,
                     .angle_deg = fit_table_number_or(t, DIRECTION, row, 0) / CB_DEG,
                     .body_angle_deg = fit_table_number(t, BODY_DIRECTION, row) / CB_DEG,
                     .added_mass_kg = kg,
                     .normal_force_N = kg * G * cos(angle_rad),
                     .u_normal_force_N = u_kg * G * cos(angle_rad),
                     .contact_area_m2 = area_m2,
                     .incline_deg = angle_rad / CB_DEG,
                     .direction = 1,
                     .repeat = (int)fit_table_number_or(t, REPEAT, row, 1),
                     .status = CB_RUN_DONE};
  CB_TRY(fit_table_origin(t, ORIGIN, row, &to->run.origin, err));
  (void)snprintf(to->run.source, sizeof to->run.source, "%.200s", fit_table_source(t));
  return CB_OK;
}

static double u_angle(const fit_table *t, size_t row, double angle_rad) {
  return hypot(fit_table_number_or(t, U_ANGLE, row, 0), u_of(t, ANGLE, angle_rad));
}

/* An error of the angle moves the weight's part along the slope, and by way of the load the force that the
 * law has for it: as much as F / N. */
static double u_by_angle(const fit_table *t, size_t row, const cb_run *run, double force_N) {
  const double a = run->incline_deg * CB_DEG, mu = force_N / run->normal_force_N;
  return run->added_mass_kg * G * (cos(a) + mu * sin(a)) * u_angle(t, row, a);
}

static void fill_release(const reading *r, size_t row, fit_import_row *to) {
  const double force_N = to->run.added_mass_kg * G * sin(to->run.incline_deg * CB_DEG);
  to->point = (cb_friction_point){.static_N = force_N,
                                  .u_static_N = u_by_angle(r->table, row, &to->run, force_N),
                                  .kinetic_N = NAN,
                                  .u_kinetic_N = NAN,
                                  .n_eff = 1,
                                  .mu_reported = NAN};
  (void)snprintf(to->point.method, sizeof to->point.method, "incline/1 force from the angle of release");
}

static cb_status fill_slide(const reading *r, size_t row, double acceleration, double u_acceleration,
                            const char *from, fit_import_row *to, cb_err *err) {
  const double kg = to->run.added_mass_kg, down = G * sin(to->run.incline_deg * CB_DEG),
               force_N = kg * (down - acceleration);
  if (!(force_N > 0))
    return fit_table_fail(
        r->table, row, CB_E_RANGE, err,
        "an acceleration of %.4g m/s2 on a slope of %g deg: less than the %.4g m/s2 without "
        "friction was wanted",
        acceleration, to->run.incline_deg, down);
  to->point = (cb_friction_point){
      .static_N = NAN,
      .u_static_N = NAN,
      .kinetic_N = force_N,
      .u_kinetic_N = hypot(kg * u_acceleration, u_by_angle(r->table, row, &to->run, force_N)),
      .n_eff = 1,
      .window_to_m = to->run.travel_m,
      .mu_reported = NAN};
  (void)snprintf(to->point.method, sizeof to->point.method, "incline/1 force from the %s", from);
  return CB_OK;
}

static cb_status read_single(const reading *r, size_t row, fit_import_row *to, cb_err *err) {
  CB_TRY(read_run(r, row, to, err));
  if (r->kind == FIT_INCLINE_RELEASE) {
    fill_release(r, row, to);
    return CB_OK;
  }
  const double b = fit_table_number(r->table, ACCELERATION, row);
  return fill_slide(r, row, b, u_of(r->table, ACCELERATION, b), "mean acceleration", to, err);
}

static cb_status read_single_rows(const reading *r, cb_err *err) {
  const size_t value = r->kind == FIT_INCLINE_RELEASE ? ANGLE : ACCELERATION;
  fit_import *out = r->out;
  for (size_t row = 0; row < fit_table_rows(r->table); row++) {
    if (isnan(fit_table_number(r->table, value, row)) || isnan(fit_table_number(r->table, ANGLE, row))) {
      out->n_skipped++;
      continue;
    }
    CB_TRY(read_single(r, row, &out->rows[out->n_rows], err));
    out->n_rows++;
  }
  return CB_OK;
}

/* ---- rows that are records ---- */

static bool same_text(const fit_table *t, size_t field, size_t a, size_t b) {
  return strcmp(fit_table_text(t, field, a), fit_table_text(t, field, b)) == 0;
}

static bool same_number(const fit_table *t, size_t field, size_t a, size_t b) {
  const double x = fit_table_number(t, field, a), y = fit_table_number(t, field, b);
  return x == y || (isnan(x) && isnan(y));
}

/* Whether a row goes on with the slide of the row before it. Repeats that the table does not number begin
 * where the time falls. */
static bool goes_on(const fit_table *t, size_t before, size_t row) {
  bool same = same_text(t, CLOTH, before, row) && same_text(t, BODY, before, row);
  for (size_t field = ANGLE; field <= REPEAT; field++) same = same && same_number(t, field, before, row);
  return same && (fit_table_given(t, REPEAT) ||
                  !(fit_table_number(t, TIME, row) < fit_table_number(t, TIME, before)));
}

static cb_status read_samples(const reading *r, size_t first, size_t last, cb_series *out, cb_err *err) {
  const fit_table *t = r->table;
  for (size_t row = first; row < last; row++) {
    const double t_s = fit_table_number(t, TIME, row), s_m = fit_table_number(t, DISTANCE, row);
    if (isnan(t_s) || isnan(s_m)) {
      r->out->n_skipped++;
      continue;
    }
    if (out->n > 0 && t_s < out->t_s[out->n - 1])
      return fit_table_fail(t, row, CB_E_RANGE, err, "time = %.9g s after %.9g s: times must ascend", t_s,
                            out->t_s[out->n - 1]);
    CB_TRY(cb_series_push(out, t_s, s_m, err));
  }
  return CB_OK;
}

/* One distance and its time, from rest. */
static cb_status fill_timed(const reading *r, size_t row, fit_import_row *to, cb_err *err) {
  const fit_table *t = r->table;
  const double t_s = to->distance_m.t_s[0], s_m = to->distance_m.v[0];
  if (!(t_s > 0) || !(s_m > 0))
    return fit_table_fail(t, row, CB_E_RANGE, err,
                          "%g m in %g s: a slide of one row needs a distance and a time > 0 from rest", s_m,
                          t_s);
  const double b = 2 * s_m / (t_s * t_s),
               u = b * hypot(u_of(t, DISTANCE, s_m) / s_m, 2 * u_of(t, TIME, t_s) / t_s);
  to->run.travel_m = s_m;
  cb_series_clear(&to->distance_m);
  return fill_slide(r, row, b, u, "time and distance from rest", to, err);
}

static cb_status fill_record(const reading *r, size_t row, fit_import_row *to, cb_err *err) {
  const fit_table *t = r->table;
  const cb_series *s = &to->distance_m;
  fit_incline_motion m;
  cb_err why = {""};
  cb_status st = fit_incline_motion_of(s, fit_table_digit(t, DISTANCE), &m, &why);
  if (st != CB_OK) return fit_table_fail(t, row, st, err, "the slide that begins here: %.200s", why.msg);
  const double b = m.acceleration_m_per_s2,
               shared = fabs(b) * hypot(fit_table_u_rel(t, DISTANCE), 2 * fit_table_u_rel(t, TIME));
  to->run.travel_m = fabs(s->v[s->n - 1] - s->v[0]);
  to->run.rate_Hz = (double)(s->n - 1) / (s->t_s[s->n - 1] - s->t_s[0]);
  return fill_slide(r, row, b, hypot(m.u_acceleration_m_per_s2, shared), "record of distances", to, err);
}

static cb_status read_record(const reading *r, size_t first, size_t last, cb_err *err) {
  fit_import_row *to = &r->out->rows[r->out->n_rows];
  if (isnan(fit_table_number(r->table, ANGLE, first))) {
    r->out->n_skipped += last - first;
    return CB_OK;
  }
  r->out->n_rows++; /* from here on its samples are fit_import_clear's */
  CB_TRY(read_run(r, first, to, err));
  CB_TRY(read_samples(r, first, last, &to->distance_m, err));
  if (to->distance_m.n == 1) return fill_timed(r, first, to, err);
  if (to->distance_m.n > 0) return fill_record(r, first, to, err);
  r->out->n_rows--;
  return CB_OK;
}

static cb_status read_records(const reading *r, cb_err *err) {
  const size_t n = fit_table_rows(r->table);
  for (size_t first = 0, last; first < n; first = last) {
    last = first + 1;
    while (last < n && goes_on(r->table, last - 1, last)) last++;
    CB_TRY(read_record(r, first, last, err));
  }
  return CB_OK;
}

/* ---- the table ---- */

static cb_status check_columns(const reading *r, const char *mapping, cb_err *err) {
  const fit_table *t = r->table;
  if (fit_table_given(t, MASS) == fit_table_given(t, AREAL_MASS))
    return cb_fail(err, CB_E_PARSE, "%s: one of 'mass' and 'areal_mass' was wanted", mapping);
  if (r->kind == FIT_INCLINE_RELEASE) return CB_OK;
  const bool record = fit_table_given(t, TIME) && fit_table_given(t, DISTANCE),
             part = fit_table_given(t, TIME) || fit_table_given(t, DISTANCE);
  if (record == part && record != fit_table_given(t, ACCELERATION)) return CB_OK;
  return cb_fail(err, CB_E_PARSE, "%s: either 'acceleration', or 'time' and 'distance' were wanted", mapping);
}

static cb_status read_table(const reading *r, const char *csv_name, cb_err *err) {
  const fit_table *t = r->table;
  const size_t n = fit_table_rows(t);
  fit_import *out = r->out;
  out->rows = calloc(n + 1, sizeof *out->rows);
  out->mapping_text = strdup(fit_table_mapping(t));
  if (!out->rows || !out->mapping_text) return cb_no_memory(err, "%zu rows", n);
  const bool records = r->kind == FIT_INCLINE_SLIDE && fit_table_given(t, TIME);
  CB_TRY(records ? read_records(r, err) : read_single_rows(r, err));
  if (out->n_rows == 0)
    return cb_fail(err, CB_E_RANGE, "%s: nothing but holes in %zu row%s: no angle, no motion", csv_name, n,
                   CB_S(n));
  /* No force was read that could have an uncertainty of its own. */
  CB_TRY(fit_import_end(t, 0, REPEAT, out, err));
  out->calibration.origin = out->rows[0].run.origin;
  return CB_OK;
}

/* Takes the table over. */
static cb_status read_inclines(fit_incline_kind kind, const char *mapping, const char *csv, fit_table *t,
                               fit_import *out, cb_err *err) {
  const reading r = {.table = t, .kind = kind, .out = out};
  cb_status st = check_columns(&r, mapping, err);
  if (st == CB_OK) st = read_table(&r, csv, err);
  fit_table_free(t);
  return st;
}

cb_status fit_incline_parse(fit_incline_kind kind, fit_table_file mapping, fit_table_file csv,
                            fit_import *out, cb_err *err) {
  fit_table *t;
  *out = (fit_import){0};
  CB_TRY(fit_table_parse(mapping, csv, fit_incline_kind_names[kind], fields[kind].list, fields[kind].n, &t,
                         err));
  return read_inclines(kind, mapping.name, csv.name, t, out, err);
}

cb_status fit_incline_read(fit_incline_kind kind, const char *mapping_path, const char *csv_path,
                           fit_import *out, cb_err *err) {
  fit_table *t;
  *out = (fit_import){0};
  CB_TRY(fit_table_read(mapping_path, csv_path, fit_incline_kind_names[kind], fields[kind].list,
                        fields[kind].n, &t, err));
  return read_inclines(kind, mapping_path, csv_path, t, out, err);
}
