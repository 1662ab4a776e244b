#include "fit_import.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_csv.h"
#include "cb_digit.h"
#include "cb_file.h"
#include "cb_num.h"
#include "cb_plural.h"
#include "cb_yaml.h"
#include "fit_cells.h"
#include "fit_text.h"
#include "fit_import_impl.h"
#include "fit_workbook.h"

/* ---- mapping ---- */

typedef struct columns {
  char cloth[64], body[64], angle[64], body_angle[64], cart_mass[64], added_mass[64], reading[64], repeat[64],
      coefficient[64];
} columns;

typedef struct calibration_map {
  char unit[16];
  double reading, mass_kg, u_rel;
} calibration_map;

typedef struct mapping {
  cb_ynode columns_node, calibration_node;
  columns columns;
  calibration_map calibration;
  double gravity, area_m2, speed_m_per_s;
  int decimals; /* of the printed coefficient */
  int kind;
  char source[128];
} mapping;

#define AT(type, member) .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)

static cb_status bind_columns(mapping *m, cb_err *err) {
  static const cb_yfield fields[] = {
      {"cloth", CB_Y_STR, AT(columns, cloth), .required = true},
      {"body", CB_Y_STR, AT(columns, body), .required = true},
      {"angle_deg", CB_Y_STR, AT(columns, angle), .required = true},
      {"body_angle_deg", CB_Y_STR, AT(columns, body_angle)},
      {"cart_mass_g", CB_Y_STR, AT(columns, cart_mass), .required = true},
      {"added_mass_g", CB_Y_STR, AT(columns, added_mass), .required = true},
      {"reading", CB_Y_STR, AT(columns, reading), .required = true},
      {"repeat", CB_Y_STR, AT(columns, repeat)},
      {"friction_coefficient", CB_Y_STR, AT(columns, coefficient)},
  };
  return cb_yaml_bind(m->columns_node, fields, sizeof fields / sizeof fields[0], &m->columns, err);
}

static cb_status bind_calibration(mapping *m, cb_err *err) {
  static const cb_yfield fields[] = {
      {"reading_unit", CB_Y_STR, AT(calibration_map, unit), .required = true},
      {"reading", CB_Y_NUM, AT(calibration_map, reading), .required = true, .min = 1e-9, .max = 1e9},
      {"mass_g", CB_Y_NUM, AT(calibration_map, mass_kg), .required = true, .min = 1e-6, .max = 1e6,
       .scale = 1e-3},
      {"u_rel", CB_Y_NUM, AT(calibration_map, u_rel), .required = true, .min = 0, .max = 1},
  };
  return cb_yaml_bind(m->calibration_node, fields, sizeof fields / sizeof fields[0], &m->calibration, err);
}

static cb_status bind_mapping(cb_ynode root, mapping *m, cb_err *err) {
  static const char *const kinds[] = {"kinetic", NULL};
  static const cb_yfield fields[] = {
      {"columns", CB_Y_NODE, AT(mapping, columns_node), .required = true},
      {"calibration", CB_Y_NODE, AT(mapping, calibration_node), .required = true},
      {"gravity_m_per_s2", CB_Y_NUM, AT(mapping, gravity), .required = true, .min = 9.7, .max = 9.9},
      {"contact_area_cm2", CB_Y_NUM, AT(mapping, area_m2), .required = true, .min = 1e-3, .max = 1e5,
       .scale = 1e-4},
      {"speed_mm_per_s", CB_Y_NUM, AT(mapping, speed_m_per_s), .required = true, .min = 1e-6, .max = 1e5,
       .scale = 1e-3},
      {"friction_coefficient_decimals", CB_Y_INT, AT(mapping, decimals), .min = 0, .max = 12},
      {"kind", CB_Y_ENUM, AT(mapping, kind), .required = true, .choices = kinds},
      {"source", CB_Y_STR, AT(mapping, source), .required = true},
  };
  *m = (mapping){.decimals = -1};
  CB_TRY(cb_yaml_bind(root, fields, sizeof fields / sizeof fields[0], m, err));
  CB_TRY(bind_columns(m, err));
  CB_TRY(bind_calibration(m, err));
  if (m->columns.coefficient[0] && m->decimals < 0)
    return cb_yaml_fail(
        root, err, CB_E_PARSE,
        "the key 'friction_coefficient_decimals' is missing: a mapped friction_coefficient needs it");
  return CB_OK;
}

/* ---- table ---- */

#define NO_COLUMN ((size_t)-1)

typedef struct places {
  size_t cloth, body, angle, body_angle, cart_mass, added_mass, reading, repeat, coefficient;
} places;

static size_t find_optional(const cb_csv *csv, const char *name) {
  size_t index;
  return name[0] && cb_csv_find(csv, name, &index, NULL) == CB_OK ? index : NO_COLUMN;
}

static cb_status find_places(const cb_csv *csv, const columns *c, places *p, cb_err *err) {
  CB_TRY(cb_csv_find(csv, c->cloth, &p->cloth, err));
  CB_TRY(cb_csv_find(csv, c->body, &p->body, err));
  CB_TRY(cb_csv_find(csv, c->angle, &p->angle, err));
  CB_TRY(cb_csv_find(csv, c->cart_mass, &p->cart_mass, err));
  CB_TRY(cb_csv_find(csv, c->added_mass, &p->added_mass, err));
  CB_TRY(cb_csv_find(csv, c->reading, &p->reading, err));
  p->body_angle = NO_COLUMN;
  if (c->body_angle[0]) CB_TRY(cb_csv_find(csv, c->body_angle, &p->body_angle, err));
  p->repeat = find_optional(csv, c->repeat);
  p->coefficient = find_optional(csv, c->coefficient);
  return CB_OK;
}

static cb_status read_name(const cb_csv *csv, size_t row, size_t column, char *out, size_t size,
                           cb_err *err) {
  const char *cell;
  CB_TRY(cb_csv_text(csv, row, column, &cell, err));
  if (cell[0] == '\0' || strlen(cell) >= size)
    return cb_fail(err, CB_E_PARSE, "%s:%d: %s = '%.60s': a name of 1 to %zu bytes was wanted",
                   cb_csv_name(csv), cb_csv_line(csv, row), cb_csv_header(csv, column), cell, size - 1);
  (void)snprintf(out, size, "%s", cell);
  return CB_OK;
}

static cb_status read_masses(const cb_csv *csv, size_t row, const places *p, cb_run *r, cb_err *err) {
  CB_TRY(cb_csv_number(csv, row, p->cart_mass, 0, 1e6, &r->cart_mass_kg, NULL, err));
  CB_TRY(cb_csv_number(csv, row, p->added_mass, 0, 1e6, &r->added_mass_kg, NULL, err));
  r->cart_mass_kg *= 1e-3;
  r->added_mass_kg *= 1e-3;
  if (r->cart_mass_kg + r->added_mass_kg > 0) return CB_OK;
  return cb_fail(err, CB_E_RANGE, "%s:%d: %s + %s = 0 g: a total mass > 0 was wanted", cb_csv_name(csv),
                 cb_csv_line(csv, row), cb_csv_header(csv, p->cart_mass), cb_csv_header(csv, p->added_mass));
}

typedef struct reader {
  const cb_csv *csv;
  const mapping *m;
  places at;
  double slope_N_per_unit, reading_digit, cart_digit_kg;
} reader;

/* Both values of a row; the missing one is NAN. */
static cb_status read_values(const reader *rd, size_t row, double *reading, double *mu, cb_err *err) {
  bool missing;
  CB_TRY(cb_csv_number(rd->csv, row, rd->at.reading, -1e9, 1e9, reading, &missing, err));
  if (missing) *reading = NAN;
  *mu = NAN;
  if (rd->at.coefficient == NO_COLUMN) return CB_OK;
  CB_TRY(cb_csv_number(rd->csv, row, rd->at.coefficient, 0, 100, mu, &missing, err));
  if (missing) *mu = NAN;
  return CB_OK;
}

static void note_conflict(const reader *rd, size_t row, double reading, double mu, double N,
                          fit_import *out) {
  double from_reading = reading * rd->slope_N_per_unit / N;
  double allowed = 0.5 * pow(10, -rd->m->decimals) + 0.5 * rd->reading_digit * rd->slope_N_per_unit / N;
  if (fabs(from_reading - mu) <= allowed * (1 + 1e-9)) return;
  if (out->n_conflicts++ == 0)
    (void)snprintf(out->first_conflict, sizeof out->first_conflict,
                   "%.120s:%d: %.40s = %g, but the reading gives %.4g: the digits allow a difference of %.2g",
                   cb_csv_name(rd->csv), cb_csv_line(rd->csv, row),
                   cb_csv_header(rd->csv, rd->at.coefficient), mu, from_reading, allowed);
}

static void fill_point(const reader *rd, double reading, double mu, double N, cb_friction_point *p) {
  bool printed = isfinite(mu);
  double digit_N = printed ? pow(10, -rd->m->decimals) * N : rd->reading_digit * rd->slope_N_per_unit;
  *p = (cb_friction_point){.static_N = NAN,
                           .u_static_N = NAN,
                           .kinetic_sd_N = 0,
                           .n_eff = 1,
                           .mu_reported = mu,
                           .mu_reported_decimals = printed ? rd->m->decimals : 0};
  p->kinetic_N = printed ? mu * N : reading * rd->slope_N_per_unit;
  p->u_kinetic_N = digit_N / sqrt(12);
  (void)snprintf(p->method, sizeof p->method, "import/1 force from the %s",
                 printed ? "printed coefficient" : "reading");
}

static cb_status check_force(const reader *rd, size_t row, const cb_friction_point *p, double N,
                             cb_err *err) {
  if (p->kinetic_N >= FIT_LEAST_MU * N) return CB_OK;
  return cb_fail(
      err, CB_E_RANGE,
      "%s:%d: a friction force of %g N under %g N: it must be > 0 (at least %g of the load); an empty "
      "cell says that it was not measured",
      cb_csv_name(rd->csv), cb_csv_line(rd->csv, row), p->kinetic_N, N, FIT_LEAST_MU);
}

/* An empty cell: this body has no directions, or nobody looked. */
static cb_status read_body_angle(const reader *rd, size_t row, double *angle_deg, cb_err *err) {
  bool missing = true;
  if (rd->at.body_angle != NO_COLUMN)
    CB_TRY(cb_csv_number(rd->csv, row, rd->at.body_angle, -360, 360, angle_deg, &missing, err));
  if (missing) *angle_deg = NAN;
  return CB_OK;
}

static cb_status read_run(const reader *rd, size_t row, fit_import_row *out, cb_err *err) {
  const mapping *m = rd->m;
  const cb_csv *csv = rd->csv;
  cb_run *r = &out->run;
  *r = (cb_run){.kind = CB_RUN_PULL,
                .contact_area_m2 = m->area_m2,
                .speed_m_per_s = m->speed_m_per_s,
                .direction = 1,
                .origin = CB_IMPORTED,
                .status = CB_RUN_DONE};
  CB_TRY(read_name(csv, row, rd->at.cloth, out->cloth, sizeof out->cloth, err));
  CB_TRY(read_name(csv, row, rd->at.body, out->body, sizeof out->body, err));
  CB_TRY(cb_csv_number(csv, row, rd->at.angle, -360, 360, &r->angle_deg, NULL, err));
  CB_TRY(read_body_angle(rd, row, &r->body_angle_deg, err));
  CB_TRY(read_masses(csv, row, &rd->at, r, err));
  r->normal_force_N = (r->cart_mass_kg + r->added_mass_kg) * m->gravity;
  r->u_normal_force_N = rd->cart_digit_kg / sqrt(12) * m->gravity;
  const char *slash = strrchr(cb_csv_name(csv), '/');
  (void)snprintf(r->source, sizeof r->source, "%.200s:%d", slash ? slash + 1 : cb_csv_name(csv),
                 cb_csv_line(csv, row));
  if (rd->at.repeat == NO_COLUMN) return CB_OK;
  double repeat;
  CB_TRY(cb_csv_number(csv, row, rd->at.repeat, 1, 1e6, &repeat, NULL, err));
  if (repeat != floor(repeat))
    return cb_fail(err, CB_E_PARSE, "%s:%d: %s = %g: a whole number from 1 on was wanted", cb_csv_name(csv),
                   cb_csv_line(csv, row), cb_csv_header(csv, rd->at.repeat), repeat);
  r->repeat = (int)repeat;
  return CB_OK;
}

/* ---- repeats that the table does not number: in order of appearance ---- */

static int by_number(double a, double b) { return (a > b) - (a < b); }

/* Not known comes last. */
static int by_body_angle(double a, double b) {
  return isnan(a) || isnan(b) ? isnan(a) - isnan(b) : by_number(a, b);
}

static double mass_of(const cb_run *r) { return r->cart_mass_kg + r->added_mass_kg; }

static int by_cell(const void *a, const void *b) {
  const fit_import_row *x = *(const fit_import_row *const *)a, *y = *(const fit_import_row *const *)b;
  int c = strcmp(x->cloth, y->cloth);
  if (c == 0) c = strcmp(x->body, y->body);
  if (c == 0) c = by_number(x->run.angle_deg, y->run.angle_deg);
  if (c == 0) c = by_body_angle(x->run.body_angle_deg, y->run.body_angle_deg);
  if (c == 0) c = by_number(mass_of(&x->run), mass_of(&y->run));
  /* An angle of release is a result, the slope of a slide a condition. */
  if (c == 0 && isnan(x->point.static_N)) c = by_number(x->run.incline_deg, y->run.incline_deg);
  return c;
}

static int by_cell_and_place(const void *a, const void *b) {
  const fit_import_row *x = *(const fit_import_row *const *)a, *y = *(const fit_import_row *const *)b;
  int c = by_cell(a, b);
  return c ? c : (x > y) - (x < y);
}

static cb_status number_repeats(fit_import *im, cb_err *err) {
  fit_import_row **p = malloc((im->n_rows + 1) * sizeof *p);
  if (!p) return cb_no_memory(err, "%zu rows", im->n_rows);
  for (size_t i = 0; i < im->n_rows; i++) p[i] = &im->rows[i];
  qsort(p, im->n_rows, sizeof *p, by_cell_and_place);
  for (size_t i = 0; i < im->n_rows; i++)
    p[i]->run.repeat = i > 0 && by_cell(&p[i], &p[i - 1]) == 0 ? p[i - 1]->run.repeat + 1 : 1;
  free(p);
  return CB_OK;
}

cb_status fit_import_end(const fit_table *t, double u_rel, size_t repeat, fit_import *out, cb_err *err) {
  cb_calibration *c = &out->calibration;
  *c = (cb_calibration){.kind = CB_CALIBRATION_IMPORTED,
                        .origin = CB_IMPORTED,
                        .slope_N_per_unit = 1,
                        .unit = "N",
                        .u_rel = u_rel};
  (void)snprintf(c->certificate, sizeof c->certificate, "%s", fit_table_source(t));
  (void)snprintf(out->digit_note, sizeof out->digit_note, "%s", fit_table_note(t));
  memcpy(out->fingerprint, fit_table_fingerprint(t), sizeof out->fingerprint);
  return fit_table_given(t, repeat) ? CB_OK : number_repeats(out, err);
}

/* ---- the whole file ---- */

static cb_status read_rows(reader *rd, fit_import *out, cb_err *err) {
  size_t n = cb_csv_rows(rd->csv);
  out->rows = calloc(n, sizeof *out->rows);
  out->holes = calloc(n, sizeof *out->holes);
  if (!out->rows || !out->holes) return cb_no_memory(err, "%zu rows", n);
  for (size_t row = 0; row < n; row++) {
    fit_import_row *to = &out->rows[out->n_rows];
    double reading, mu;
    CB_TRY(read_run(rd, row, to, err));
    CB_TRY(read_values(rd, row, &reading, &mu, err));
    if (isnan(reading) && isnan(mu)) {
      out->holes[out->n_holes++] = *to;
      continue;
    }
    if (isfinite(reading) && isfinite(mu)) note_conflict(rd, row, reading, mu, to->run.normal_force_N, out);
    fill_point(rd, reading, mu, to->run.normal_force_N, &to->point);
    CB_TRY(check_force(rd, row, &to->point, to->run.normal_force_N, err));
    out->n_rows++;
  }
  if (out->n_rows == 0)
    return cb_fail(err, CB_E_RANGE, "%s: nothing but holes in %zu row%s: no reading, no coefficient",
                   cb_csv_name(rd->csv), n, CB_S(n));
  return rd->at.repeat == NO_COLUMN ? number_repeats(out, err) : CB_OK;
}

/* unit: what the cells may say, "": anything. */
static cb_status make_plain(cb_csv *csv, size_t column, const char *unit, cb_err *err) {
  char stated[40];
  cb_dim dim;
  if (column == NO_COLUMN) return CB_OK;
  CB_TRY(fit_cells_make_plain(csv, column, '.', stated, err));
  if (!unit[0] || !stated[0] || strcmp(fit_unit_find(stated, &dim), unit) == 0) return CB_OK;
  return cb_fail(err, CB_E_PARSE, "%s: %s has numbers in '%s': %s was wanted", cb_csv_name(csv),
                 cb_csv_header(csv, column), stated, unit);
}

static cb_status make_columns_plain(cb_csv *csv, const places *p, cb_err *err) {
  CB_TRY(make_plain(csv, p->angle, "deg", err));
  CB_TRY(make_plain(csv, p->body_angle, "deg", err));
  CB_TRY(make_plain(csv, p->cart_mass, "g", err));
  CB_TRY(make_plain(csv, p->added_mass, "g", err));
  CB_TRY(make_plain(csv, p->reading, "", err));
  return make_plain(csv, p->coefficient, "1", err);
}

static cb_status find_digits(reader *rd, fit_import *out, cb_err *err) {
  cb_digit reading, cart;
  CB_TRY(cb_digit_find(rd->csv, rd->at.reading, &reading, err));
  CB_TRY(cb_digit_find(rd->csv, rd->at.cart_mass, &cart, err));
  rd->reading_digit = reading.value;
  rd->cart_digit_kg = 1e-3 * cart.value;
  cb_digit_note(rd->csv, rd->at.reading, &reading, out->digit_note, sizeof out->digit_note);
  if (!out->digit_note[0])
    cb_digit_note(rd->csv, rd->at.cart_mass, &cart, out->digit_note, sizeof out->digit_note);
  return CB_OK;
}

static cb_status read_table(cb_csv *csv, const mapping *m, fit_import *out, cb_err *err) {
  reader rd = {
      .csv = csv, .m = m, .slope_N_per_unit = m->calibration.mass_kg * m->gravity / m->calibration.reading};
  CB_TRY(find_places(csv, &m->columns, &rd.at, err));
  CB_TRY(make_columns_plain(csv, &rd.at, err));
  CB_TRY(find_digits(&rd, out, err));
  out->calibration = (cb_calibration){.kind = CB_CALIBRATION_IMPORTED,
                                      .origin = CB_IMPORTED,
                                      .slope_N_per_unit = rd.slope_N_per_unit,
                                      .u_rel = m->calibration.u_rel,
                                      .resolution_N = rd.reading_digit * rd.slope_N_per_unit};
  (void)snprintf(out->calibration.unit, sizeof out->calibration.unit, "%s", m->calibration.unit);
  (void)snprintf(out->calibration.certificate, sizeof out->calibration.certificate, "%s", m->source);
  return read_rows(&rd, out, err);
}

static bool is_plain(cb_ynode root) {
  const char *kind = cb_yaml_scalar(cb_yaml_get(root, "kind"));
  return kind && strcmp(kind, "friction") == 0;
}

cb_status fit_import_read(const char *mapping_path, const char *csv_path, fit_import *out, cb_err *err) {
  cb_status st = CB_OK;
  cb_yaml *doc = NULL;
  cb_csv *csv = NULL;
  char *text = NULL, *utf8 = NULL;
  size_t n;
  mapping m;
  cb_csv_options opt = cb_csv_options_default();
  opt.separator = 0;
  *out = (fit_import){0};
  CB_GOTO(cb_yaml_load(mapping_path, &doc, err));
  if (is_plain(cb_yaml_root(doc))) {
    st = fit_import_plain(mapping_path, csv_path, out, err);
    goto done;
  }
  CB_GOTO(bind_mapping(cb_yaml_root(doc), &m, err));
  CB_GOTO(cb_file_read(csv_path, opt.max_bytes, &text, &n, err));
  fit_fingerprint(text, n, out->fingerprint);
  CB_GOTO(fit_workbook_or_text(text, n, "", "", csv_path, &opt.separator, &utf8, &n, err));
  CB_GOTO(cb_csv_parse(utf8, n, csv_path, &opt, &csv, err));
  CB_GOTO(read_table(csv, &m, out, err));
  out->mapping_text = strdup(cb_yaml_text(doc));
  if (!out->mapping_text) st = cb_no_memory(err, "%s", mapping_path);
done:
  free(text);
  free(utf8);
  cb_csv_free(csv);
  cb_yaml_free(doc);
  return st;
}

void fit_import_clear(fit_import *im) {
  for (size_t i = 0; i < im->n_rows; i++) cb_series_clear(&im->rows[i].distance_m);
  free(im->mapping_text);
  free(im->rows);
  free(im->holes);
  *im = (fit_import){0};
}
