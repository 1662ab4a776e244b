/* Bending of a cloth: rigidity over direction, cantilevers, moment over curvature. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_store_material_test.h"
#include "cb_num.h"
#include "cb_law_json.h"
#include "cb_stats.h"
#include "cb_stretch_law.h"
#include "lab_bending.h"
#include "lab_cloth_laws.h"
#include "lab_test_points.h"
#include "report_plots.h"
#include "report_curves.h"
#include "report_plot_impl.h"

#define MICRO 1e6
#define MILLI 1e3
#define CM_PER_M 100.0
#define STEPS 45
#define POINTS_MAX 200 /* of a curve with more, some are drawn */

/* Reads the newest law; *known is false if there is none. */
static cb_status find_law(cb_store *s, const cb_material *cloth, report_plot *p, cb_bending_law *law,
                          bool *known, cb_err *err) {
  cb_material_law row;
  const cb_status st = cb_store_law_of(s, CB_LAW_BENDING, cloth->name, law, &row, err);
  *known = st == CB_OK;
  if (st == CB_OK) {
    report_plot_add_origin(p, row.origin);
    free(row.result_json);
  }
  return st == CB_E_NOTFOUND ? CB_OK : st;
}

/* ---- rigidity over direction ---- */

static void add_rigidity(report_plot *p, const cb_bending_law *law) {
  report_series *band = report_plot_add(p, REPORT_BAND, 0, "95 % band"),
                *line = report_plot_add(p, REPORT_LINE, 0, "law, 95 % band");
  for (int i = 0; i <= STEPS; i++) {
    cb_bending_value v;
    const double angle_deg = 90.0 * i / STEPS;
    cb_bending_eval(law, angle_deg * CB_DEG, NAN, &v);
    const double U = cb_student_t(0.95, v.dof) * v.u_B_Nm;
    if (isfinite(U)) report_plot_push(p, band, angle_deg, MICRO * fmax(0, v.B_Nm - U), MICRO * (v.B_Nm + U));
    report_plot_push(p, line, angle_deg, MICRO * v.B_Nm, 0);
  }
}

static void add_means(report_plot *p, const lab_bending *b) {
  report_series *s = report_plot_add(p, REPORT_POINTS, 1, "mean of specimens");
  const double k = cb_student_t(0.95, b->fit.law.dof);
  for (size_t i = 0; i < b->fit.n_directions; i++) {
    const fit_bending_direction *d = &b->fit.directions[i];
    const double U = k * d->u_B_Nm;
    if (!isnan(d->angle_deg))
      report_plot_push(p, s, d->angle_deg, MICRO * d->B_Nm, isfinite(U) ? MICRO * U : 0);
  }
}

cb_status report_plot_bending(report_plot *p, cb_store *s, const cb_material *cloth, cb_err *err) {
  cb_bending_law law;
  bool known;
  report_plot_name(p, "direction of the strip from the warp [\u00b0]", "bending rigidity [\u00b5N m]",
                   "%s: bending rigidity", cloth->name);
  p->x_tic = 15;
  p->y_positive = true;
  p->margins = true;
  CB_TRY(find_law(s, cloth, p, &law, &known, err));
  if (!known) return CB_OK;
  add_rigidity(p, &law);
  lab_bending *b = malloc(sizeof *b);
  if (!b) return cb_no_memory(err, "the bending of '%s'", cloth->name);
  const cb_status st = lab_bending_stored(s, cloth->name, b, err);
  if (st == CB_OK && b->source == LAB_BENDING_FITTED) add_means(p, b);
  free(b);
  return st;
}

/* ---- points by direction ---- */

/* Directions in order of appearance; an unknown one counts as the warp's. */
typedef struct directions {
  double angle_deg[8];
  size_t n;
} directions;

static double angle_of(const lab_test_point *q) { return isnan(q->direction_deg) ? 0 : q->direction_deg; }

static directions list_directions(const lab_test_point *q, size_t n) {
  directions d = {.n = 0};
  for (size_t i = 0; i < n; i++) {
    size_t k = 0;
    while (k < d.n && fabs(d.angle_deg[k] - angle_of(&q[i])) >= CB_STRETCH_SAME_DEG) k++;
    if (k == d.n && d.n < sizeof d.angle_deg / sizeof d.angle_deg[0]) d.angle_deg[d.n++] = angle_of(&q[i]);
  }
  return d;
}

static void add_points(report_plot *p, const lab_test_point *q, size_t n, double angle_deg, double x_unit,
                       double y_unit) {
  char name[32];
  report_angle_text(angle_deg, name);
  report_series *s =
      report_plot_add(p, REPORT_POINTS, report_direction_color(angle_deg, (size_t)angle_deg), name);
  const size_t step = 1 + n / POINTS_MAX;
  const double k = cb_student_t(0.95, INFINITY);
  for (size_t i = 0; i < n; i += step) {
    if (fabs(angle_of(&q[i]) - angle_deg) >= CB_STRETCH_SAME_DEG) continue;
    report_plot_push(p, s, x_unit * q[i].x, y_unit * q[i].y, k * y_unit * q[i].u_y);
    report_plot_add_origin(p, q[i].origin);
  }
}

static double largest_x(const lab_test_point *q, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++) most = fmax(most, fabs(q[i].x));
  return most;
}

/* ---- cantilevers ---- */

static cb_status add_hanging(report_plot *p, cb_store *s, const cb_material *cloth, double angle_deg,
                             double overhang_m, cb_err *err) {
  const double density = cloth->areal_density_kg_per_m2;
  const int color = report_direction_color(angle_deg, (size_t)angle_deg);
  report_series *band = report_plot_add(p, REPORT_BAND, color, "95 % band"),
                *line = report_plot_add(p, REPORT_LINE, color, "law");
  line->quiet = true;
  for (int i = 1; i <= STEPS; i++) {
    lab_bending_question q = {.cloth = cloth->name,
                              .angle_deg = angle_deg,
                              .curvature_per_m = NAN,
                              .overhang_m = overhang_m * i / STEPS,
                              .areal_density_kg_per_m2 = density > 0 ? density : NAN};
    lab_bending_answer a;
    const cb_status st = lab_bending_predict(s, &q, &a, err);
    if (st == CB_E_NOTFOUND || st == CB_E_RANGE) return CB_OK; /* no areal density; hangs straight down */
    CB_TRY(st);
    const double U = cb_student_t(0.95, a.value.dof) * a.u_chord_deg;
    if (isfinite(U)) report_plot_push(p, band, MILLI * q.overhang_m, a.chord_deg - U, a.chord_deg + U);
    report_plot_push(p, line, MILLI * q.overhang_m, a.chord_deg, 0);
  }
  return CB_OK;
}

static cb_status add_cantilevers(report_plot *p, cb_store *s, const cb_material *cloth,
                                 const lab_test_point *q, size_t n, cb_err *err) {
  const directions d = list_directions(q, n);
  lab_cloth_laws *laws;
  CB_TRY(report_cloth_laws(s, cloth, &laws, err)); /* its facts may have the areal density of the tests */
  cb_status st = CB_OK;
  for (size_t i = 0; i < d.n && st == CB_OK; i++) {
    add_points(p, q, n, d.angle_deg[i], MILLI, 1 / CB_DEG);
    st = add_hanging(p, s, &laws->facts, d.angle_deg[i], 1.1 * largest_x(q, n), err);
  }
  free(laws);
  return st;
}

cb_status report_plot_cantilever(report_plot *p, cb_store *s, const cb_material *cloth, cb_err *err) {
  lab_test_point *q;
  cb_bending_law law;
  size_t n;
  bool known;
  report_plot_name(p, "overhang [mm]", "chord below the horizontal [\u00b0]", "%s: cantilevers", cloth->name);
  p->from_zero = true;
  CB_TRY(lab_test_points(s, cloth->name, CB_TEST_CANTILEVER, &q, &n, err));
  cb_status st = n > 0 ? find_law(s, cloth, p, &law, &known, err) : CB_OK;
  if (st == CB_OK && n > 0) st = add_cantilevers(p, s, cloth, q, n, err);
  free(q);
  return st;
}

/* ---- moment over curvature ---- */

static void add_branch(report_plot *p, const cb_bending_law *law, double angle_deg, double half_width_N) {
  report_series *line =
      report_plot_add(p, REPORT_LINE, report_direction_color(angle_deg, (size_t)angle_deg), "law");
  line->quiet = true;
  for (int i = -STEPS; i <= STEPS; i++) {
    cb_bending_value v;
    const double curvature = law->curvature_max_per_m * i / STEPS;
    cb_bending_eval(law, angle_deg * CB_DEG, curvature, &v);
    report_plot_push(p, line, curvature / CM_PER_M, MILLI * (v.B_Nm * curvature + half_width_N), 0);
  }
}

/* 2HB of the tests in that direction; the law has it only if warp and weft were tested. NAN: not known. */
static double width_of(const lab_bending *b, double angle_deg) {
  cb_bending_value v;
  for (size_t i = 0; i < b->fit.n_directions && b->source == LAB_BENDING_FITTED; i++) {
    const fit_bending_direction *d = &b->fit.directions[i];
    const double angle = isnan(d->angle_deg) ? 0 : d->angle_deg;
    if (fabs(angle - angle_deg) < CB_STRETCH_SAME_DEG && isfinite(d->width_N)) return d->width_N;
  }
  cb_bending_eval(&b->fit.law, angle_deg * CB_DEG, NAN, &v);
  return v.width_N;
}

static void add_branches(report_plot *p, const lab_bending *b, double angle_deg) {
  const double width_N = width_of(b, angle_deg);
  if (b->fit.law.form == CB_BENDING_TABLE) return;
  add_branch(p, &b->fit.law, angle_deg, isfinite(width_N) ? width_N / 2 : 0);
  if (isfinite(width_N)) add_branch(p, &b->fit.law, angle_deg, -width_N / 2);
}

static cb_status add_moments(report_plot *p, cb_store *s, const cb_material *cloth, const lab_test_point *q,
                             size_t n, cb_err *err) {
  const directions d = list_directions(q, n);
  lab_bending *b = malloc(sizeof *b);
  if (!b) return cb_no_memory(err, "the bending of '%s'", cloth->name);
  const cb_status st = lab_bending_stored(s, cloth->name, b, err);
  for (size_t i = 0; i < d.n; i++) {
    add_points(p, q, n, d.angle_deg[i], 1 / CM_PER_M, MILLI);
    if (st == CB_OK) add_branches(p, b, d.angle_deg[i]);
  }
  free(b);
  return st == CB_E_NOTFOUND ? CB_OK : st;
}

cb_status report_plot_moment(report_plot *p, cb_store *s, const cb_material *cloth, cb_err *err) {
  lab_test_point *q;
  size_t n;
  report_plot_name(p, "curvature [1/cm]", "moment per width [mN m/m]", "%s: bending moment", cloth->name);
  CB_TRY(lab_test_points(s, cloth->name, CB_TEST_BENDING_MOMENT, &q, &n, err));
  const cb_status st = n > 0 ? add_moments(p, s, cloth, q, n, err) : CB_OK;
  free(q);
  return st;
}
