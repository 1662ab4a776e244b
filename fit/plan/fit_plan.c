#include "fit_plan.h"

#include <math.h>
#include <string.h>

#include "fit_plan_round.h"
#include "cb_plural.h"

const char *const fit_plan_stage_names[] = {"directions", "sweep",  "refine", "enough",
                                            "floor",      "no law", NULL};
const char *const fit_plan_stage_text[] = {"the directions are compared under one load",
                                           "the load is swept",
                                           "the runs that help most",
                                           "enough: the law is as certain as was wanted",
                                           "no run helps: what is left is of calibration and load",
                                           "there are runs, but they carry no law"};

/* The procedure of Chen, Feng, Wang 2013: directions and repeats under one load, then six loads. */
#define DIRECTIONS 3
#define REPEATS 3
#define SWEEP_LOADS 6

/* ---- options ---- */

static cb_status check_options(const fit_plan_options *o, cb_err *err) {
  if (o->n_angles < 1 || o->n_angles > FIT_PLAN_MAX || o->n_loads < 1 || o->n_loads > FIT_PLAN_MAX)
    return cb_fail(err, CB_E_RANGE, "plan: %zu angle%s and %zu load%s: 1 to %d of each were wanted",
                   o->n_angles, CB_S(o->n_angles), o->n_loads, CB_S(o->n_loads), FIT_PLAN_MAX);
  for (size_t i = 0; i < o->n_angles; i++)
    if (!isfinite(o->angles_deg[i]))
      return cb_fail(err, CB_E_NUM, "plan: angle %g deg: a finite angle was wanted", o->angles_deg[i]);
  for (size_t i = 0; i < o->n_loads; i++)
    if (!(o->loads_N[i] > 0) || !isfinite(o->loads_N[i]))
      return cb_fail(err, CB_E_RANGE, "plan: load %g N: must be > 0", o->loads_N[i]);
  if (!(o->from_N > 0) || !(o->to_N >= o->from_N) || !isfinite(o->to_N))
    return cb_fail(err, CB_E_RANGE, "plan: wanted loads from %g to %g N: 0 < from <= to was wanted",
                   o->from_N, o->to_N);
  if (!(o->target_rel >= 0) || o->max_pulls < 1 || o->pulls_per_repeat < 1)
    return cb_fail(err, CB_E_RANGE,
                   "plan: target %g, %zu pull%s of a round, %zu of a repeat: >= 0, >= 1, >= 1 were wanted",
                   o->target_rel, o->max_pulls, CB_S(o->max_pulls), o->pulls_per_repeat);
  if (!(o->pull_s > 0) || !(o->turn_s >= 0) || !(o->weights_s >= 0) ||
      !isfinite(o->pull_s + o->turn_s + o->weights_s))
    return cb_fail(err, CB_E_RANGE,
                   "plan: %g s for a pull, %g s to turn, %g s for weights: > 0, >= 0, >= 0 were wanted",
                   o->pull_s, o->turn_s, o->weights_s);
  return CB_OK;
}

/* ---- what there is ---- */

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

/* ---- the directions under one load ---- */

/* Where most of it is done already; else in the middle of the loads. */
static double fixed_load(const cb_friction_obs *obs, size_t n, const fit_plan_options *o,
                         const double *directions, size_t n_directions) {
  double middle = sqrt(o->from_N * o->to_N), best = o->loads_N[0];
  size_t most = 0;
  for (size_t l = 0; l < o->n_loads; l++) {
    double N = o->loads_N[l];
    size_t done = 0;
    for (size_t a = 0; a < n_directions; a++) done += fit_plan_runs(obs, n, directions[a], N);
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
    size_t done = fit_plan_runs(obs, n, directions[a], N), missing = done < REPEATS ? REPEATS - done : 0;
    if (missing > 0) fit_plan_add(p, directions[a], N);
    most_missing = missing > most_missing ? missing : most_missing;
  }
  p->repeats = (most_missing + o->pulls_per_repeat - 1) / o->pulls_per_repeat;
}

/* ---- the sweep ---- */

static void plan_sweep(const cb_friction_obs *obs, size_t n, const fit_friction_result *r,
                       const fit_plan_options *o, fit_plan *p) {
  double directions[DIRECTIONS], loads[FIT_PLAN_MAX];
  const fit_test *t = &r->verdict.isotropy;
  bool agree = r->verdict.isotropic && !(t->done && t->p_value < 0.01);
  size_t n_directions = three_directions(o, directions),
         n_loads = o->n_loads < SWEEP_LOADS ? o->n_loads : SWEEP_LOADS;
  if (agree) n_directions = 1;
  sorted_loads(o, loads);
  p->repeats = 1;
  for (size_t a = 0; a < n_directions; a++)
    for (size_t l = 0; l < n_loads; l++) {
      size_t at = n_loads > 1 ? (l * (o->n_loads - 1) + (n_loads - 1) / 2) / (n_loads - 1) : 0;
      if (fit_plan_runs(obs, n, directions[a], loads[at]) == 0) fit_plan_add(p, directions[a], loads[at]);
    }
}

static cb_status plan_with_law(const cb_friction_obs *obs, size_t n, const fit_friction_result *r,
                               const fit_plan_options *o, fit_plan *p, cb_err *err) {
  fit_outlook w;
  cb_status st = CB_OK;
  CB_GOTO(fit_outlook_init(&w, obs, n, &r->kinetic, o, err));
  p->u_rel = p->u_rel_expected = fit_outlook_u(&w);
  p->u_rel_floor = fit_outlook_floor(&w);
  p->stage = p->u_rel <= o->target_rel ? FIT_PLAN_ENOUGH : FIT_PLAN_FLOOR;
  if (p->stage == FIT_PLAN_ENOUGH || (o->target_rel > 0 && p->u_rel_floor >= o->target_rel)) goto done;
  p->stage = FIT_PLAN_SWEEP;
  plan_sweep(obs, n, r, o, p);
  if (p->n_cells > 0) {
    fit_outlook_expect(&w, p);
  } else {
    fit_outlook_refine(&w, p);
    p->stage = p->n_cells > 0 ? FIT_PLAN_REFINE : FIT_PLAN_FLOOR;
  }
done:
  fit_outlook_clear(&w);
  return st;
}

cb_status fit_plan_next(const cb_friction_obs *obs, size_t n, const fit_friction_result *known,
                        const fit_plan_options *opt, fit_plan *out, cb_err *err) {
  double directions[DIRECTIONS];
  *out = (fit_plan){.stage = FIT_PLAN_DIRECTIONS, .u_rel = NAN, .u_rel_floor = NAN, .u_rel_expected = NAN};
  CB_TRY(check_options(opt, err));
  if (!directions_are_known(known, three_directions(opt, directions))) plan_directions(obs, n, opt, out);
  if (out->n_cells > 0) {
    out->seconds = fit_plan_seconds(out, opt);
    return CB_OK;
  }
  if (known->kinetic.outcome != FIT_FRICTION_OK) {
    out->stage = FIT_PLAN_NO_LAW;
    return CB_OK;
  }
  return plan_with_law(obs, n, known, opt, out, err);
}
