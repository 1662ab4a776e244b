/* Permeability and stretch of a cloth, and the list of its figures. */
#include "report_plots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_stats.h"
#include "lab_cloth_laws.h"
#include "lab_test_points.h"
#include "report_curves.h"
#include "report_plot_impl.h"

const report_cloth_figure report_cloth_figures[] = {
    {"permeability", "face velocity over pressure: tests, law and 95 % band",
     "Air through one layer: face velocity over the pressure across it. Points: single readings. Line and "
     "band: "
     "the law of the cloth\u2019s mean, 95 %.",
     report_plot_permeability},
    {"stretch", "force per width over strain by direction: tests, law and 95 % band",
     "Force per width over strain. Points: loading branches of single strips, thinned. Lines and bands: the "
     "law "
     "of the cloth\u2019s mean, 95 %. Long dashes: a direction that was not tested, by the law\u2019s form. "
     "Left "
     "of "
     "0: what was cut as slack. Short line at 0: where strain 0 may lie, 95 %.",
     report_plot_stretch},
    {"compression", "thickness over pressure: tests, law and 95 % band",
     "Thickness of one layer over the pressure on it. Points: single readings of tests, there and back, "
     "thinned. Line and band: the law of the cloth\u2019s mean while the pressure rises, 95 %.",
     report_plot_compression},
    {"bending", "bending rigidity over direction: means, law and 95 % band",
     "Bending rigidity over the direction of the strip. Points: means of the specimens. Line and band: the "
     "law, "
     "95 %.",
     report_plot_bending},
    {"cantilever", "angle over overhang of the cantilevers, and that of the law",
     "Angle of the chord below the horizontal over the overhang. Points: single readings. Lines: the heavy "
     "elastica with the law\u2019s rigidity; bands: 95 %.",
     report_plot_cantilever},
    {"moment", "bending moment over curvature, law and hysteresis",
     "Bending moment per width over curvature. Points: the tests\u2019 curves, thinned. Lines: the "
     "law\u2019s "
     "rigidity, on loading and unloading half the hysteresis 2HB apart from the middle.",
     report_plot_moment},
    {"drape", "drape coefficients of the single drapes, with the predicted band",
     "Drape coefficient of the single drapes, in order of import, \u00b1 at 95 %. Band: 95 % of the drapes "
     "that "
     "were predicted from the laws.",
     report_plot_drape},
    {"silhouette", "outlines of the drapes from above",
     "Outlines of the drapes from above. Grey circles: the support and the flat specimen.",
     report_plot_silhouette},
    {NULL, NULL, NULL, NULL}};

int report_direction_color(double angle_deg, size_t k) {
  if (fabs(angle_deg) < 0.5) return 0;
  if (fabs(angle_deg - 90) < 0.5) return 1;
  return fabs(angle_deg - 45) < 0.5 ? 2 : 3 + (int)(k % 4);
}

cb_status report_cloth_laws(cb_store *s, const cb_material *cloth, lab_cloth_laws **laws, cb_err *err) {
  *laws = malloc(sizeof **laws);
  if (!*laws) return cb_no_memory(err, "the laws of '%s'", cloth->name);
  const cb_status st = lab_cloth_laws_load(s, cloth->name, NULL, *laws, err);
  if (st != CB_OK) {
    free(*laws);
    *laws = NULL;
  }
  return st;
}

/* ---- permeability ---- */

#define MM_PER_S 1e3
#define BEYOND 1.5 /* the law is drawn that much farther than the points */
#define STEPS 80

typedef struct range {
  double from, to;
} range;

static range pressures_of(const cb_permeability_law *law, const lab_test_point *q, size_t n) {
  range r = {law->min_Pa, law->max_Pa};
  for (size_t i = 0; i < n; i++)
    if (q[i].x > 0) r = (range){fmin(r.from, q[i].x), fmax(r.to, q[i].x)};
  return (range){r.from / BEYOND, r.to * BEYOND};
}

static void add_air_law(report_plot *p, const cb_permeability_law *law, range r) {
  const cb_permeability_layer one = {law, 1};
  report_series *band = report_plot_add(p, REPORT_BAND, 0, "95 % band"),
                *line = report_plot_add(p, REPORT_LINE, 0, "law, 95 % band");
  for (int i = 0; i <= STEPS; i++) {
    cb_permeability_value v;
    const double at = r.from * pow(r.to / r.from, (double)i / STEPS);
    cb_permeability_at_pressure(&one, 1, at, &v);
    const double factor = cb_permeability_factor(v.u_ln_velocity, v.dof), mm = MM_PER_S * v.velocity_m_per_s;
    if (isfinite(factor)) report_plot_push(p, band, at, mm / factor, mm * factor);
    report_plot_push(p, line, at, mm, 0);
  }
  report_plot_add_origin(p, law->origin);
}

static void add_air_points(report_plot *p, const lab_test_point *q, size_t n) {
  report_series *s = report_plot_add(p, REPORT_POINTS, 1, "measured");
  const double k = cb_student_t(0.95, INFINITY);
  for (size_t i = 0; i < n; i++)
    if (q[i].x > 0 && q[i].y > 0) {
      report_plot_push(p, s, q[i].x, MM_PER_S * q[i].y, fmin(k * q[i].u_y, 0.99 * q[i].y) * MM_PER_S);
      report_plot_add_origin(p, q[i].origin);
    }
}

cb_status report_plot_permeability(report_plot *p, cb_store *s, const cb_material *cloth, cb_err *err) {
  lab_cloth_laws *laws;
  lab_test_point *q = NULL;
  size_t n = 0;
  report_plot_name(p, "pressure difference [Pa]", "face velocity [mm/s]", "%s: air permeability",
                   cloth->name);
  p->log_x = p->log_y = true;
  CB_TRY(report_cloth_laws(s, cloth, &laws, err));
  const cb_status st = lab_test_points(s, cloth->name, CB_TEST_PERMEABILITY, &q, &n, err);
  if (st == CB_OK && laws->has_permeability)
    add_air_law(p, &laws->permeability, pressures_of(&laws->permeability, q, n));
  if (st == CB_OK) add_air_points(p, q, n);
  free(q);
  free(laws);
  return st;
}

/* ---- stretch ---- */

#define PERCENT 100.0
#define POINTS_PER_TEST 14
#define ORIGIN_COLOR 5
#define TABLE_STRAIN 0.1 /* to which a law without measured curves is drawn */

static void add_stretch_law(report_plot *p, const cb_stretch_law *law, double angle_deg, double strain_max,
                            report_style style, const char *name, bool quiet) {
  const int color = report_direction_color(angle_deg, (size_t)angle_deg);
  report_series *band = report_plot_add(p, REPORT_BAND, color, name),
                *line = report_plot_add(p, style, color, name);
  line->quiet = quiet;
  for (int i = 0; i <= STEPS; i++) {
    cb_stretch_value v;
    const double strain = strain_max * i / STEPS;
    cb_stretch_eval(law, angle_deg, strain, &v);
    if (v.basis == CB_STRETCH_BY_NOTHING) return;
    const double U = i > 0 ? cb_student_t(0.95, v.dof) * v.u_N_per_m : 0;
    if (isfinite(U))
      report_plot_push(p, band, PERCENT * strain, fmax(0, v.force_N_per_m - U), v.force_N_per_m + U);
    report_plot_push(p, line, PERCENT * strain, v.force_N_per_m, 0);
  }
}

static size_t count_test(const lab_test_point *q, size_t n, size_t test) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++) count += q[i].test == test;
  return count;
}

static size_t add_strips(report_plot *p, const lab_test_point *q, size_t n, double angle_deg,
                         const char *name) {
  report_series *s =
      report_plot_add(p, REPORT_POINTS, report_direction_color(angle_deg, (size_t)angle_deg), name);
  const double k = cb_student_t(0.95, INFINITY);
  size_t in_test = 0, step = 1;
  for (size_t i = 0; i < n; i++) {
    const bool first = i == 0 || q[i].test != q[i - 1].test;
    if (first) step = 1 + count_test(q, n, q[i].test) / POINTS_PER_TEST;
    in_test = first ? 0 : in_test + 1;
    if (!(fabs(q[i].direction_deg - angle_deg) < CB_STRETCH_SAME_DEG) || in_test % step != 0) continue;
    report_plot_push(p, s, PERCENT * q[i].x, q[i].y, k * q[i].u_y);
  }
  return s->n;
}

static void add_tested(report_plot *p, const cb_stretch_law *law, const lab_test_point *q, size_t n) {
  for (size_t i = 0; i < law->n; i++) {
    const cb_stretch_direction *d = &law->directions[i];
    char name[32];
    report_angle_text(d->angle_deg, name);
    const size_t drawn = n > 0 ? add_strips(p, q, n, d->angle_deg, name) : 0;
    add_stretch_law(p, law, d->angle_deg, cb_stretch_strain_max(d), REPORT_LINE, name, drawn > 0);
  }
}

/* What was cut, and how surely: the points left of 0 are drawn beside the others. */
static void add_origin(report_plot *p, const lab_test_point *q, size_t n) {
  const double k = cb_student_t(0.95, INFINITY);
  double u = 0, peak = 0;
  bool cut = false;
  for (size_t i = 0; i < n; i++) {
    u = fmax(u, isfinite(q[i].u_x) ? q[i].u_x : 0);
    peak = fmax(peak, q[i].y);
    cut = cut || q[i].x < 0;
  }
  if (!cut) return;
  p->from_zero = false;
  p->y_from_zero = true;
  report_series *zero = report_plot_add(p, REPORT_GUIDE, 0, "strain 0"),
                *doubt = report_plot_add(p, REPORT_LINE, ORIGIN_COLOR, "strain 0, 95 %");
  report_plot_push(p, zero, 0, 0, 0);
  report_plot_push(p, zero, 0, peak, 0);
  report_plot_push(p, doubt, -PERCENT * k * u, 0, 0);
  report_plot_push(p, doubt, PERCENT * k * u, 0, 0);
}

/* The directions that everyone asks for, where the law says them without a curve. */
static void add_untested(report_plot *p, const cb_stretch_law *law) {
  double strain = law->n > 0 ? INFINITY : TABLE_STRAIN;
  for (size_t i = 0; i < law->n; i++) strain = fmin(strain, cb_stretch_strain_max(&law->directions[i]));
  for (int angle = 0; angle <= 90; angle += 45) {
    cb_stretch_value v;
    char name[64];
    cb_stretch_eval(law, angle, strain, &v);
    if (v.basis != CB_STRETCH_BY_FORM && v.basis != CB_STRETCH_BY_TABLE) continue;
    (void)snprintf(name, sizeof name, "%d\u00b0, %s", angle,
                   v.basis == CB_STRETCH_BY_FORM ? "by the form" : "by the table");
    add_stretch_law(p, law, angle, strain, REPORT_DASH, name, false);
  }
}

cb_status report_plot_stretch(report_plot *p, cb_store *s, const cb_material *cloth, cb_err *err) {
  lab_cloth_laws *laws;
  lab_test_point *q = NULL;
  size_t n = 0;
  report_plot_name(p, "strain [%]", "force per width [N/m]", "%s: stretch", cloth->name);
  p->from_zero = true;
  CB_TRY(report_cloth_laws(s, cloth, &laws, err));
  const cb_status st = lab_test_points(s, cloth->name, CB_TEST_STRETCH, &q, &n, err);
  if (st == CB_OK && laws->has_stretch) {
    add_tested(p, &laws->stretch, q, n);
    add_origin(p, q, n);
    add_untested(p, &laws->stretch);
    report_plot_add_origin(p, laws->stretch.origin);
  }
  free(q);
  free(laws);
  return st;
}
