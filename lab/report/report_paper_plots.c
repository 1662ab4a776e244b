#include "report_plots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report_curves.h"
#include "report_data.h"
#include "report_plot_impl.h"

#define MAX_CURVES 7 /* as many as there are colours */

typedef struct choice {
  report_data data;
  report_pair *pairs; /* those that match --cloth and --body */
  size_t n;
} choice;

static cb_status choice_init(choice *c, cb_store *s, const lab_selection *sel, const char *cloth,
                             const char *body, cb_err *err) {
  cb_material m_cloth = {0}, m_body = {0};
  *c = (choice){0};
  if (cloth) CB_TRY(cb_store_material_find(s, CB_CLOTH, cloth, &m_cloth, err));
  if (body) CB_TRY(cb_store_material_find(s, CB_BODY, body, &m_body, err));
  CB_TRY(report_data_load(s, 0, sel, &c->data, err));
  CB_TRY(report_data_pairs(&c->data, 0, &c->pairs, &c->n, err));
  size_t kept = 0;
  for (size_t i = 0; i < c->n; i++)
    if ((!cloth || c->pairs[i].cloth_id == m_cloth.id) && (!body || c->pairs[i].body_id == m_body.id))
      c->pairs[kept++] = c->pairs[i];
  c->n = kept;
  return CB_OK;
}

static void choice_clear(choice *c) {
  report_data_clear(&c->data);
  free(c->pairs);
}

/* ---- a, b: one side fixed, the other varies ---- */

static int64_t fixed_side(report_pair p, bool vary_cloth) { return vary_cloth ? p.body_id : p.cloth_id; }

/* The material whose pairs with traces are most numerous; 0 if there are none. */
static int64_t busiest(const choice *c, bool vary_cloth) {
  int64_t best = 0;
  size_t most = 0;
  for (size_t i = 0; i < c->n; i++) {
    size_t count = 0;
    for (size_t k = 0; k < c->n; k++)
      if (fixed_side(c->pairs[k], vary_cloth) == fixed_side(c->pairs[i], vary_cloth) &&
          report_pick_run(&c->data, c->pairs[k], 0, NAN, 0))
        count++;
    if (count > most) {
      most = count;
      best = fixed_side(c->pairs[i], vary_cloth);
    }
  }
  return best;
}

/* ---- without traces: the means ---- */

/* The material whose pairs with a law are most numerous; 0 if there are none. */
static int64_t most_fitted(const choice *c, bool vary_cloth) {
  int64_t best = 0;
  size_t most = 0;
  for (size_t i = 0; i < c->n; i++) {
    size_t count = 0;
    for (size_t k = 0; k < c->n; k++)
      count += fixed_side(c->pairs[k], vary_cloth) == fixed_side(c->pairs[i], vary_cloth) &&
               report_data_law(&c->data, c->pairs[k], CB_FRICTION_KINETIC);
    if (count <= most) continue;
    most = count;
    best = fixed_side(c->pairs[i], vary_cloth);
  }
  return best;
}

static void label_means(report_plot *p) {
  (void)snprintf(p->x_label, sizeof p->x_label, "normal force [N]");
  (void)snprintf(p->y_label, sizeof p->y_label, "kinetic friction force [N]");
  p->from_zero = true;
}

/* Points and law of a pair in one direction. */
static cb_status add_means(const choice *c, report_pair pair, double angle_deg, int color, const char *name,
                           report_plot *p, cb_err *err) {
  cb_friction_obs *obs;
  size_t n;
  CB_TRY(report_data_observations(&c->data, pair, &obs, &n, err));
  (void)report_curve_points(p, obs, n, angle_deg, CB_FRICTION_KINETIC, color, name);
  free(obs);
  report_curve_law(p, report_data_law(&c->data, pair, CB_FRICTION_KINETIC), angle_deg, color, "");
  return CB_OK;
}

static cb_status build_material_means(const choice *c, bool vary_cloth, report_plot *p, cb_err *err) {
  const int64_t fixed = most_fitted(c, vary_cloth);
  int color = 0;
  if (fixed == 0)
    return cb_fail(
        err, CB_E_NOTFOUND,
        "%s holds neither force traces nor laws for this figure: measure a pair with 'clothbench run'",
        cb_store_path(c->data.store));
  (void)snprintf(p->title, sizeof p->title,
                 vary_cloth ? "Cloths on %s: force over load, along the warp"
                            : "%s on different bodies: force over load, along the warp",
                 report_data_name(&c->data, fixed));
  label_means(p);
  for (size_t i = 0; i < c->n && color < MAX_CURVES; i++) {
    const report_pair pair = c->pairs[i];
    if (fixed_side(pair, vary_cloth) != fixed || !report_data_law(&c->data, pair, CB_FRICTION_KINETIC))
      continue;
    CB_TRY(add_means(c, pair, 0, color++,
                     report_data_name(&c->data, vary_cloth ? pair.cloth_id : pair.body_id), p, err));
  }
  return CB_OK;
}

static cb_status build_direction_means(const choice *c, report_pair pair, report_plot *p, cb_err *err) {
  double angles[MAX_CURVES];
  const size_t n = report_angles(&c->data, pair, 0, false, angles, MAX_CURVES);
  (void)snprintf(p->title, sizeof p->title, "%s on %s: force over load",
                 report_data_name(&c->data, pair.cloth_id), report_data_name(&c->data, pair.body_id));
  label_means(p);
  for (size_t i = 0; i < n; i++) {
    char name[32];
    (void)snprintf(name, sizeof name, "%g\u00b0", angles[i]);
    CB_TRY(add_means(c, pair, angles[i], (int)i, name, p, err));
  }
  return CB_OK;
}

/* ---- a, b ---- */

static cb_status build_materials(const choice *c, bool vary_cloth, double added_kg, report_plot *p,
                                 cb_err *err) {
  int64_t fixed = busiest(c, vary_cloth);
  if (fixed == 0) return build_material_means(c, vary_cloth, p, err);
  report_plot_name(p, "time since the stage moves [s]", "pull force [N]",
                   vary_cloth ? "Cloths on %s: force over time" : "%s on different bodies: force over time",
                   report_data_name(&c->data, fixed));
  int color = 0;
  for (size_t i = 0; i < c->n && color < MAX_CURVES; i++) {
    const cb_run *r = report_pick_run(&c->data, c->pairs[i], 0, NAN, added_kg);
    char name[128];
    if (!r || fixed_side(c->pairs[i], vary_cloth) != fixed) continue;
    (void)snprintf(name, sizeof name, "%s, %g g added, %g\u00b0",
                   report_data_name(&c->data, vary_cloth ? r->cloth_id : r->body_id), 1e3 * r->added_mass_kg,
                   r->angle_deg);
    CB_TRY(report_curve_trace(p, &c->data, r, REPORT_OVER_TIME, REPORT_PAIRS, color++, name, err));
  }
  return CB_OK;
}

/* ---- c, d: one pair, its directions ---- */

/* (largest - smallest) / mean of F over direction, at the middle knot; NAN without a law. */
static double anisotropy(const report_data *d, report_pair pair) {
  const cb_friction_law *law = report_data_law(d, pair, CB_FRICTION_KINETIC);
  if (!law) return NAN;
  const double *f = law->knots[law->n_knots / 2].f_N;
  return 2 * hypot(0.5 * (f[0] - f[2]), f[1]) / (0.5 * (f[0] + f[2]));
}

/* sign +1: the largest score wins, -1: the smallest; a pair without a score only if there is no other. */
static bool wins(double score, double best, int sign) {
  return isnan(best) ? !isnan(score) : sign * score > sign * best;
}

/* The pair of the least (sign -1) or greatest anisotropy among those with two directions; NULL: none. */
static const report_pair *find_directions(const choice *c, int sign, bool traces) {
  const report_pair *best = NULL;
  double best_score = NAN, angles[2];
  for (size_t i = 0; i < c->n; i++) {
    if (report_angles(&c->data, c->pairs[i], 0, traces, angles, 2) < 2) continue;
    const double score = anisotropy(&c->data, c->pairs[i]);
    if ((!traces && isnan(score)) || (best && !wins(score, best_score, sign))) continue;
    best = &c->pairs[i];
    best_score = score;
  }
  return best;
}

static cb_status build_directions(const choice *c, int sign, report_plot *p, cb_err *err) {
  const report_pair *pair = find_directions(c, sign, true);
  if (pair) return report_plot_directions(p, &c->data, *pair, 0, 0.05, err);
  pair = find_directions(c, sign, false);
  if (pair) return build_direction_means(c, *pair, p, err);
  return cb_fail(
      err, CB_E_NOTFOUND,
      "%s holds no pair with force traces, or a law, in two directions: measure one with 'clothbench "
      "run' at several angles",
      cb_store_path(c->data.store));
}

/* ---- e: load ---- */

static bool has_two_loads(const report_data *d, report_pair pair) {
  const cb_run *first = NULL;
  for (size_t i = 0; i < d->n_runs; i++) {
    const cb_run *r = &d->runs[i];
    if (!report_pair_is(pair, r) || r->status != CB_RUN_DONE || r->kind != CB_RUN_PULL) continue;
    if (!first) first = r;
    if (r->added_mass_kg != first->added_mass_kg) return true;
  }
  return false;
}

/* mu at the smallest load over mu at the largest, along the warp; 0 without a law; NAN without several
 * loads. */
static double nonlinearity(const report_data *d, report_pair pair) {
  const cb_friction_law *law = report_data_law(d, pair, CB_FRICTION_KINETIC);
  if (!law) return has_two_loads(d, pair) ? 0 : NAN;
  if (law->n_knots < 2) return NAN;
  const cb_friction_knot *a = &law->knots[0], *b = &law->knots[law->n_knots - 1];
  return fabs(log(a->f_N[0] / a->normal_force_N / (b->f_N[0] / b->normal_force_N)));
}

/* The direction with the most loads; the one nearest the warp among equals. */
static double sweep_angle(const cb_friction_obs *obs, size_t n) {
  double best = 0;
  size_t most = 0;
  for (size_t i = 0; i < n; i++) {
    size_t loads = 0;
    for (size_t k = 0; k < n; k++) {
      bool first = obs[k].run.angle_deg == obs[i].run.angle_deg;
      for (size_t j = 0; j < k && first; j++)
        first = obs[j].run.angle_deg != obs[k].run.angle_deg ||
                obs[j].run.added_mass_kg != obs[k].run.added_mass_kg;
      loads += first;
    }
    if (loads < most || (loads == most && obs[i].run.angle_deg >= best)) continue;
    most = loads;
    best = obs[i].run.angle_deg;
  }
  return best;
}

/* Points without a law: says so, once for each pair. */
static void note_no_law(const choice *c, report_pair pair, report_plot *p) {
  size_t used = strlen(p->note);
  const char *cloth = report_data_name(&c->data, pair.cloth_id),
             *body = report_data_name(&c->data, pair.body_id);
  (void)snprintf(p->note + used, sizeof p->note - used,
                 "%s%s on %s has no law of kinetic friction yet, only points are drawn: 'clothbench fit "
                 "friction --cloth \"%s\" --body "
                 "\"%s\"' makes one",
                 used ? "; " : "", cloth, body, cloth, body);
}

static cb_status add_loads(const choice *c, report_pair pair, int color, report_plot *p, cb_err *err) {
  cb_friction_obs *obs;
  size_t n;
  char name[160];
  CB_TRY(report_data_observations(&c->data, pair, &obs, &n, err));
  double angle = sweep_angle(obs, n);
  const cb_friction_law *law = report_data_law(&c->data, pair, CB_FRICTION_KINETIC);
  (void)snprintf(name, sizeof name, "%s on %s, %g\u00b0%s", report_data_name(&c->data, pair.cloth_id),
                 report_data_name(&c->data, pair.body_id), angle, law ? "" : ", no law fitted");
  (void)report_curve_points(p, obs, n, angle, CB_FRICTION_KINETIC, color, name);
  free(obs);
  if (n == 0) (void)snprintf(name + strlen(name), sizeof name - strlen(name), ", law and 95 %% band");
  if (law) report_curve_law(p, law, angle, color, n > 0 ? "law, 95 % band" : name);
  if (!law) note_no_law(c, pair, p);
  return CB_OK;
}

static cb_status build_loads(const choice *c, report_plot *p, cb_err *err) {
  const report_pair *pick[2] = {NULL, NULL};
  double score[2] = {NAN, NAN};
  for (size_t i = 0; i < c->n; i++) {
    double s = nonlinearity(&c->data, c->pairs[i]);
    for (int k = 0; k < 2; k++) {
      if (isnan(s) || !wins(s, score[k], k ? -1 : 1)) continue;
      score[k] = s;
      pick[k] = &c->pairs[i];
    }
  }
  if (!pick[0] || !pick[1])
    return cb_fail(err, CB_E_NOTFOUND,
                   "%s holds no pair measured at two loads or more: 'clothbench run' or 'clothbench import "
                   "friction' brings one",
                   cb_store_path(c->data.store));
  report_plot_name(p, "normal force [N]", "kinetic friction force [N]", "Kinetic friction over load");
  p->from_zero = true;
  CB_TRY(add_loads(c, *pick[0], 0, p, err));
  return pick[1] == pick[0] ? CB_OK : add_loads(c, *pick[1], 1, p, err);
}

/* ---- f: between the axes ---- */

static size_t oblique_angles(const choice *c, report_pair pair, double *oblique, size_t max) {
  double all[16];
  size_t n = report_angles(&c->data, pair, 0, false, all, 16), kept = 0;
  for (size_t i = 0; i < n && kept < max; i++)
    if (fabs(remainder(all[i], 90)) > 0.5) oblique[kept++] = all[i];
  return kept;
}

static cb_status build_oblique(const choice *c, report_plot *p, cb_err *err) {
  const report_pair *best = NULL;
  double angles[MAX_CURVES];
  size_t most = 0, n;
  cb_friction_obs *obs;
  for (size_t i = 0; i < c->n; i++) {
    size_t count = report_data_law(&c->data, c->pairs[i], CB_FRICTION_KINETIC)
                       ? oblique_angles(c, c->pairs[i], angles, MAX_CURVES)
                       : 0;
    if (count > most) best = &c->pairs[i];
    most = count > most ? count : most;
  }
  if (!best)
    return cb_fail(err, CB_E_NOTFOUND,
                   "%s holds no pair with a law and points between the axes: measure at 30, 45 or 60 "
                   "degrees, then 'clothbench fit friction'",
                   cb_store_path(c->data.store));
  report_plot_name(p, "normal force [N]", "kinetic friction force [N]",
                   "%s on %s: kinetic friction between the axes", report_data_name(&c->data, best->cloth_id),
                   report_data_name(&c->data, best->body_id));
  p->from_zero = true;
  CB_TRY(report_data_observations(&c->data, *best, &obs, &n, err));
  size_t n_angles = oblique_angles(c, *best, angles, MAX_CURVES);
  for (size_t i = 0; i < n_angles; i++) {
    char name[64];
    (void)snprintf(name, sizeof name, "%g\u00b0 measured", angles[i]);
    (void)report_curve_points(p, obs, n, angles[i], CB_FRICTION_KINETIC, (int)i, name);
    (void)snprintf(name, sizeof name, "%g\u00b0 law, 95 %% band", angles[i]);
    report_curve_law(p, report_data_law(&c->data, *best, CB_FRICTION_KINETIC), angles[i], (int)i, name);
  }
  free(obs);
  return CB_OK;
}

static cb_status build_figure(const choice *c, char letter, report_plot *p, cb_err *err) {
  switch (letter) {
    case 'a': return build_materials(c, true, 0.05, p, err);
    case 'b': return build_materials(c, false, 0.1, p, err);
    case 'c': return build_directions(c, -1, p, err);
    case 'd': return build_directions(c, 1, p, err);
    case 'e': return build_loads(c, p, err);
    default: return build_oblique(c, p, err);
  }
}

cb_status report_paper_plot(cb_store *s, const lab_selection *sel, char letter, const char *cloth,
                            const char *body, report_plot *p, cb_err *err) {
  choice c;
  cb_status st = choice_init(&c, s, sel, cloth, body, err);
  if (st == CB_OK) st = build_figure(&c, letter, p, err);
  choice_clear(&c);
  return st;
}
