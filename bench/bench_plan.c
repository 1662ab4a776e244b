/* bench_plan [CAMPAIGNS]: planned campaigns against the full factorial, in memory. Runs are drawn from known
 * laws with scatter from pull to pull and from laying to laying (1 and 0.5 %; 0.35 and 0.35 %, as on
 * rigs/virtual.yaml; 1 and 0 %), and fitted by fit_friction:
 *   full     3 directions x 6 loads x 3 repeats in one laying each: 54 runs
 *   planned  fit_plan_next until 32 runs (59 %) are made, from twelve directions (0, 15 ... 165 deg) and the
 *            same loads
 *   as full  the same from 0, 45 and 90 deg only
 *   third    the factorial with 2 repeats: 36 runs, what anybody would do to save time
 * Accuracy: root mean square over campaigns, angles 0 to 180 deg and loads of the fitted force's relative
 * error. Minutes by plan's own model of time (60 s to turn the sample, 30 s for weights, 10 s for a pull). */
#include "bench_lab.h"
#include "cb_num.h"
#include "cb_stats.h"
#include "fit_friction.h"
#include "fit_plan.h"
#include "fit_plan_round.h"

#define MOST_RUNS 128
#define PLANNED_RUNS 32

static const double masses_kg[] = {0.010, 0.025, 0.050, 0.100, 0.200, 0.300};

typedef struct law {
  const char *name;
  double c[3], n[3];
} law;

static const law truths[] = {
    {"isotropic, linear", {0.5, 0, 0.5}, {1, 1, 1}},
    {"isotropic, power 0.87", {0.5, 0, 0.5}, {0.87, 0.87, 0.87}},
    {"orthotropic, linear", {0.6, 0, 0.45}, {1, 1, 1}},
    {"orthotropic, power 0.87", {0.6, 0, 0.45}, {0.87, 0.87, 0.87}},
    {"general, linear", {0.6, 0.02, 0.45}, {1, 1, 1}},
    {"general, powers 0.9, 0.9, 0.93", {0.6, 0.02, 0.45}, {0.9, 0.9, 0.93}},
};
#define N_TRUTHS (sizeof truths / sizeof truths[0])

typedef struct scatter {
  double pull, laying;
} scatter;

static double force_of(const law *t, double angle_deg, double N) {
  double f[3];
  for (int i = 0; i < 3; i++) f[i] = t->c[i] * pow(N, t->n[i]);
  return cb_friction_quadratic(f, angle_deg * CB_DEG);
}

typedef struct campaign {
  const law *t;
  scatter s;
  cb_rng rng;
  cb_friction_obs obs[MOST_RUNS];
  size_t n;
  double seconds;
} campaign;

/* One laying of the sample. */
static void lay(campaign *c, double angle_deg, double N, size_t repeats) {
  double laying = c->s.laying * cb_rng_normal(&c->rng), F = force_of(c->t, angle_deg, N);
  for (size_t k = 0; k < repeats && c->n < MOST_RUNS; k++) {
    size_t i = c->n++;
    c->obs[i] =
        (cb_friction_obs){.run = {.id = (int64_t)i + 1,
                                  .campaign_id = 1,
                                  .angle_deg = angle_deg,
                                  .normal_force_N = N,
                                  .contact_area_m2 = 0.005,
                                  .speed_m_per_s = 0.01,
                                  .direction = 1,
                                  .repeat = (int)k + 1,
                                  .origin = CB_VIRTUAL},
                          .point = {.static_N = NAN,
                                    .u_kinetic_N = 2e-4,
                                    .kinetic_N = F * (1 + laying + c->s.pull * cb_rng_normal(&c->rng)) +
                                                 2e-4 * cb_rng_normal(&c->rng),
                                    .mu_reported = NAN}};
  }
}

static double load_of(size_t i) { return (0.013 + masses_kg[i]) * 9.80665; }

static fit_plan_options options(size_t n_angles, double step_deg) {
  fit_plan_options o = {.n_angles = n_angles,
                        .n_loads = 6,
                        .from_N = load_of(0),
                        .to_N = load_of(5),
                        .max_pulls = 6,
                        .pulls_per_repeat = 1,
                        .pull_s = 10,
                        .turn_s = 60,
                        .weights_s = 30};
  for (size_t i = 0; i < n_angles; i++) o.angles_deg[i] = step_deg * (double)i;
  for (size_t i = 0; i < 6; i++) o.loads_N[i] = load_of(i);
  return o;
}

static void fit(const campaign *c, fit_friction_result *r) {
  fit_friction_options opt = {0};
  LAB_TRY(fit_friction(c->obs, c->n, "Cloth", "Body", &opt, r, err));
}

static void factorial(campaign *c, size_t repeats) {
  const fit_plan_options o = options(3, 45);
  for (size_t a = 0; a < 3; a++) {
    c->seconds += o.turn_s;
    for (size_t l = 0; l < 6; l++) {
      lay(c, 45 * (double)a, load_of(l), repeats);
      c->seconds += o.weights_s + (double)repeats * o.pull_s;
    }
  }
}

/* expected: of the last round, against what the fit then says. */
static void planned(campaign *c, size_t n_angles, double step_deg, double *ratio, size_t *rounds) {
  fit_plan_options o = options(n_angles, step_deg);
  fit_friction_result r = {.kinetic = {.outcome = FIT_FRICTION_NO_DATA}};
  fit_plan p;
  while (c->n < PLANNED_RUNS) {
    o.max_pulls = PLANNED_RUNS - c->n < 6 ? PLANNED_RUNS - c->n : 6;
    LAB_TRY(fit_plan_next(c->obs, c->n, &r, &o, &p, err));
    if (p.n_cells == 0) lab_die("a plan without runs");
    for (size_t i = 0; i < p.n_cells && c->n + p.repeats <= PLANNED_RUNS; i++)
      lay(c, p.cells[i].angle_deg, p.cells[i].normal_force_N, p.repeats);
    c->seconds += p.seconds;
    fit(c, &r);
    if (p.stage != FIT_PLAN_REFINE) continue;
    *ratio += fit_plan_u_rel(&r.kinetic.law, o.from_N, o.to_N) / p.u_rel_expected;
    ++*rounds;
  }
}

/* Sum of squares of the relative error over directions and loads. */
static double error_of(const campaign *c, const fit_friction_law *f) {
  double sum = 0;
  if (f->outcome != FIT_FRICTION_OK) lab_die("no law");
  for (int a = 0; a < 12; a++)
    for (int l = 0; l < 9; l++) {
      cb_friction_value v;
      double N = load_of(0) * pow(load_of(5) / load_of(0), l / 8.0), truth = force_of(c->t, 15 * a, N);
      cb_friction_law_eval(&f->law, 15 * a * CB_DEG, N, &v);
      sum += pow(v.force_N / truth - 1, 2) / (12 * 9);
    }
  return sum;
}

typedef struct figure {
  double square, runs, seconds, ratio, u2;
  size_t rounds;
} figure;

static void one(int design, const law *t, scatter s, uint64_t seed, figure *f) {
  static fit_friction_result r;
  static campaign c;
  c.t = t, c.s = s, c.n = 0, c.seconds = 0;
  cb_rng_init(&c.rng, seed, (uint64_t)design + 1);
  if (design == 0 || design == 3) factorial(&c, design == 0 ? 3 : 2);
  if (design == 1) planned(&c, 12, 15, &f->ratio, &f->rounds);
  if (design == 2) planned(&c, 3, 45, &f->ratio, &f->rounds);
  fit(&c, &r);
  double u = fit_plan_u_rel(&r.kinetic.law, load_of(0), load_of(5));
  f->square += error_of(&c, &r.kinetic);
  f->u2 += u * u;
  f->runs += (double)c.n;
  f->seconds += c.seconds;
}

#define DESIGNS 4

static void show(const char *what, const figure f[DESIGNS], double campaigns) {
  printf("  %-32s", what);
  for (int d = 0; d < DESIGNS; d++)
    printf(" | %5.3f %% %5.3f %4.1f %4.0f", 100 * sqrt(f[d].square / campaigns),
           100 * sqrt(f[d].u2 / campaigns), f[d].runs / campaigns, f[d].seconds / campaigns / 60);
  printf(" | %5.2f %5.2f", sqrt(f[1].square / f[0].square),
         f[1].rounds ? f[1].ratio / (double)f[1].rounds : NAN);
  printf("\n");
}

static void compare(scatter s, int campaigns) {
  figure total[DESIGNS] = {{0}};
  printf(
      "scatter %.2g %% from pull to pull, %.2g %% from laying to laying: rms error, u of the law, runs, "
      "minutes\n",
      100 * s.pull, 100 * s.laying);
  printf("  %-32s | %-24s | %-24s | %-24s | %-24s | planned/full, u/expected\n", "", "full", "planned",
         "planned, 3 directions", "2 repeats");
  for (size_t t = 0; t < N_TRUTHS; t++) {
    figure f[DESIGNS] = {{0}};
    for (int d = 0; d < DESIGNS; d++) {
      for (int k = 0; k < campaigns; k++) one(d, &truths[t], s, (uint64_t)k + 1, &f[d]);
      total[d].square += f[d].square, total[d].u2 += f[d].u2, total[d].runs += f[d].runs,
          total[d].seconds += f[d].seconds;
      total[d].ratio += f[d].ratio, total[d].rounds += f[d].rounds;
    }
    show(truths[t].name, f, campaigns);
  }
  show("all", total, campaigns * (double)N_TRUTHS);
}

int main(int argc, char **argv) {
  int campaigns = argc > 1 ? atoi(argv[1]) : 200;
  if (argc > 2 || campaigns < 1) lab_die("usage: bench_plan [CAMPAIGNS]");
  compare((scatter){0.01, 0.005}, campaigns);
  compare((scatter){0.0035, 0.0035}, campaigns);
  compare((scatter){0.01, 0}, campaigns);
  return 0;
}
