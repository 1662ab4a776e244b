/* Virtual campaigns in memory, from laws that are known: how often do the fit's 95 % bands hold the truth?
 * Every error is drawn as the uncertainty budget states it (docs/method/uncertainty.md). Used by
 * test_coverage.c (150 campaigns) and bench_coverage.c (1000). */
#ifndef COVERAGE_H
#define COVERAGE_H

#include <math.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "cb_stats.h"
#include "fit_friction.h"

/* ---- laws ---- */

/* F = N1 mu (1 + a cos 2 theta + b sin 2 theta) g(N) with N1 = 1 N; `bend` is the second derivative of ln g
 * over ln N, `drift` and `drift_b` the changes of 2 a and 2 b with ln N. */
typedef struct cov_truth {
  cb_friction_model model;
  double mu, a, b, n, N0, bend, drift, drift_b;
} cov_truth;

/* Pairs as the published tables have them: docs/method/friction-law.md, "Assumed where the data are silent".
 */
static inline cov_truth cov_truth_draw(cb_friction_model model, cb_rng *rng) {
  cov_truth t = {.model = model, .mu = 0.25 + 0.6 * cb_rng_uniform(rng), .n = 1};
  t.a = 0.033 * cb_rng_normal(rng);
  t.b = 0.012 * cb_rng_normal(rng);
  if (model == CB_MODEL_POWER || model == CB_MODEL_CURVE) t.n = 0.9 + 0.07 * cb_rng_normal(rng);
  if (model == CB_MODEL_OFFSET) t.N0 = 0.02 + 0.1 * cb_rng_uniform(rng);
  if (model == CB_MODEL_CURVE)
    t.bend = 0.04 * cb_rng_normal(rng), t.drift = 0.05 * cb_rng_normal(rng),
    t.drift_b = 0.018 * cb_rng_normal(rng);
  return t;
}

static inline double cov_truth_force(const cov_truth *t, double angle_deg, double N) {
  double x = log(N), shape = 1 + (t->a + 0.5 * t->drift * x) * cos(2 * angle_deg * CB_DEG) +
                             (t->b + 0.5 * t->drift_b * x) * sin(2 * angle_deg * CB_DEG);
  double g = t->model == CB_MODEL_OFFSET ? N + t->N0 : exp(t->n * x + 0.5 * t->bend * x * x);
  return t->mu * shape * g;
}

/* ---- campaigns ---- */

typedef struct cov_errors {
  double repeat_rel; /* from run to run */
  double place_rel;  /* from laying to laying; a cell is one laying */
  double zero_N;     /* of a run's zero and plateau; stated with the point */
  double gain_rel;   /* of the calibration, one for the campaign */
  double floor_N;    /* the same, in newtons */
  double load_N;     /* of the cart, one for the campaign */
  double angle_rad;  /* of a laying */
  double pitch_rad;  /* of the pull line, one for the campaign; and to the side */
  double yaw_rad;
  double hidden_gain_rel; /* of the calibration, beyond what it states: 0 in an honest campaign */
} cov_errors;

/* A rig as docs/reference/rig-file.md describes one. */
static const cov_errors cov_usual = {.repeat_rel = 0.01,
                                     .zero_N = 0.0005,
                                     .gain_rel = 0.003,
                                     .floor_N = 0.0003,
                                     .load_N = 0.0005,
                                     .angle_rad = 0.5 * CB_DEG};

typedef struct cov_design {
  const char *name;
  size_t n_angles, n_loads;
  double angle_deg[3], load_N[6];
  int repeats;
  bool sweep; /* three angles at load_N[3] are repeated; the other loads are run once, at angle_deg[1] */
  double place_rel;
  double others_dof; /* with so many degrees of freedom other pairs on the rig have shown what a laying
                        changes; 0: nobody knows */
} cov_design;

#define COV_LOADS \
  { 0.127, 0.275, 0.52, 1.01, 1.99, 2.97 }
static const cov_design cov_designs[] = {
    {"3 angles x 6 loads x 3", 3, 6, {0, 45, 90}, COV_LOADS, 3, false, 0, 0},
    {"the same, placement 2 %", 3, 6, {0, 45, 90}, COV_LOADS, 3, false, 0.02, 0},
    {"3 angles x 1 load x 3", 3, 1, {0, 45, 90}, {1.01}, 3, false, 0, 0},
    {"1 angle x 6 loads x 3", 1, 6, {45}, COV_LOADS, 3, false, 0, 0},
    {"3 x 1 x 3, then a sweep", 3, 6, {0, 45, 90}, COV_LOADS, 3, true, 0, 0},
    {"3 x 1 x 3, laying 2 %", 3, 1, {0, 45, 90}, {1.01}, 3, false, 0.02, 24},
    {"1 x 6 x 3, laying 2 %", 1, 6, {45}, COV_LOADS, 3, false, 0.02, 24},
    {"sweep, laying 2 %", 3, 6, {0, 45, 90}, COV_LOADS, 3, true, 0.02, 24},
};
#define COV_DESIGNS (sizeof cov_designs / sizeof cov_designs[0])
#define COV_MAX_RUNS 64

/* What a line shows that rises by x and leads y to the side: T cos x cos y = F(N - T sin x). */
static inline double cov_truth_pulled(const cov_truth *t, double angle_deg, double N, double x, double y) {
  double T = 0;
  for (int i = 0; i < 20; i++) T = cov_truth_force(t, angle_deg, N - T * sin(x)) / (cos(x) * cos(y));
  return T;
}

static inline size_t cov_campaign(const cov_truth *t, const cov_design *d, const cov_errors *e, cb_rng *rng,
                                  cb_friction_obs *obs) {
  size_t n = 0;
  double gain = 1 + hypot(e->gain_rel, e->hidden_gain_rel) * cb_rng_normal(rng),
         floor = e->floor_N * cb_rng_normal(rng), cart = e->load_N * cb_rng_normal(rng),
         pitch = e->pitch_rad > 0 ? e->pitch_rad * cb_rng_normal(rng) : 0,
         yaw = e->yaw_rad > 0 ? e->yaw_rad * cb_rng_normal(rng) : 0;
  for (size_t l = 0; l < d->n_loads; l++)
    for (size_t a = 0; a < d->n_angles; a++) {
      bool fixed = l == 3;
      int runs = !d->sweep || fixed ? d->repeats : a == 1 ? 1 : 0;
      double laid = 1 + d->place_rel * cb_rng_normal(rng),
             turned_deg = e->angle_rad / CB_DEG * cb_rng_normal(rng);
      for (int k = 0; k < runs; k++, n++) {
        double F = cov_truth_pulled(t, d->angle_deg[a] + turned_deg, d->load_N[l] + cart, pitch, yaw);
        F = F * laid * (1 + e->repeat_rel * cb_rng_normal(rng)) * gain + floor +
            e->zero_N * cb_rng_normal(rng);
        obs[n] = (cb_friction_obs){.run = {.id = (int64_t)n + 1,
                                           .campaign_id = 1,
                                           .angle_deg = d->angle_deg[a],
                                           .normal_force_N = d->load_N[l],
                                           .u_normal_force_N = e->load_N,
                                           .contact_area_m2 = 0.005,
                                           .speed_m_per_s = 0.01,
                                           .direction = 1,
                                           .repeat = k + 1,
                                           .origin = CB_VIRTUAL},
                                   .point = {.static_N = NAN,
                                             .u_static_N = NAN,
                                             .kinetic_N = F,
                                             .u_kinetic_N = e->zero_N,
                                             .mu_reported = NAN},
                                   .u_rel_calibration = e->gain_rel,
                                   .u_floor_calibration_N = e->floor_N};
      }
    }
  return n;
}

/* ---- counting ---- */

/* Where a force is predicted. */
typedef enum cov_place {
  COV_MEASURED,
  COV_BETWEEN,
  COV_OTHER_ANGLES,
  COV_BOTH,
  COV_OUTSIDE,
  COV_PLACES
} cov_place;

typedef struct cov_tally {
  double inside[COV_PLACES], cells[COV_PLACES];
  double width[COV_PLACES]; /* sum of the bands' relative half widths */
} cov_tally;

static inline void cov_count(const cb_friction_law *law, const cov_truth *t, double angle_deg, double N,
                             cov_place p, cov_tally *sum) {
  cb_friction_value v;
  cb_friction_law_eval(law, angle_deg * CB_DEG, N, &v);
  double U = cb_student_t(0.95, v.dof) * v.u_force_N;
  sum->cells[p]++;
  sum->inside[p] += fabs(v.force_N - cov_truth_force(t, angle_deg, N)) <= U;
  sum->width[p] += U / v.force_N;
}

/* Directions that were measured at this load (between: in a sweep over the loads), and all others. */
static inline void cov_count_angles(const cb_friction_law *law, const cov_truth *t, const cov_design *d,
                                    double N, bool all, bool between, cov_tally *sum) {
  const double others[] = {20, 70, 115, 155};
  const cov_place there = between ? COV_BETWEEN : COV_MEASURED,
                  elsewhere = between ? COV_BOTH : COV_OTHER_ANGLES;
  for (size_t a = 0; a < d->n_angles; a++)
    cov_count(law, t, d->angle_deg[a], N, all || a == 1 ? there : elsewhere, sum);
  for (size_t a = 0; a < 4; a++) cov_count(law, t, others[a], N, elsewhere, sum);
}

static inline void cov_count_law(const cb_friction_law *law, const cov_truth *t, const cov_design *d,
                                 cov_tally *sum) {
  size_t last = d->n_loads - 1;
  for (size_t l = 0; l <= last; l++)
    cov_count_angles(law, t, d, d->load_N[l], !d->sweep || l == 3, false, sum);
  for (size_t l = 0; l < last; l++)
    cov_count_angles(law, t, d, sqrt(d->load_N[l] * d->load_N[l + 1]), !d->sweep, true, sum);
  for (size_t a = 0; a < d->n_angles; a++) {
    cov_count(law, t, d->angle_deg[a], 0.6 * d->load_N[0], COV_OUTSIDE, sum);
    cov_count(law, t, d->angle_deg[a], 1.6 * d->load_N[last], COV_OUTSIDE, sum);
  }
}

/* What three or so pairs with a full design would say: the mean square of cells of three runs, less what
 * repeats explain. */
static inline fit_placement cov_others(const cov_design *d, const cov_errors *e, cb_rng *rng) {
  double explained = e->repeat_rel * e->repeat_rel / 3, sum = 0;
  for (int i = 0; i < (int)d->others_dof; i++) {
    double z = cb_rng_normal(rng);
    sum += z * z / d->others_dof;
  }
  return (fit_placement){.var_rel = (d->place_rel * d->place_rel + explained) * sum - explained,
                         .dof = d->others_dof};
}

/* Same seed, same tally. Returns how many campaigns could not be fitted. */
static inline size_t cov_run(cb_friction_model model, const cov_design *d, const cov_errors *e,
                             size_t campaigns, uint64_t seed, cov_tally *sum) {
  size_t failed = 0;
  cb_rng rng;
  cb_rng_init(&rng, seed, (uint64_t)model);
  *sum = (cov_tally){.cells = {0}};
  for (size_t i = 0; i < campaigns; i++) {
    cb_friction_obs obs[COV_MAX_RUNS];
    fit_friction_result r;
    fit_friction_options opt = {
        .u_angle_rad = e->angle_rad, .u_pitch_rad = e->pitch_rad, .u_yaw_rad = e->yaw_rad};
    cov_truth t = cov_truth_draw(model, &rng);
    size_t n = cov_campaign(&t, d, e, &rng, obs);
    if (d->others_dof > 0) opt.placement = cov_others(d, e, &rng);
    cb_err err;
    bool fitted = fit_friction(obs, n, "Cloth", "Body", &opt, &r, &err) == CB_OK &&
                  r.kinetic.outcome == FIT_FRICTION_OK;
    if (fitted)
      cov_count_law(&r.kinetic.law, &t, d, sum);
    else
      failed++;
  }
  return failed;
}

#endif
