/* Virtual campaigns whose truth no law of the fit can say: how often do the 95 % bands hold it, and how often
 * does the fit refuse? Used by test_coverage.c and bench_coverage.c. */
#ifndef COVERAGE_OUTSIDE_H
#define COVERAGE_OUTSIDE_H

#include "coverage.h"

/* What is true beside a law of the published pairs. Sizes are drawn anew for every campaign. */
typedef enum cov_outside {
  COV_FOURTH,   /* times 1 + c cos 4 theta + d sin 4 theta, both with a spread of 3 % */
  COV_BACKWARD, /* backward pulls times 1 + e, spread 4 % */
  COV_HERTZ,    /* (N + N0)^(2/3), N0 up to 0.1 N */
  COV_LANGMUIR, /* N^n / (1 + N / Ns), Ns from 3 to 30 N */
  COV_KINK,     /* beyond 0.7 N the exponent is another, by a spread of 0.1 */
  COV_SPEED,    /* every third run at ten times the speed; 5 % per decade */
  COV_WEAR, /* every run changes the force, spread 0.1 %; the truth is that of the middle of the campaign */
  COV_WEAR_MUCH, /* the same, spread 0.5 % */
  COV_OUTSIDES
} cov_outside;

static const char *const cov_outside_names[COV_OUTSIDES] = {
    "fourth harmonic", "backward",         "hertz",           "langmuir", "kink",
    "speed",           "wear 0.1 % a run", "wear 0.5 % a run"};

typedef struct cov_strange {
  cov_truth law;
  cov_outside kind;
  double c4, s4, backward, N0, kink, per_decade, wear;
} cov_strange;

static inline cov_strange cov_strange_draw(cov_outside kind, cb_rng *rng) {
  cov_strange t = {.law = cov_truth_draw(CB_MODEL_POWER, rng), .kind = kind};
  if (kind == COV_FOURTH) t.c4 = 0.03 * cb_rng_normal(rng), t.s4 = 0.03 * cb_rng_normal(rng);
  if (kind == COV_BACKWARD) t.backward = 0.04 * cb_rng_normal(rng);
  if (kind == COV_HERTZ) t.N0 = 0.1 * cb_rng_uniform(rng);
  if (kind == COV_LANGMUIR) t.N0 = 3 * pow(10, cb_rng_uniform(rng));
  if (kind == COV_KINK) t.kink = 0.1 * cb_rng_normal(rng);
  if (kind == COV_SPEED) t.per_decade = 0.05;
  if (kind == COV_WEAR || kind == COV_WEAR_MUCH)
    t.wear = (kind == COV_WEAR ? 0.001 : 0.005) * cb_rng_normal(rng);
  return t;
}

static inline double cov_strange_force(const cov_strange *t, double angle_deg, double N, bool backward) {
  double F = cov_truth_force(&t->law, angle_deg, N);
  F *= 1 + t->c4 * cos(4 * angle_deg * CB_DEG) + t->s4 * sin(4 * angle_deg * CB_DEG);
  if (t->kind == COV_HERTZ) F *= pow(N + t->N0, 2.0 / 3) / pow(N, t->law.n);
  if (t->kind == COV_LANGMUIR) F /= 1 + N / t->N0;
  if (t->kind == COV_KINK && N > 0.7) F *= pow(N / 0.7, t->kink);
  return backward ? F * (1 + t->backward) : F;
}

/* A cell after the other; the same, but the last repeat of every direction's first load at the end, on the
 * way back; all cells once, then all back again. */
typedef enum cov_order { COV_CELLS, COV_RETURN, COV_PASSES } cov_order;

/* Directions and loads in full, forward and backward in turn; the mounting is known to 0.5 degrees. */
typedef struct cov_grid {
  const char *name;
  size_t n_angles, n_loads;
  double angle_deg[4], load_N[6];
  int repeats; /* of either sense */
  cov_order order;
} cov_grid;

static const cov_grid cov_grids[] = {
    {"3 angles x 6 loads x 2 x 2", 3, 6, {0, 45, 90}, COV_LOADS, 2, COV_CELLS},
    {"4 angles x 6 loads x 2 x 2", 4, 6, {0, 45, 90, 135}, COV_LOADS, 2, COV_CELLS},
    {"the 3 angles, with return", 3, 6, {0, 45, 90}, COV_LOADS, 2, COV_RETURN},
    {"the 4 angles, with return", 4, 6, {0, 45, 90, 135}, COV_LOADS, 2, COV_RETURN},
    {"the 3 angles, in passes", 3, 6, {0, 45, 90}, COV_LOADS, 2, COV_PASSES},
};
#define COV_GRIDS (sizeof cov_grids / sizeof cov_grids[0])
#define COV_GRID_RUNS 96

/* The cell of the n-th run, all loads of a direction one after another, and its number in that cell. */
static inline void cov_visit(const cov_grid *g, int n, int *c, int *k) {
  const int loads = (int)g->n_loads, cells = loads * (int)g->n_angles, runs = 2 * g->repeats;
  const int kept = 2 * (int)g->n_angles, of_angle = loads * runs - 2, in_angle = n % of_angle;
  *c = n / runs, *k = n % runs;
  if (g->order == COV_PASSES) {
    const int pass = n / (2 * cells), at = n / 2 % cells;
    *c = pass % 2 ? cells - 1 - at : at, *k = 2 * pass + n % 2;
  }
  if (g->order != COV_RETURN) return;
  if (n >= cells * runs - kept)
    *c = (cells * runs - 1 - n) / 2 * loads, *k = runs - 2 + n % 2;
  else if (in_angle < runs - 2)
    *c = n / of_angle * loads, *k = in_angle;
  else
    *c = n / of_angle * loads + (in_angle + 2) / runs, *k = (in_angle + 2) % runs;
}

static inline size_t cov_grid_play(const cov_strange *t, const cov_grid *g, const cov_errors *e, cb_rng *rng,
                                   cb_friction_obs *obs) {
  size_t n = 0;
  const double gain = 1 + e->gain_rel * cb_rng_normal(rng), floor = e->floor_N * cb_rng_normal(rng),
               cart = e->load_N * cb_rng_normal(rng),
               middle = 0.5 * ((double)(g->n_angles * g->n_loads) * 2 * g->repeats - 1);
  const int cells = (int)(g->n_loads * g->n_angles), runs = 2 * g->repeats;
  double turned_deg[24];
  for (int c = 0; c < cells; c++) turned_deg[c] = e->angle_rad / CB_DEG * cb_rng_normal(rng);
  for (; (int)n < cells * runs; n++) {
    int c, k;
    cov_visit(g, (int)n, &c, &k);
    const size_t l = (size_t)c % g->n_loads, a = (size_t)c / g->n_loads;
    const bool backward = k % 2, fast = t->kind == COV_SPEED && n % 3 == 2;
    double F = cov_strange_force(t, g->angle_deg[a] + turned_deg[c], g->load_N[l] + cart, backward);
    F *= (fast ? 1 + t->per_decade : 1) * exp(t->wear * ((double)n - middle));
    F = F * (1 + e->repeat_rel * cb_rng_normal(rng)) * gain + floor + e->zero_N * cb_rng_normal(rng);
    obs[n] = (cb_friction_obs){.run = {.id = (int64_t)n + 1,
                                       .campaign_id = 1,
                                       .angle_deg = g->angle_deg[a],
                                       .normal_force_N = g->load_N[l],
                                       .u_normal_force_N = e->load_N,
                                       .contact_area_m2 = 0.005,
                                       .speed_m_per_s = fast ? 0.1 : 0.01,
                                       .direction = backward ? -1 : 1,
                                       .repeat = k / 2 + 1,
                                       .origin = CB_VIRTUAL},
                               .point = {.static_N = NAN,
                                         .u_static_N = NAN,
                                         .kinetic_N = F,
                                         .u_kinetic_N = e->zero_N,
                                         .mu_reported = NAN},
                               .u_rel_calibration = e->gain_rel,
                               .u_floor_calibration_N = e->floor_N};
  }
  return n;
}

/* Measured directions, at the loads and half way between them; the truth of both senses. */
static inline void cov_count_strange(const cb_friction_law *law, const cov_strange *t, const cov_grid *g,
                                     cov_tally *sum) {
  for (size_t a = 0; a < g->n_angles; a++)
    for (size_t l = 0; l < 2 * g->n_loads - 1; l++)
      for (int backward = 0; backward < 2; backward++) {
        const double N = l % 2 ? sqrt(g->load_N[l / 2] * g->load_N[l / 2 + 1]) : g->load_N[l / 2];
        const cov_place p = l % 2 ? COV_BETWEEN : COV_MEASURED;
        cb_friction_value v;
        cb_friction_law_eval(law, g->angle_deg[a] * CB_DEG, N, &v);
        const double U = cb_student_t(0.95, v.dof) * v.u_force_N;
        sum->cells[p]++;
        sum->inside[p] += fabs(v.force_N - cov_strange_force(t, g->angle_deg[a], N, backward)) <= U;
        sum->width[p] += U / v.force_N;
      }
}

/* Same seed, same tally. Returns how many campaigns the fit refused. */
static inline size_t cov_run_strange(cov_outside kind, const cov_grid *g, size_t campaigns, uint64_t seed,
                                     cov_tally *sum) {
  size_t refused = 0;
  cb_rng rng;
  cb_rng_init(&rng, seed, (uint64_t)kind);
  *sum = (cov_tally){.cells = {0}};
  for (size_t i = 0; i < campaigns; i++) {
    cb_friction_obs obs[COV_GRID_RUNS];
    fit_friction_result r;
    cb_err err;
    const cov_strange t = cov_strange_draw(kind, &rng);
    const fit_friction_options opt = {.u_angle_rad = cov_usual.angle_rad};
    const size_t n = cov_grid_play(&t, g, &cov_usual, &rng, obs);
    if (fit_friction(obs, n, "Cloth", "Body", &opt, &r, &err) == CB_OK &&
        r.kinetic.outcome == FIT_FRICTION_OK)
      cov_count_strange(&r.kinetic.law, &t, g, sum);
    else
      refused++;
  }
  return refused;
}

#endif
