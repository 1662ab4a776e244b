/* Small campaigns on the virtual bench, two directions by three loads by three passes, in which a pull went
 * wrong as no pull alone can show. Is it named, with the right reason, where it shifts the law? Does the band
 * hold the truth? Truth is the bench's own formula; what a mishap shifts is told by a twin of the campaign
 * without it. */
#include "cb_num.h"
#include "cb_rng.h"
#include "cb_stats.h"
#include "fit_friction.h"
#include "fit_pull.h"
#include "fit_repeat.h"
#include "vrig_play.h"
#include "vrigtest.h"

#define ANGLES 2
#define LOADS 3
#define CELLS (ANGLES * LOADS)
#define RUNS (CELLS * 3)
#define SEEDS 20
#define SOUND (getenv("CB_SLOW") ? 200 : 100)

static const double masses_kg[LOADS] = {0.06, 0.15, 0.35};

/* What goes wrong, in which runs, and what it should be called. */
typedef enum whose { ONE_RUN, ITS_CELL, ITS_LOAD, LOWEST_LOAD, HIGHEST_LOAD } whose;
typedef struct wrong {
  const char *name;
  int kind;
  double size; /* < 0: the kind's own */
  whose whose;
  fit_fault fault;
} wrong;
static const wrong wrongs[] = {
    {"weights forgotten", VRIG_MISHAP_WEIGHTS, 0, ONE_RUN, FIT_FAULT_LOAD_OFF},
    {"weights twice", VRIG_MISHAP_WEIGHTS, 2, ONE_RUN, FIT_FAULT_LOAD_OFF},
    {"cloth turned", VRIG_MISHAP_TURNED, -1, ONE_RUN, FIT_FAULT_OFF_REPEATS},
    {"other side", VRIG_MISHAP_OTHER_SIDE, -1, ONE_RUN, FIT_FAULT_OFF_REPEATS},
    {"table tilted", VRIG_MISHAP_TILT, -1, ONE_RUN, FIT_FAULT_OFF_REPEATS},
    {"repeated", VRIG_MISHAP_REPEATED, -1, ONE_RUN, FIT_FAULT_REPEATS},
    {"forgotten, cell", VRIG_MISHAP_WEIGHTS, 0, ITS_CELL, FIT_FAULT_LOAD_OFF},
    {"forgotten, load", VRIG_MISHAP_WEIGHTS, 0, ITS_LOAD, FIT_FAULT_LOAD_OFF},
    {"forgotten, low", VRIG_MISHAP_WEIGHTS, 0, LOWEST_LOAD, FIT_FAULT_LOAD_OFF},
    {"twice, low", VRIG_MISHAP_WEIGHTS, 2, LOWEST_LOAD, FIT_FAULT_LOAD_OFF},
    {"forgotten, high", VRIG_MISHAP_WEIGHTS, 0, HIGHEST_LOAD, FIT_FAULT_LOAD_OFF},
};
#define WRONGS (sizeof wrongs / sizeof wrongs[0])

typedef struct campaign {
  cb_rig rig;
  double angle_deg[ANGLES];
  size_t bad; /* the run that goes wrong, or one of them */
  cb_friction_obs obs[RUNS];
  bool is_wrong[RUNS], repeats[RUNS];
} campaign;

static void draw(campaign *c, int seed) {
  cb_rng rng;
  vrt_rig(&c->rig);
  cb_rig_truth *t = &c->rig.virt.truth;
  cb_rng_init(&rng, (uint64_t)seed, 7);
  c->rig.virt.noise_sd = 0.002;
  c->rig.virt.link_damping_Ns_per_m = 8;
  t->c00 = 0.3 + 0.4 * cb_rng_uniform(&rng);
  t->c11 = t->c00 * (1 + 0.2 * (cb_rng_uniform(&rng) - 0.5));
  t->c01 = 0.02 * t->c00 * cb_rng_normal(&rng);
  t->n00 = t->n01 = t->n11 = 0.9 + 0.05 * cb_rng_normal(&rng);
  t->static_excess = 0.1; /* no stick and slip under the heaviest load */
  t->repeat_sd_rel = 0.003 + 0.012 * cb_rng_uniform(&rng);
  c->angle_deg[1] = seed % 2 ? 45 : 90;
}

/* Another law of the load for every fourth campaign. */
static void draw_strange(campaign *c, int seed) {
  cb_rng rng;
  cb_rig_truth *t = &c->rig.virt.truth;
  cb_rng_init(&rng, (uint64_t)seed, 8);
  t->load_law = seed % 4;
  t->adhesion_N = 0.1 * cb_rng_uniform(&rng);
  t->saturation_N = 3 * pow(10, cb_rng_uniform(&rng));
  t->kink_N = 2, t->kink_exponent_change = 0.1 * cb_rng_normal(&rng);
}

static double load_N(const campaign *c, size_t load) {
  return (c->rig.bench.cart_mass_kg + masses_kg[load]) * c->rig.bench.gravity_m_per_s2;
}

static cb_friction_obs observation(const campaign *c, size_t i, const fit_pull *r, bool repeats) {
  const size_t cell = i % CELLS, load = cell % LOADS;
  return (cb_friction_obs){.run = {.id = (int64_t)i + 1,
                                   .campaign_id = 1,
                                   .angle_deg = c->angle_deg[cell / LOADS],
                                   .cart_mass_kg = c->rig.bench.cart_mass_kg,
                                   .added_mass_kg = masses_kg[load],
                                   .normal_force_N = load_N(c, load),
                                   .u_normal_force_N = 0.0005,
                                   .contact_area_m2 = 0.005,
                                   .speed_m_per_s = 0.01,
                                   .direction = 1,
                                   .repeat = (int)(i / CELLS) + 1,
                                   .origin = CB_VIRTUAL},
                           .point = {.kinetic_N = r->outcome == FIT_PULL_OK && !repeats ? r->kinetic_N : NAN,
                                     .u_kinetic_N = r->u_kinetic_N,
                                     .static_N = NAN,
                                     .u_static_N = NAN,
                                     .mu_reported = NAN}};
}

static bool repeats_one_before(const cb_trace *traces, size_t i, const fit_pull *r) {
  for (size_t k = 0; k < i; k++)
    if (fit_pull_repeats(&traces[i], r->t_start_s, &traces[k])) return true;
  return false;
}

static void play(campaign *c, int seed, const vrig_mishap *m) {
  vrig_play *p;
  cb_trace traces[RUNS];
  const fit_pull_options opt = fit_pull_options_default();
  assert_ok(vrig_play_open(&c->rig, (uint64_t)seed, &p, err));
  for (size_t i = 0; i < RUNS; i++) {
    const size_t cell = i % CELLS;
    const vrig_pull pull = vrig_pull_default(c->angle_deg[cell / LOADS] * CB_DEG, masses_kg[cell % LOADS], 1);
    fit_pull r;
    assert_ok(vrig_play_next(p, &pull, c->is_wrong[i] ? m : NULL, &traces[i], err));
    assert_ok(fit_pull_reduce(&traces[i], 1, pull.travel_m, &opt, &r, err));
    c->repeats[i] = repeats_one_before(traces, i, &r);
    c->obs[i] = observation(c, i, &r, c->repeats[i]);
  }
  for (size_t i = 0; i < RUNS; i++) cb_trace_clear(&traces[i]);
  vrig_play_close(p);
}

/* As it would be if nobody looked at what does not belong. */
static void fit(const campaign *c, bool trusting, fit_friction_law *out) {
  bool trusted[RUNS];
  fit_friction_result r;
  fit_friction_options opt = {.u_angle_rad = 0.5 * CB_DEG};
  for (size_t i = 0; i < RUNS; i++) trusted[i] = true;
  if (trusting) opt.trusted = trusted;
  assert_ok(fit_friction(c->obs, RUNS, "Cloth", "Body", &opt, &r, err));
  *out = r.kinetic;
}

static double law_at(const campaign *c, const fit_friction_law *f, size_t i, double *U) {
  cb_friction_value v;
  cb_friction_law_eval(&f->law, c->obs[i].run.angle_deg * CB_DEG, c->obs[i].run.normal_force_N, &v);
  *U = cb_student_t(0.95, v.dof) * v.u_force_N;
  return v.force_N;
}

static bool band_holds(const campaign *c, const fit_friction_law *f, size_t i) {
  const cb_run *r = &c->obs[i].run;
  double U;
  const double truth =
      cb_rig_truth_kinetic(&c->rig.virt.truth, r->angle_deg * CB_DEG, r->normal_force_N, 0.01);
  return f->outcome == FIT_FRICTION_OK && fabs(law_at(c, f, i, &U) - truth) <= U;
}

/* FIT_N_FAULTS: not named. */
static fit_fault name_of(const campaign *c, const fit_friction_law *f, size_t i) {
  if (c->repeats[i]) return FIT_FAULT_REPEATS;
  for (size_t k = 0; k < f->n_outliers; k++)
    if (f->outliers[k].index == i) return f->outliers[k].fault;
  for (size_t k = 0; k < f->n_doubtful; k++)
    if (f->doubtful[k].index == i) return f->doubtful[k].fault;
  return FIT_N_FAULTS;
}

typedef struct tally {
  size_t shifts, named, right; /* campaigns whose law the mishap shifts; of these named at all, and rightly */
  size_t unnamed, held;        /* campaigns without a name; of these, the band holds the truth in that cell */
  size_t named_held, refused;  /* with a name: it holds; there is no law */
  size_t false_names;          /* sound runs that are named */
} tally;

static void count(const campaign *c, const campaign *twin, const fit_friction_law *sound, fit_fault right,
                  tally *t) {
  fit_friction_law as_it_is, blind;
  double U = 0, unused;
  fit(c, false, &as_it_is);
  campaign all = *c;
  for (size_t i = 0; i < RUNS; i++)
    if (c->repeats[i]) all.obs[i].point.kinetic_N = twin->obs[(i + RUNS - 1) % RUNS].point.kinetic_N;
  fit(&all, true, &blind);
  const double shift = blind.outcome == FIT_FRICTION_OK
                           ? law_at(c, &blind, c->bad, &unused) - law_at(twin, sound, c->bad, &U)
                           : INFINITY;
  const fit_fault name = name_of(c, &as_it_is, c->bad);
  const bool shifts = !(fabs(shift) <= U), named = name < FIT_N_FAULTS,
             holds = band_holds(c, &as_it_is, c->bad);
  t->shifts += shifts, t->named += shifts && named, t->right += shifts && name == right;
  t->unnamed += !named, t->held += !named && holds, t->named_held += named && holds;
  t->refused += as_it_is.outcome != FIT_FRICTION_OK;
  for (size_t i = 0; i < RUNS; i++)
    t->false_names += !c->is_wrong[i] && name_of(c, &as_it_is, i) < FIT_N_FAULTS;
}

static bool goes_wrong(const campaign *c, whose of, size_t i) {
  if (of == ONE_RUN) return i == c->bad;
  return of == ITS_CELL ? i % CELLS == c->bad % CELLS : i % LOADS == c->bad % LOADS;
}

static void play_all(int seed, tally t[WRONGS]) {
  campaign twin = {.bad = 0};
  fit_friction_law sound;
  cb_rng rng;
  cb_rng_init(&rng, (uint64_t)seed, 9);
  draw(&twin, seed);
  play(&twin, seed, NULL);
  fit(&twin, true, &sound);
  for (size_t k = 0; k < WRONGS; k++) {
    campaign c = twin;
    c.bad = 1 + (size_t)(cb_rng_uniform(&rng) * (RUNS - 1));
    vrig_mishap m = vrig_mishap_default((vrig_mishap_kind)wrongs[k].kind);
    if (wrongs[k].size >= 0) m.size = wrongs[k].size;
    if (wrongs[k].whose == ITS_LOAD) c.bad = CELLS + 1; /* the middle one: the others stand on both sides */
    if (wrongs[k].whose == LOWEST_LOAD) c.bad = CELLS;
    if (wrongs[k].whose == HIGHEST_LOAD) c.bad = CELLS + LOADS - 1;
    for (size_t i = 0; i < RUNS; i++) c.is_wrong[i] = goes_wrong(&c, wrongs[k].whose, i);
    play(&c, seed, &m);
    count(&c, &twin, &sound, wrongs[k].fault, &t[k]);
  }
  cb_rig_clear(&twin.rig);
}

static void what_shifts_the_law_is_named(void **state) {
  (void)state;
  tally t[WRONGS] = {{0}}, one = {0};
  for (int seed = 1; seed <= SEEDS; seed++) play_all(seed, t);
  printf("  mishap             shifts named right | unnamed held | named and held, no law | false\n");
  for (size_t k = 0; k < WRONGS; k++) {
    printf("  %-18s %5zu %5zu %5zu | %5zu %5zu | %5zu %5zu | %zu\n", wrongs[k].name, t[k].shifts, t[k].named,
           t[k].right, t[k].unnamed, t[k].held, t[k].named_held, t[k].refused, t[k].false_names);
    if (wrongs[k].whose >= LOWEST_LOAD) assert_true(t[k].right >= 0.9 * SEEDS && t[k].false_names <= 12);
    if (wrongs[k].whose != ONE_RUN) continue;
    one.shifts += t[k].shifts, one.right += t[k].right, one.unnamed += t[k].unnamed, one.held += t[k].held;
    one.false_names += t[k].false_names;
  }
  printf("  of %zu single runs that shift the law %zu are rightly named; of %zu others %zu are held\n",
         one.shifts, one.right, one.unnamed, one.held);
  assert_true((double)one.right >= 0.95 * (double)one.shifts);
  assert_true((double)one.held >= 0.85 * (double)one.unnamed); /* 95 % of 50 cells: 0.85 is 3 sd below */
}

static void sound_runs_are_not_named(void **state) {
  (void)state;
  size_t names = 0, held = 0;
  for (int seed = 1; seed <= SOUND; seed++) {
    campaign c = {.bad = 0};
    fit_friction_law f;
    draw(&c, 1000 + seed);
    draw_strange(&c, seed);
    play(&c, seed, NULL);
    fit(&c, false, &f);
    for (size_t i = 0; i < RUNS; i++) names += name_of(&c, &f, i) < FIT_N_FAULTS;
    for (size_t i = 0; i < CELLS; i++) held += band_holds(&c, &f, i);
    cb_rig_clear(&c.rig);
  }
  printf("  %zu of %d sound runs are named; bands hold %zu of %d cells\n", names, SOUND * RUNS, held,
         SOUND * CELLS);
  assert_true((double)names <= 0.01 * SOUND * RUNS);
}

/* Runs of one law with 1 % of scatter; those of one load say of themselves that they are known to 5 %. */
static void one_load_does_not_hide_the_scatter(void **state) {
  (void)state;
  cb_rng rng;
  size_t held = 0;
  cb_rng_init(&rng, 5, 5);
  for (int k = 0; k < 100; k++) {
    campaign c = {.rig.bench = {.cart_mass_kg = 0.1, .gravity_m_per_s2 = 9.81}, .angle_deg = {0, 90}};
    fit_friction_law f;
    for (size_t i = 0; i < RUNS; i++) {
      const double F = 0.5 * pow(load_N(&c, i % LOADS), 0.9);
      const fit_pull r = {.kinetic_N = F * (1 + 0.01 * cb_rng_normal(&rng)),
                          .u_kinetic_N = i % LOADS == 2 ? 0.05 * F : 2e-4 * F};
      c.obs[i] = observation(&c, i, &r, false);
    }
    fit(&c, false, &f);
    for (size_t i = 0; i < CELLS; i++) {
      double U;
      held += fabs(law_at(&c, &f, i, &U) - 0.5 * pow(load_N(&c, i % LOADS), 0.9)) <= U;
    }
  }
  printf("  bands hold %zu of %d cells\n", held, 100 * CELLS);
  assert_true((double)held >= 0.91 * 100 * CELLS); /* 95 %, and two standard deviations of 100 campaigns */
}

/* Runs of one law with 1 % of scatter, of which one in five knows itself to 5 %, the others to 0.2 %. Plain
 * means of three are off by sqrt((1 % + 0.2 x 5 %) squared / 3) = 1.4 %; weighed ones hardly see the few. */
static void runs_weigh_by_what_they_know(void **state) {
  (void)state;
  cb_rng rng;
  size_t held = 0;
  double square = 0;
  cb_rng_init(&rng, 6, 6);
  for (int k = 0; k < 100; k++) {
    campaign c = {.rig.bench = {.cart_mass_kg = 0.1, .gravity_m_per_s2 = 9.81}, .angle_deg = {0, 90}};
    fit_friction_law f;
    for (size_t i = 0; i < RUNS; i++) {
      const double F = 0.5 * pow(load_N(&c, i % LOADS), 0.9),
                   u = cb_rng_uniform(&rng) < 0.2 ? 0.05 : 0.002 + 0.001 * cb_rng_uniform(&rng);
      const fit_pull r = {.kinetic_N = F * (1 + 0.01 * cb_rng_normal(&rng) + u * cb_rng_normal(&rng)),
                          .u_kinetic_N = u * F};
      c.obs[i] = observation(&c, i, &r, false);
    }
    fit(&c, false, &f);
    for (size_t i = 0; i < CELLS; i++) {
      double U;
      const double truth = 0.5 * pow(load_N(&c, i % LOADS), 0.9), off = law_at(&c, &f, i, &U) - truth;
      held += fabs(off) <= U, square += off * off / (truth * truth) / (100 * CELLS);
    }
  }
  printf("  bands hold %zu of %d cells, laws are off by %.2f %%\n", held, 100 * CELLS, 100 * sqrt(square));
  assert_true((double)held >= 0.91 * 100 * CELLS);
  assert_true(sqrt(square) < 0.008);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_load_does_not_hide_the_scatter), cmocka_unit_test(runs_weigh_by_what_they_know),
      cmocka_unit_test(what_shifts_the_law_is_named), cmocka_unit_test(sound_runs_are_not_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
