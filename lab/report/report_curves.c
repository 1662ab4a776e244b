#include "report_curves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "report_plot_impl.h"

#define LEAD_S 0.5
#define MOVED_M 5e-5
#define SAME_ANGLE_DEG 0.5
#define MAX_ANGLES 12

void report_angle_text(double angle_deg, char out[32]) {
  const char *axis = angle_deg == 0 ? " (warp)" : angle_deg == 90 ? " (weft)" : "";
  (void)snprintf(out, 32, "%g\u00b0%s", angle_deg, axis);
}

/* When the stage first left its place; the last sample if it never did. */
static double motion_start(const cb_series *x) {
  size_t i = 0;
  while (i + 1 < x->n && fabs(x->v[i + 1] - x->v[0]) <= MOVED_M) i++;
  return x->t_s[i];
}

static double force_at_rest(const cb_series *f, double t_start) {
  size_t n = cb_series_lower_bound(f, t_start);
  return n > 0 ? cb_mean(f->v, n) : 0;
}

/* Pairs of the figure, from the returned one on. */
static size_t make_pairs(const cb_trace *t, const cb_run *run, report_axis axis, double *x, double *y) {
  size_t n = t->force_N.n;
  if (axis == REPORT_OVER_READINGS || run->kind == CB_RUN_LOOK) {
    for (size_t i = 0; i < n; i++) {
      x[i] = axis == REPORT_OVER_READINGS ? (double)i : t->force_N.t_s[i];
      y[i] = t->force_N.v[i];
    }
    return 0;
  }
  double start = motion_start(&t->position_m),
         zero = t->zero_given ? t->zero_N : force_at_rest(&t->force_N, start);
  size_t first = cb_series_lower_bound(&t->force_N, start - LEAD_S);
  for (size_t i = first; i < n; i++) {
    double at = t->force_N.t_s[i];
    x[i] = axis == REPORT_OVER_TIME
               ? at - start
               : 1e3 * run->direction * (cb_series_at(&t->position_m, at) - t->position_m.v[0]);
    y[i] = run->direction * (t->force_N.v[i] - zero);
  }
  return first;
}

cb_status report_curve_trace(report_plot *p, const report_data *d, const cb_run *run, report_axis axis,
                             size_t max_pairs, int color, const char *name, cb_err *err) {
  cb_trace t = {0};
  double *x = NULL;
  cb_status st;
  CB_GOTO(cb_store_trace(d->store, run, &t, err));
  size_t n = t.force_N.n;
  if (n == 0 || (t.position_m.n == 0 && axis != REPORT_OVER_READINGS)) goto done;
  x = malloc(2 * n * sizeof *x);
  if (!x) {
    st = cb_no_memory(err, "to draw run %lld", (long long)run->id);
    goto done;
  }
  double *y = x + n;
  size_t first = make_pairs(&t, run, axis, x, y);
  report_plot_push_curve(p, report_plot_add(p, REPORT_LINE, color, name), x + first, y + first, n - first,
                         max_pairs);
  report_plot_add_origin(p, run->origin);
done:
  free(x);
  cb_trace_clear(&t);
  return st;
}

void report_curve_law(report_plot *p, const cb_friction_law *law, double angle_deg, int color,
                      const char *name) {
  const int steps = 100;
  double from = law->knots[0].normal_force_N, to = law->knots[law->n_knots - 1].normal_force_N,
         k = cb_student_t(0.95, law->dof);
  report_series *band = report_plot_add(p, REPORT_BAND, color, ""),
                *line = report_plot_add(p, REPORT_LINE, color, name);
  for (int i = 0; i <= steps; i++) {
    cb_friction_value v;
    /* Even in ln N, as the knots are: the bend at small loads needs the points. */
    double N = from * pow(to / from, (double)i / steps);
    cb_friction_law_eval(law, angle_deg * CB_DEG, N, &v);
    report_plot_push(p, band, N, v.force_N - k * v.u_force_N, v.force_N + k * v.u_force_N);
    report_plot_push(p, line, N, v.force_N, 0);
  }
  report_plot_add_origin(p, law->origin);
}

size_t report_curve_points(report_plot *p, const cb_friction_obs *obs, size_t n, double angle_deg,
                           cb_friction_kind kind, int color, const char *name) {
  report_series *s = report_plot_add(p, REPORT_POINTS, color, name);
  for (size_t i = 0; i < n; i++) {
    const cb_friction_point *q = &obs[i].point;
    double F = kind == CB_FRICTION_STATIC ? q->static_N : q->kinetic_N,
           u = kind == CB_FRICTION_STATIC ? q->u_static_N : q->u_kinetic_N;
    if (fabs(obs[i].run.angle_deg - angle_deg) > SAME_ANGLE_DEG) continue;
    report_plot_push_run(p, s, obs[i].run.normal_force_N, F, cb_student_t(0.95, INFINITY) * u, obs[i].run.id);
    report_plot_add_origin(p, obs[i].run.origin);
  }
  return s->n;
}

/* Whether a is the better example than b. */
static bool better(const cb_run *a, const cb_run *b, double angle_deg, double added_kg) {
  double turn = fabs(a->angle_deg - angle_deg) - fabs(b->angle_deg - angle_deg);
  double load = fabs(a->added_mass_kg - added_kg) - fabs(b->added_mass_kg - added_kg);
  if (fabs(turn) > SAME_ANGLE_DEG) return turn < 0;
  if (fabs(load) > 1e-9) return load < 0;
  return a->direction != b->direction ? a->direction > b->direction : a->id > b->id;
}

const cb_run *report_pick_run(const report_data *d, report_pair pair, int64_t campaign_id, double angle_deg,
                              double added_kg) {
  const cb_run *best = NULL;
  double wanted = isnan(angle_deg) ? 0 : angle_deg;
  for (size_t i = 0; i < d->n_runs; i++) {
    const cb_run *r = &d->runs[i];
    if (!report_run_has_trace(r) || r->kind != CB_RUN_PULL || !report_pair_is(pair, r)) continue;
    if (campaign_id != 0 && r->campaign_id != campaign_id) continue;
    if (!isnan(angle_deg) && fabs(r->angle_deg - angle_deg) > SAME_ANGLE_DEG) continue;
    if (!best || better(r, best, wanted, added_kg)) best = r;
  }
  return best;
}

size_t report_angles(const report_data *d, report_pair pair, int64_t campaign_id, bool with_trace,
                     double *angles_deg, size_t max) {
  size_t n = 0;
  for (size_t i = 0; i < d->n_runs; i++) {
    const cb_run *r = &d->runs[i];
    if (r->kind != CB_RUN_PULL || r->status != CB_RUN_DONE || !report_pair_is(pair, r) ||
        (with_trace && !report_run_has_trace(r)))
      continue;
    if (campaign_id != 0 && r->campaign_id != campaign_id) continue;
    size_t at = 0;
    while (at < n && angles_deg[at] < r->angle_deg - SAME_ANGLE_DEG) at++;
    if (n == max || (at < n && fabs(angles_deg[at] - r->angle_deg) <= SAME_ANGLE_DEG)) continue;
    for (size_t k = n++; k > at; k--) angles_deg[k] = angles_deg[k - 1];
    angles_deg[at] = r->angle_deg;
  }
  return n;
}

cb_status report_plot_directions(report_plot *p, const report_data *d, report_pair pair, int64_t campaign_id,
                                 double added_kg, cb_err *err) {
  double angles[MAX_ANGLES];
  size_t n = report_angles(d, pair, campaign_id, true, angles, MAX_ANGLES);
  const cb_run *first = report_pick_run(d, pair, campaign_id, NAN, added_kg);
  double load = first ? first->added_mass_kg : 0;
  report_plot_name(p, "time since the stage moves [s]", "pull force [N]",
                   "%s on %s, %g g added: force over time", report_data_name(d, pair.cloth_id),
                   report_data_name(d, pair.body_id), 1e3 * load);
  for (size_t i = 0; i < n; i++) {
    const cb_run *r = report_pick_run(d, pair, campaign_id, angles[i], load);
    char angle[32], name[80];
    report_angle_text(angles[i], angle);
    if (fabs(r->added_mass_kg - load) > 1e-9)
      (void)snprintf(name, sizeof name, "%s, %g g", angle, 1e3 * r->added_mass_kg);
    else
      (void)snprintf(name, sizeof name, "%s", angle);
    CB_TRY(report_curve_trace(p, d, r, REPORT_OVER_TIME, REPORT_PAIRS, (int)i, name, err));
  }
  return CB_OK;
}

static bool belongs(const cb_run *r, report_pair pair, int64_t campaign_id, double angle_deg) {
  return r->campaign_id == campaign_id && r->kind == CB_RUN_PULL && report_pair_is(pair, r) &&
         report_run_has_trace(r) && fabs(r->angle_deg - angle_deg) <= SAME_ANGLE_DEG;
}

cb_status report_plot_pulls(report_plot *p, const report_data *d, report_pair pair, int64_t campaign_id,
                            double angle_deg, size_t *left_out, cb_err *err) {
  double loads[REPORT_MAX_SERIES];
  size_t n_loads = 0, drawn = 0;
  char angle[32];
  *left_out = 0;
  report_angle_text(angle_deg, angle);
  report_plot_name(p, "time since the stage moves [s]", "pull force [N]", "%s on %s, %s: all pulls",
                   report_data_name(d, pair.cloth_id), report_data_name(d, pair.body_id), angle);
  for (size_t i = 0; i < d->n_runs; i++) {
    const cb_run *r = &d->runs[i];
    if (!belongs(r, pair, campaign_id, angle_deg)) continue;
    if (drawn++ >= REPORT_MAX_SERIES) {
      ++*left_out;
      continue;
    }
    size_t k = 0;
    while (k < n_loads && loads[k] != r->added_mass_kg) k++;
    char name[64] = "";
    if (k == n_loads) {
      loads[n_loads++] = r->added_mass_kg;
      (void)snprintf(name, sizeof name, "%g g added", 1e3 * r->added_mass_kg);
    }
    CB_TRY(report_curve_trace(p, d, r, REPORT_OVER_TIME, REPORT_PAIRS_CROWD, (int)k, name, err));
  }
  return CB_OK;
}

cb_status report_plot_loads(report_plot *p, const report_data *d, report_pair pair, cb_friction_kind kind,
                            cb_err *err) {
  double angles[MAX_ANGLES];
  size_t n_angles = report_angles(d, pair, 0, false, angles, MAX_ANGLES), n;
  const cb_friction_law *law = report_data_law(d, pair, kind);
  cb_friction_obs *obs;
  (void)snprintf(p->title, sizeof p->title, "%s on %s: %s friction over load",
                 report_data_name(d, pair.cloth_id), report_data_name(d, pair.body_id),
                 cb_friction_kind_names[kind]);
  (void)snprintf(p->x_label, sizeof p->x_label, "normal force [N]");
  (void)snprintf(p->y_label, sizeof p->y_label, "%s friction force [N]", cb_friction_kind_names[kind]);
  p->from_zero = true;
  CB_TRY(report_data_observations(d, pair, &obs, &n, err));
  for (size_t i = 0; i < n_angles; i++) {
    char angle[32], name[64];
    report_angle_text(angles[i], angle);
    (void)snprintf(name, sizeof name, "%s measured", angle);
    size_t drawn = report_curve_points(p, obs, n, angles[i], kind, (int)i, name);
    (void)snprintf(name, sizeof name, "%s law, 95 %% band", angle);
    if (law && drawn > 0) report_curve_law(p, law, angles[i], (int)i, name);
  }
  free(obs);
  return CB_OK;
}

static void add_circle(report_plot *p, double radius) {
  report_series *s = report_plot_add(p, REPORT_GUIDE, 0, "");
  for (int deg = 0; deg <= 360; deg += 5)
    report_plot_push(p, s, radius * cos(deg * CB_DEG), radius * sin(deg * CB_DEG), 0);
}

/* mu(theta) = F(theta, N)/N as a closed line; +-U would hide in its width, so the band is left to the load
 * figures. */
static double add_rose(report_plot *p, const cb_friction_law *law, double N, report_style style, int color) {
  char name[96];
  double top = 0;
  (void)snprintf(name, sizeof name, "%s, %.3g N", cb_friction_kind_names[law->kind], N);
  report_series *s = report_plot_add(p, style, color, name);
  for (int deg = 0; deg <= 360; deg += 3) {
    cb_friction_value v;
    cb_friction_law_eval(law, deg * CB_DEG, N, &v);
    double mu = v.force_N / N;
    top = fmax(top, mu);
    report_plot_push(p, s, mu * cos(deg * CB_DEG), mu * sin(deg * CB_DEG), 0);
  }
  report_plot_add_origin(p, law->origin);
  return top;
}

void report_plot_polar(report_plot *p, const report_data *d, report_pair pair) {
  double top = 0;
  report_plot_name(p, "\u00b5 along warp [1]", "\u00b5 along weft [1]",
                   "%s on %s: friction coefficient over direction", report_data_name(d, pair.cloth_id),
                   report_data_name(d, pair.body_id));
  p->equal_axes = true;
  for (int kind = CB_FRICTION_STATIC; kind <= CB_FRICTION_KINETIC; kind++) {
    const cb_friction_law *law = report_data_law(d, pair, (cb_friction_kind)kind);
    report_style style = kind == CB_FRICTION_STATIC ? REPORT_DASH : REPORT_LINE;
    if (!law) continue;
    top = fmax(top, add_rose(p, law, law->knots[0].normal_force_N, style, 0));
    if (law->n_knots > 1)
      top = fmax(top, add_rose(p, law, law->knots[law->n_knots - 1].normal_force_N, style, 1));
  }
  for (int i = 1; 0.2 * i < top + 0.2; i++) add_circle(p, 0.2 * i);
}
