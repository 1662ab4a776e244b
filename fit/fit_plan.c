#include "fit_plan.h"

#include <math.h>
#include <string.h>

#include "cb_num.h"
#include "fit_plan_field.h"
#include "fit_quadratic.h"
#include "fit_steps.h"

const char *const fit_plan_stage_names[] = {"directions", "sweep", "refine", "enough", "floor", "no law", NULL};
const char *const fit_plan_stage_text[] = {"the directions are compared under one load",
                                           "the load is swept",
                                           "the runs that help most",
                                           "enough: the law is as certain as was wanted",
                                           "what no run reduces exceeds the target: calibration and load come first",
                                           "there are runs, but they carry no law"};

/* The law is looked at on this many directions over half a turn and loads even in ln N. */
#define LOOK_ANGLES 12
#define LOOK_LOADS 9
/* The procedure of Chen, Feng, Wang 2013: directions and repeats under one load, then six loads. */
#define DIRECTIONS 3
#define REPEATS 3
#define SWEEP_LOADS 6
#define MOST_REPEATS 3
/* As in a fit: the same direction, the same load. */
#define SAME_ANGLE_DEG 0.01
#define SAME_LOAD_REL 1e-3

/* ---- options ---- */

static cb_status check(const fit_plan_options *o, cb_err *err) {
  if (o->n_angles < 1 || o->n_angles > FIT_PLAN_MAX || o->n_loads < 1 || o->n_loads > FIT_PLAN_MAX)
    return cb_fail(err, CB_E_RANGE, "plan: %zu angles and %zu loads: 1 to %d of each were wanted", o->n_angles, o->n_loads, FIT_PLAN_MAX);
  for (size_t i = 0; i < o->n_angles; i++)
    if (!isfinite(o->angles_deg[i])) return cb_fail(err, CB_E_NUM, "plan: angle %g deg: a finite angle was wanted", o->angles_deg[i]);
  for (size_t i = 0; i < o->n_loads; i++)
    if (!(o->loads_N[i] > 0) || !isfinite(o->loads_N[i])) return cb_fail(err, CB_E_RANGE, "plan: load %g N: must be > 0", o->loads_N[i]);
  if (!(o->from_N > 0) || !(o->to_N >= o->from_N) || !isfinite(o->to_N))
    return cb_fail(err, CB_E_RANGE, "plan: wanted loads from %g to %g N: 0 < from <= to was wanted", o->from_N, o->to_N);
  if (!(o->target_rel >= 0) || o->max_pulls < 1 || o->pulls_per_repeat < 1)
    return cb_fail(err, CB_E_RANGE, "plan: target %g, %zu pulls of a round, %zu of a repeat: >= 0, >= 1, >= 1 were wanted", o->target_rel,
                   o->max_pulls, o->pulls_per_repeat);
  if (!(o->pull_s > 0) || !(o->turn_s >= 0) || !(o->weights_s >= 0) || !isfinite(o->pull_s + o->turn_s + o->weights_s))
    return cb_fail(err, CB_E_RANGE, "plan: %g s for a pull, %g s to turn, %g s for weights: > 0, >= 0, >= 0 were wanted", o->pull_s,
                   o->turn_s, o->weights_s);
  return CB_OK;
}

/* ---- what there is ---- */

static bool in_cell(const cb_friction_obs *o, double angle_deg, double load_N) {
  return isfinite(o->point.kinetic_N) && fabs(o->run.angle_deg - angle_deg) <= SAME_ANGLE_DEG &&
         fabs(o->run.normal_force_N - load_N) <= SAME_LOAD_REL * load_N;
}

static size_t runs_in(const cb_friction_obs *obs, size_t n, double angle_deg, double load_N) {
  size_t found = 0;
  for (size_t i = 0; i < n; i++) found += in_cell(&obs[i], angle_deg, load_N) ? 1 : 0;
  return found;
}

/* The admissible angles nearest to 0, 45 and 90 degrees, each once; returns how many. */
static size_t three_directions(const fit_plan_options *o, double out[DIRECTIONS]) {
  size_t n = 0;
  for (int d = 0; d < DIRECTIONS; d++) {
    double best = o->angles_deg[0];
    for (size_t i = 1; i < o->n_angles; i++)
      if (fabs(o->angles_deg[i] - 45 * d) < fabs(best - 45 * d)) best = o->angles_deg[i];
    bool twice = false;
    for (size_t i = 0; i < n; i++) twice = twice || out[i] == best;
    if (!twice) out[n++] = best;
  }
  return n;
}

static void sorted_loads(const fit_plan_options *o, double out[FIT_PLAN_MAX]) {
  for (size_t i = 0; i < o->n_loads; i++) {
    size_t at = i;
    for (; at > 0 && out[at - 1] > o->loads_N[i]; at--) out[at] = out[at - 1];
    out[at] = o->loads_N[i];
  }
}

static void add_cell(fit_plan *p, double angle_deg, double load_N) {
  if (p->n_cells < FIT_PLAN_MAX) p->cells[p->n_cells++] = (fit_plan_cell){.angle_deg = angle_deg, .normal_force_N = load_N, .u_rel = NAN};
}

static double seconds_of(const fit_plan *p, const fit_plan_options *o) {
  double sum = 0;
  for (size_t i = 0; i < p->n_cells; i++) {
    bool turned = false;
    for (size_t k = 0; k < i; k++) turned = turned || p->cells[k].angle_deg == p->cells[i].angle_deg;
    sum += (double)(p->repeats * o->pulls_per_repeat) * o->pull_s + o->weights_s + (turned ? 0 : o->turn_s);
  }
  return sum;
}

/* ---- the directions under one load ---- */

/* Where most of it is done already; else in the middle of the loads. */
static double fixed_load(const cb_friction_obs *obs, size_t n, const fit_plan_options *o, const double *directions, size_t n_directions) {
  double middle = sqrt(o->from_N * o->to_N), best = o->loads_N[0];
  size_t most = 0;
  for (size_t l = 0; l < o->n_loads; l++) {
    double N = o->loads_N[l];
    size_t done = 0;
    for (size_t a = 0; a < n_directions; a++) done += runs_in(obs, n, directions[a], N);
    if (done < most || (done == most && fabs(log(N / middle)) > fabs(log(best / middle)))) continue;
    most = done;
    best = N;
  }
  return best;
}

/* Whoever has measured repeats in several directions need not do it again our way. */
static bool directions_are_known(const fit_friction_result *r, size_t n_directions) {
  size_t repeated = 0;
  for (size_t a = 0; a < r->verdict.n_angles; a++) repeated += r->verdict.angles[a].n >= 2 ? 1 : 0;
  return r->kinetic.outcome == FIT_FRICTION_OK && r->kinetic.scatter_basis == FIT_FROM_REPEATS &&
         r->kinetic.scatter_dof >= (double)(n_directions * (REPEATS - 1)) && repeated >= n_directions;
}

static void plan_directions(const cb_friction_obs *obs, size_t n, const fit_plan_options *o, fit_plan *p) {
  double directions[DIRECTIONS];
  size_t n_directions = three_directions(o, directions), most_missing = 0;
  double N = fixed_load(obs, n, o, directions, n_directions);
  for (size_t a = 0; a < n_directions; a++) {
    size_t done = runs_in(obs, n, directions[a], N), missing = done < REPEATS ? REPEATS - done : 0;
    if (missing > 0) add_cell(p, directions[a], N);
    most_missing = missing > most_missing ? missing : most_missing;
  }
  p->repeats = (most_missing + o->pulls_per_repeat - 1) / o->pulls_per_repeat;
}

/* ---- the sweep ---- */

static void plan_sweep(const cb_friction_obs *obs, size_t n, const fit_friction_result *r, const fit_plan_options *o, fit_plan *p) {
  double directions[DIRECTIONS], loads[FIT_PLAN_MAX];
  const fit_test *t = &r->verdict.isotropy;
  bool agree = r->verdict.isotropic && !(t->done && t->p_value < 0.01);
  size_t n_directions = three_directions(o, directions), n_loads = o->n_loads < SWEEP_LOADS ? o->n_loads : SWEEP_LOADS;
  if (agree) n_directions = 1;
  sorted_loads(o, loads);
  p->repeats = 1;
  for (size_t a = 0; a < n_directions; a++)
    for (size_t l = 0; l < n_loads; l++) {
      size_t at = n_loads > 1 ? (l * (o->n_loads - 1) + (n_loads - 1) / 2) / (n_loads - 1) : 0;
      if (runs_in(obs, n, directions[a], loads[at]) == 0) add_cell(p, directions[a], loads[at]);
    }
}

/* ---- the runs that help most ---- */

/* Of a run at a point: what repeats in one laying of the sample share, and what they do not. */
typedef struct noise {
  double laying, pull;
} noise;

static noise noise_at(const fit_friction_law *k, const fit_plan_options *o, double u_point_N, double angle_rad, double N) {
  double f[3], row[3];
  cb_friction_law_matrix(&k->law, N, f);
  fit_row(angle_rad, row);
  double force = fit_dot(row, f), turned = o->u_angle_rad * fit_slope(f, angle_rad) / force, point = u_point_N / force;
  /* What could not be told from chance is not nothing. */
  double laying = k->placement_rel > 0 ? k->placement_rel : k->scatter_rel;
  return (noise){.laying = laying * laying + turned * turned, .pull = k->scatter_rel * k->scatter_rel + point * point + 1e-18};
}

static double point_uncertainty(const cb_friction_obs *obs, size_t n) {
  double sum = 0, count = 0;
  for (size_t i = 0; i < n; i++)
    if (isfinite(obs[i].point.kinetic_N)) sum += obs[i].point.u_kinetic_N * obs[i].point.u_kinetic_N, count++;
  return count > 0 ? sqrt(sum / count) : 0;
}

/* Points: the cells that could be measured, angle by angle, then those where the law is looked at. */
typedef struct outlook {
  const fit_plan_options *o;
  size_t n_cells;
  fit_field now, then;
  noise noise[FIT_PLAN_MAX * FIT_PLAN_MAX];
} outlook;

static void set_look(const fit_plan_options *o, const cb_friction_law *law, size_t first, fit_field *f) {
  for (size_t a = 0; a < LOOK_ANGLES; a++)
    for (size_t l = 0; l < LOOK_LOADS; l++) {
      double N = o->from_N * pow(o->to_N / o->from_N, (double)l / (LOOK_LOADS - 1));
      fit_field_set(f, first++, law, 180.0 / LOOK_ANGLES * (double)a * CB_DEG, N);
    }
}

static cb_status outlook_init(outlook *w, const cb_friction_obs *obs, size_t n, const fit_friction_law *k, const fit_plan_options *o,
                              cb_err *err) {
  size_t points = o->n_angles * o->n_loads + LOOK_ANGLES * LOOK_LOADS;
  double u_point_N = point_uncertainty(obs, n);
  *w = (outlook){.o = o, .n_cells = o->n_angles * o->n_loads};
  CB_TRY(fit_field_init(&w->now, points, &k->law, err));
  CB_TRY(fit_field_init(&w->then, points, &k->law, err));
  for (size_t i = 0; i < w->n_cells; i++) {
    double angle = o->angles_deg[i / o->n_loads] * CB_DEG, N = o->loads_N[i % o->n_loads];
    fit_field_set(&w->now, i, &k->law, angle, N);
    w->noise[i] = noise_at(k, o, u_point_N, angle, N);
  }
  set_look(o, &k->law, w->n_cells, &w->now);
  return CB_OK;
}

static void outlook_clear(outlook *w) {
  fit_field_clear(&w->now);
  fit_field_clear(&w->then);
}

static double noise_of(const outlook *w, size_t cell, size_t repeats) {
  return w->noise[cell].laying + w->noise[cell].pull / (double)(repeats * w->o->pulls_per_repeat);
}

static double u_of(const outlook *w, const fit_field *f) {
  return sqrt(fit_field_mean_var(f, w->n_cells) + fit_field_mean_fixed(f, w->n_cells));
}

typedef struct choice {
  bool taken[FIT_PLAN_MAX * FIT_PLAN_MAX], turned[FIT_PLAN_MAX];
} choice;

/* The cell with the largest gain per second that is not in the round yet; n_cells: none is left that helps. */
static size_t best_cell(const outlook *w, const choice *c, size_t repeats) {
  size_t best = w->n_cells;
  double highest = 0;
  for (size_t i = 0; i < w->n_cells; i++) {
    if (c->taken[i]) continue;
    double seconds = (double)(repeats * w->o->pulls_per_repeat) * w->o->pull_s + w->o->weights_s;
    if (!c->turned[i / w->o->n_loads]) seconds += w->o->turn_s;
    double rate = fit_field_gain(&w->then, i, noise_of(w, i, repeats), w->n_cells) / seconds;
    if (rate > highest) highest = rate, best = i;
  }
  return best;
}

static void plan_round(outlook *w, size_t repeats, fit_plan *p) {
  const fit_plan_options *o = w->o;
  choice c = {.taken = {false}};
  size_t pulls = repeats * o->pulls_per_repeat;
  p->n_cells = 0;
  p->repeats = repeats;
  p->u_rel_expected = p->u_rel;
  fit_field_copy(&w->then, &w->now);
  while (p->n_cells < FIT_PLAN_MAX && (p->n_cells == 0 || (p->n_cells + 1) * pulls <= o->max_pulls)) {
    size_t i = best_cell(w, &c, repeats);
    if (i == w->n_cells) break;
    fit_field_observe(&w->then, i, noise_of(w, i, repeats));
    c.taken[i] = c.turned[i / o->n_loads] = true;
    add_cell(p, o->angles_deg[i / o->n_loads], o->loads_N[i % o->n_loads]);
    p->u_rel_expected = p->cells[p->n_cells - 1].u_rel = u_of(w, &w->then);
    if (p->u_rel_expected <= o->target_rel) break;
  }
  p->seconds = seconds_of(p, o);
}

static double rate_of(const fit_plan *p) {
  return p->seconds > 0 ? (p->u_rel * p->u_rel - p->u_rel_expected * p->u_rel_expected) / p->seconds : 0;
}

/* How often a cell is pulled in one laying: whatever brings more per minute. */
static void plan_refine(outlook *w, fit_plan *p) {
  fit_plan other = *p;
  plan_round(w, 1, p);
  for (size_t repeats = 2; repeats <= MOST_REPEATS && repeats * w->o->pulls_per_repeat <= w->o->max_pulls; repeats++) {
    plan_round(w, repeats, &other);
    if (rate_of(&other) > rate_of(p)) *p = other;
  }
}

/* What cells that were chosen for other reasons would bring. */
static void expect(outlook *w, fit_plan *p) {
  fit_field_copy(&w->then, &w->now);
  for (size_t i = 0; i < p->n_cells; i++) {
    size_t at = 0;
    while (w->o->angles_deg[at / w->o->n_loads] != p->cells[i].angle_deg || w->o->loads_N[at % w->o->n_loads] != p->cells[i].normal_force_N)
      at++;
    fit_field_observe(&w->then, at, noise_of(w, at, p->repeats));
    p->u_rel_expected = p->cells[i].u_rel = u_of(w, &w->then);
  }
  p->seconds = seconds_of(p, w->o);
}

static cb_status plan_with_law(const cb_friction_obs *obs, size_t n, const fit_friction_result *r, const fit_plan_options *o, fit_plan *p,
                               cb_err *err) {
  outlook w;
  cb_status st = CB_OK;
  CB_GOTO(outlook_init(&w, obs, n, &r->kinetic, o, err));
  p->u_rel = p->u_rel_expected = u_of(&w, &w.now);
  p->u_rel_floor = sqrt(fit_field_mean_fixed(&w.now, w.n_cells));
  p->stage = p->u_rel <= o->target_rel ? FIT_PLAN_ENOUGH : FIT_PLAN_FLOOR;
  if (p->stage == FIT_PLAN_ENOUGH || (o->target_rel > 0 && p->u_rel_floor >= o->target_rel)) goto done;
  p->stage = FIT_PLAN_SWEEP;
  plan_sweep(obs, n, r, o, p);
  if (p->n_cells > 0) {
    expect(&w, p);
  } else {
    p->stage = FIT_PLAN_REFINE;
    plan_refine(&w, p);
  }
done:
  outlook_clear(&w);
  return st;
}

cb_status fit_plan_next(const cb_friction_obs *obs, size_t n, const fit_friction_result *known, const fit_plan_options *opt, fit_plan *out,
                        cb_err *err) {
  double directions[DIRECTIONS];
  *out = (fit_plan){.stage = FIT_PLAN_DIRECTIONS, .u_rel = NAN, .u_rel_floor = NAN, .u_rel_expected = NAN};
  CB_TRY(check(opt, err));
  if (!directions_are_known(known, three_directions(opt, directions))) plan_directions(obs, n, opt, out);
  if (out->n_cells > 0) {
    out->seconds = seconds_of(out, opt);
    return CB_OK;
  }
  if (known->kinetic.outcome != FIT_FRICTION_OK) {
    out->stage = FIT_PLAN_NO_LAW;
    return CB_OK;
  }
  return plan_with_law(obs, n, known, opt, out, err);
}

double fit_plan_u_rel(const cb_friction_law *law, double from_N, double to_N) {
  double sum = 0;
  for (size_t a = 0; a < LOOK_ANGLES; a++)
    for (size_t l = 0; l < LOOK_LOADS; l++) {
      cb_friction_value v;
      cb_friction_law_eval(law, 180.0 / LOOK_ANGLES * (double)a * CB_DEG, from_N * pow(to_N / from_N, (double)l / (LOOK_LOADS - 1)), &v);
      sum += v.u_force_N / v.force_N * (v.u_force_N / v.force_N);
    }
  return sqrt(sum / (LOOK_ANGLES * LOOK_LOADS));
}
