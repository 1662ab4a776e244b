#include "report_plots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "lab_friction.h"
#include "report_curves.h"
#include "report_plot_impl.h"

#define MAX_ANGLES 7 /* as many as there are colours */
#define SAME_ANGLE_DEG 0.5
#define PERCENT 100.0
#define WIDE_LOADS 20.0 /* a larger ratio of loads is drawn over their logarithm */
#define STEPS 100

/* ---- what the figures share ---- */

typedef struct pair_data {
  const cb_friction_law *law; /* borrowed; NULL: there is none */
  cb_friction_kind kind;
  cb_friction_obs *obs; /* owned */
  size_t n;
  double angle_deg[MAX_ANGLES];
  size_t n_angles;
  double scatter_rel; /* from run to run; 0: not known */
} pair_data;

static cb_status read_scatter(const report_data *d, const cb_friction_law *law, double *scatter_rel,
                              cb_err *err) {
  lab_friction *f = calloc(1, sizeof *f);
  if (!f) return cb_no_memory(err, "the friction of '%s'", law->cloth);
  const cb_status st = report_data_fit(d, law, f, err);
  const fit_friction_law *fit = law->kind == CB_FRICTION_KINETIC ? &f->kinetic.fit : &f->stat.fit;
  *scatter_rel = st == CB_OK && fit->n_points > 0 && fit->scatter_rel > 0 ? fit->scatter_rel : 0;
  lab_friction_clear(f);
  free(f);
  return st == CB_E_DB ? CB_OK : st; /* a law whose fit cannot be read is a law */
}

static cb_status load_pair(pair_data *q, const report_data *d, report_pair pair, cb_friction_kind kind,
                           cb_err *err) {
  *q = (pair_data){.law = report_data_law(d, pair, kind), .kind = kind};
  CB_TRY(report_data_observations(d, pair, &q->obs, &q->n, err));
  q->n_angles = report_angles(d, pair, 0, false, q->angle_deg, MAX_ANGLES);
  /* A law without runs is shown along its axes. */
  if (q->n_angles == 0 && q->law) q->angle_deg[q->n_angles++] = 0, q->angle_deg[q->n_angles++] = 90;
  return q->law ? read_scatter(d, q->law, &q->scatter_rel, err) : CB_OK;
}

/* The force of an observation with its own standard uncertainty; NAN: not measured. */
static double force_of(const pair_data *q, const cb_friction_obs *o, double *u_N) {
  const cb_friction_point *f = &o->point;
  *u_N = q->kind == CB_FRICTION_STATIC ? f->u_static_N : f->u_kinetic_N;
  return q->kind == CB_FRICTION_STATIC ? f->static_N : f->kinetic_N;
}

static bool is_along(const cb_friction_obs *o, double angle_deg) {
  return fabs(o->run.angle_deg - angle_deg) <= SAME_ANGLE_DEG;
}

static void set_load_axis(report_plot *p, const pair_data *q) {
  double from = INFINITY, to = 0;
  for (size_t i = 0; i < q->n; i++) {
    from = fmin(from, q->obs[i].run.normal_force_N);
    to = fmax(to, q->obs[i].run.normal_force_N);
  }
  if (q->law) {
    from = fmin(from, q->law->knots[0].normal_force_N);
    to = fmax(to, q->law->knots[q->law->n_knots - 1].normal_force_N);
  }
  p->log_x = from > 0 && to > WIDE_LOADS * from;
  (void)snprintf(p->x_label, sizeof p->x_label, "normal force [N]");
}

static void set_title(report_plot *p, const report_data *d, report_pair pair, const char *what) {
  (void)snprintf(p->title, sizeof p->title, "%s on %s: %s", report_data_name(d, pair.cloth_id),
                 report_data_name(d, pair.body_id), what);
}

/* Load i of the curve, even in ln N. A law of one load is drawn a little to both sides. */
static double load_at(const cb_friction_law *law, int i) {
  double from = law->knots[0].normal_force_N, to = law->knots[law->n_knots - 1].normal_force_N;
  if (law->n_knots == 1) from /= 1.5, to *= 1.5;
  return from * pow(to / from, (double)i / STEPS);
}

/* ---- coefficient over load ---- */

static size_t add_coefficients(report_plot *p, const pair_data *q, double angle_deg, int color,
                               const char *name) {
  report_series *s = report_plot_add(p, REPORT_POINTS, color, name);
  const double k = cb_student_t(0.95, INFINITY);
  for (size_t i = 0; i < q->n; i++) {
    const cb_run *r = &q->obs[i].run;
    double u_N;
    const double F = force_of(q, &q->obs[i], &u_N);
    if (!is_along(&q->obs[i], angle_deg) || !(r->normal_force_N > 0)) continue;
    report_plot_push_run(p, s, r->normal_force_N, F / r->normal_force_N, k * u_N / r->normal_force_N, r->id);
    report_plot_add_origin(p, r->origin);
  }
  return s->n;
}

static void add_law(report_plot *p, const cb_friction_law *law, double angle_deg, int color, const char *name,
                    bool quiet) {
  const double k = cb_student_t(0.95, law->dof);
  report_series *band = report_plot_add(p, REPORT_BAND, color, name),
                *line = report_plot_add(p, REPORT_LINE, color, name);
  line->quiet = quiet;
  for (int i = 0; i <= STEPS; i++) {
    cb_friction_value v;
    const double N = load_at(law, i);
    cb_friction_law_eval(law, angle_deg * CB_DEG, N, &v);
    report_plot_push(p, band, N, fmax(0, v.force_N - k * v.u_force_N) / N, (v.force_N + k * v.u_force_N) / N);
    report_plot_push(p, line, N, v.force_N / N, 0);
  }
  report_plot_add_origin(p, law->origin);
}

static cb_status build_mu(report_plot *p, const report_data *d, report_pair pair, cb_friction_kind kind,
                          cb_err *err) {
  pair_data q;
  (void)snprintf(p->y_label, sizeof p->y_label, "%s coefficient of friction [1]",
                 cb_friction_kind_names[kind]);
  p->y_positive = true;
  set_title(p, d, pair, p->y_label);
  const cb_status st = load_pair(&q, d, pair, kind, err);
  if (st == CB_OK) set_load_axis(p, &q);
  for (size_t i = 0; i < q.n_angles && st == CB_OK; i++) {
    char name[32];
    report_angle_text(q.angle_deg[i], name);
    const int color = (int)i;
    const size_t drawn = q.n > 0 ? add_coefficients(p, &q, q.angle_deg[i], color, name) : 0;
    if (q.law && (drawn > 0 || q.n == 0)) add_law(p, q.law, q.angle_deg[i], color, name, drawn > 0);
  }
  free(q.obs);
  return st;
}

static cb_status build_mu_kinetic(report_plot *p, const report_data *d, report_pair pair, cb_err *err) {
  return build_mu(p, d, pair, CB_FRICTION_KINETIC, err);
}

static cb_status build_mu_static(report_plot *p, const report_data *d, report_pair pair, cb_err *err) {
  return build_mu(p, d, pair, CB_FRICTION_STATIC, err);
}

/* ---- how wide the band is ---- */

static void add_width(report_plot *p, const cb_friction_law *law, double angle_deg, int color) {
  char name[32];
  const double k = cb_student_t(0.95, law->dof);
  report_angle_text(angle_deg, name);
  report_series *s = report_plot_add(p, REPORT_LINE, color, name);
  for (int i = 0; i <= STEPS; i++) {
    cb_friction_value v;
    const double N = load_at(law, i);
    cb_friction_law_eval(law, angle_deg * CB_DEG, N, &v);
    report_plot_push(p, s, N, PERCENT * k * v.u_force_N / v.force_N, 0);
  }
  report_plot_add_origin(p, law->origin);
}

static cb_status build_width(report_plot *p, const report_data *d, report_pair pair, cb_err *err) {
  pair_data q;
  (void)snprintf(p->y_label, sizeof p->y_label, "half-width of the band [%%]");
  set_title(p, d, pair, "95 % band of the law");
  p->y_from_zero = true;
  const cb_status st = load_pair(&q, d, pair, CB_FRICTION_KINETIC, err);
  if (st == CB_OK) set_load_axis(p, &q);
  for (size_t i = 0; i < q.n_angles && st == CB_OK && q.law; i++) add_width(p, q.law, q.angle_deg[i], (int)i);
  free(q.obs);
  return st;
}

/* ---- residuals ---- */

/* Where a single run far away would leave all others on one line. The page names such runs. */
#define EDGE 5.0

/* Over the standard uncertainty of a single pull, at most EDGE to either side; NAN without one. */
static double residual_of(const pair_data *q, const cb_friction_obs *o) {
  cb_friction_value v;
  double u_N;
  const double F = force_of(q, o, &u_N);
  cb_friction_law_eval(q->law, o->run.angle_deg * CB_DEG, o->run.normal_force_N, &v);
  const double u = hypot(u_N, q->scatter_rel * v.force_N);
  return u > 0 ? fmax(-EDGE, fmin(EDGE, (F - v.force_N) / u)) : NAN;
}

static void add_levels(report_plot *p, double from, double to) {
  for (int level = -2; level <= 2; level += 2) {
    report_series *s = report_plot_add(p, REPORT_GUIDE, 0, "level");
    report_plot_push(p, s, from, level, 0);
    report_plot_push(p, s, to, level, 0);
  }
}

static void add_residuals(report_plot *p, const pair_data *q, double angle_deg, int color, bool over_load,
                          double ends[2]) {
  char name[32];
  report_angle_text(angle_deg, name);
  report_series *s = report_plot_add(p, REPORT_POINTS, color, name);
  for (size_t i = 0; i < q->n; i++) {
    if (!is_along(&q->obs[i], angle_deg)) continue;
    const double x = over_load ? q->obs[i].run.normal_force_N : q->obs[i].run.angle_deg;
    report_plot_push_run(p, s, x, residual_of(q, &q->obs[i]), 0, q->obs[i].run.id);
    report_plot_add_origin(p, q->obs[i].run.origin);
    ends[0] = fmin(ends[0], x);
    ends[1] = fmax(ends[1], x);
  }
}

static cb_status build_residuals(report_plot *p, const report_data *d, report_pair pair, bool over_load,
                                 cb_err *err) {
  pair_data q;
  double ends[2] = {INFINITY, -INFINITY};
  (void)snprintf(p->y_label, sizeof p->y_label, "(measured \u2212 law) / u");
  p->margins = true;
  set_title(p, d, pair, over_load ? "residuals over load" : "residuals over direction");
  const cb_status st = load_pair(&q, d, pair, CB_FRICTION_KINETIC, err);
  if (st == CB_OK && over_load) set_load_axis(p, &q);
  p->x_tic = over_load ? 0 : 15;
  if (!over_load)
    (void)snprintf(p->x_label, sizeof p->x_label, "direction of sliding from the warp [\u00b0]");
  for (size_t i = 0; i < q.n_angles && st == CB_OK && q.law; i++)
    add_residuals(p, &q, q.angle_deg[i], (int)i, over_load, ends);
  if (ends[0] < ends[1]) add_levels(p, ends[0], ends[1]);
  free(q.obs);
  return st;
}

static cb_status build_residuals_load(report_plot *p, const report_data *d, report_pair pair, cb_err *err) {
  return build_residuals(p, d, pair, true, err);
}

static cb_status build_residuals_angle(report_plot *p, const report_data *d, report_pair pair, cb_err *err) {
  return build_residuals(p, d, pair, false, err);
}

const report_pair_figure report_pair_figures[] = {
    {"mu", "kinetic coefficient over load by direction: pulls, law and 95 % band",
     "Kinetic coefficient over the load. Points: single pulls, \u00b1 at 95 % of their own. Lines and bands: "
     "the "
     "law, 95 %.",
     build_mu_kinetic},
    {"mu-static", "static coefficient over load by direction: pulls, law and 95 % band",
     "Static coefficient over the load. Points: single pulls, \u00b1 at 95 % of their own. Lines and bands: "
     "the "
     "law, 95 %.",
     build_mu_static},
    {"band", "half-width of the kinetic law's 95 % band over load, in percent",
     "How wide the band is: half-width of the kinetic law\u2019s 95 % band over its force.", build_width},
    {"residual-load", "residuals of the pulls from the kinetic law over load",
     "Residuals from the kinetic law over the load, in standard uncertainties of a single pull: its own, and "
     "the "
     "scatter from run to run. Lines: 0 and \u00b12. What lies beyond 5 is drawn at 5.",
     build_residuals_load},
    {"residual-angle", "residuals of the pulls from the kinetic law over direction",
     "The same residuals over the direction of sliding.", build_residuals_angle},
    {NULL, NULL, NULL, NULL}};
