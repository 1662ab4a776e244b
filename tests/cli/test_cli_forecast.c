/* run and plan say before the first pull what cannot work; and the virtual rig does what the forecast says,
 * on either side of every border. */
#include "daqtest.h"

#include "clitest.h"
#include "cb_rig.h"
#include "doneruns.h"
#include "fit_forecast.h"

#define SIDE 10 /* loads on each side of a border */

static cb_rig rig; /* rig.yaml of the folder */

static int set_up(void **state) {
  static const char *const edits[][2] = {{"start_mm: 20", "start_mm: 35"},
                                         {"overload_N: 8", "overload_N: 12"},
                                         {"repeat_sd_rel: 0.005", "repeat_sd_rel: 0"}};
  char path[400];
  (void)cbt_folder_set_up(state);
  dt_rig_with(cbt_path("rig.yaml", path), edits, 3);
  assert_ok(cb_rig_load(path, &rig, err));
  return 0;
}

static int tear_down(void **state) {
  cb_rig_clear(&rig);
  return cbt_folder_tear_down(state);
}

static void put_campaign(const char *name, const char *masses, double speed_mm_per_s, double travel_mm) {
  char text[1200];
  (void)snprintf(text, sizeof text,
                 "name: c\nkind: friction\ncloth: Twill\nbody: Foam\nangles_deg: [0]\nadded_masses_g: [%s]\n"
                 "repeats: 1\ndirections: forward\nspeed_mm_per_s: %g\ntravel_mm: %g\nzero_s: 0.5\n",
                 masses, speed_mm_per_s, travel_mm);
  clit_put(name, text);
}

/* ---- the virtual rig agrees ---- */

static double normal_N(double added_kg) {
  return (rig.bench.cart_mass_kg + added_kg) * rig.bench.gravity_m_per_s2;
}

/* By the rig's truth. */
static fit_forecast forecast(double added_kg, double speed_m_per_s, double travel_m) {
  const cb_rig_bench *b = &rig.bench;
  const double N = normal_N(added_kg), mass_kg = b->cart_mass_kg + added_kg;
  const fit_pull_options opt = fit_pull_options_default();
  const fit_forecast_pull p = {
      .mass_kg = mass_kg,
      .stiffness_N_per_m = b->link_stiffness_N_per_m,
      .slack_m = b->link_slack_m,
      .damping_ratio = rig.virt.link_damping_Ns_per_m / 2 / sqrt(b->link_stiffness_N_per_m * mass_kg),
      .travel_m = travel_m,
      .speed_m_per_s = speed_m_per_s,
      .static_N = cb_rig_truth_static(&rig.virt.truth, 0, N),
      .kinetic_N = cb_rig_truth_kinetic(&rig.virt.truth, 0, N, speed_m_per_s)};
  return fit_forecast_make(&p, &opt);
}

typedef struct sweep {
  double speed_m_per_s, travel_m;
  bool (*is_beyond)(const fit_forecast *f);                     /* of the border */
  bool (*was_beyond)(const cb_trace *t, const fit_forecast *f); /* what the rig did */
} sweep;

static double find_border(const sweep *s) {
  double low = 0.01, high = 10;
  for (int i = 0; i < 50; i++) {
    const double mid = sqrt(low * high);
    const fit_forecast f = forecast(mid, s->speed_m_per_s, s->travel_m);
    if (s->is_beyond(&f))
      high = mid;
    else
      low = mid;
  }
  return high;
}

typedef struct load {
  double away; /* from the border's mass, a part of it */
  double mass_kg;
  bool was_seen;
} load;

/* Whole tenths of a gram, from 3 % on either side of the border to 30 %. */
static void choose_loads(double border_kg, load loads[2 * SIDE]) {
  for (int i = 0; i < 2 * SIDE; i++) {
    const double away = 0.03 * (1 + (i < SIDE ? SIDE - 1 - i : i - SIDE));
    loads[i] = (load){away, round(1e4 * border_kg * (i < SIDE ? 1 - away : 1 + away)) / 1e4, false};
  }
}

static size_t list_unseen(const load loads[2 * SIDE], char text[2 * SIDE * 12]) {
  size_t n = 0, length = 0;
  for (int i = 0; i < 2 * SIDE; i++)
    if (!loads[i].was_seen)
      length += (size_t)snprintf(text + length, 2 * SIDE * 12 - length, "%s%.1f", n++ ? ", " : "",
                                 loads[i].mass_kg * 1e3);
  return n;
}

/* Between positions far apart the stage was anywhere between them. The reduction then begins its window where
 * it surely may, which moves a border by as much. */
static bool was_well_seen(const cb_trace *t, const sweep *s, double away) {
  double unseen_m = 0;
  for (size_t i = 1; i < t->position_m.n; i++) {
    const double way_m = fabs(t->position_m.v[i] - t->position_m.v[i - 1]),
                 most_m = 1.1 * s->speed_m_per_s * (t->position_m.t_s[i] - t->position_m.t_s[i - 1]);
    if (way_m > 0.02 * s->travel_m) unseen_m = fmax(unseen_m, most_m - way_m);
  }
  return unseen_m < away / 6 * s->travel_m;
}

static void check_run(const sweep *s, const cb_trace *t, const cb_run *run, load loads[2 * SIDE]) {
  const fit_forecast f = forecast(run->added_mass_kg, s->speed_m_per_s, s->travel_m);
  int i = 0;
  while (i < 2 * SIDE && fabs(run->added_mass_kg - loads[i].mass_kg) > 1e-9) i++;
  assert_true(i < 2 * SIDE && !loads[i].was_seen);
  assert_int_equal(s->is_beyond(&f), i >= SIDE);
  loads[i].was_seen = was_well_seen(t, s, loads[i].away);
  if (loads[i].was_seen && s->was_beyond(t, &f) != s->is_beyond(&f))
    fail_msg("%g g: %s was forecast", run->added_mass_kg * 1e3, s->is_beyond(&f) ? "yes" : "no");
}

static void check_runs(const sweep *s, const char *db, load loads[2 * SIDE], size_t n_wanted) {
  char path[400];
  cb_store *store;
  cb_run *runs;
  size_t n_again;
  assert_ok(cb_store_open(cbt_path(db, path), CB_STORE_READ, &store, err));
  const size_t n = done_runs(store, &runs, &n_again);
  assert_int_equal(n, n_wanted);
  for (size_t i = 0; i < n; i++) {
    cb_trace t;
    assert_ok(cb_store_trace(store, &runs[i], &t, err));
    check_run(s, &t, &runs[i], loads);
    cb_trace_clear(&t);
  }
  free(runs);
  assert_ok(cb_store_close(store, err));
}

/* A busy machine reads positions late. What was not well seen is played again, ever slower. */
static void play_sweep(const sweep *s) {
  load loads[2 * SIDE];
  char text[2 * SIDE * 12];
  size_t n;
  choose_loads(find_border(s), loads);
  for (int scale = 32; (n = list_unseen(loads, text)) > 0 && scale > 0; scale /= 2) {
    char scale_text[30], args[100], db[20], path[400];
    (void)snprintf(scale_text, sizeof scale_text, "time_scale: %d", scale);
    dt_rig_with(cbt_path("slow.yaml", path),
                (const char *const[][2]){{"start_mm: 20", "start_mm: 35"},
                                         {"overload_N: 8", "overload_N: 12"},
                                         {"repeat_sd_rel: 0.005", "repeat_sd_rel: 0"},
                                         {"time_scale: 40", scale_text}},
                4);
    put_campaign("sweep.yaml", text, s->speed_m_per_s * 1e3, s->travel_m * 1e3);
    (void)snprintf(db, sizeof db, "sweep-%d.db", scale);
    (void)snprintf(args, sizeof args, "run sweep.yaml --rig slow.yaml --db %s --anyway", db);
    clit_run(args, 0);
    check_runs(s, db, loads, n);
  }
  assert_int_equal(n, 0);
}

static double zero_of(const cb_trace *t) {
  double sum = 0;
  for (size_t i = 0; i < 100; i++) sum += t->force_N.v[i];
  return sum / 100;
}

static double highest(const cb_trace *t, size_t from) {
  double top = -INFINITY;
  for (size_t i = from; i < t->force_N.n; i++) top = fmax(top, t->force_N.v[i]);
  return top - zero_of(t);
}

/* The link is stretched by all of the travel, and no reading before the last is higher. */
static bool was_stretched_only(const cb_trace *t, const fit_forecast *f) {
  (void)f;
  const double all_N = rig.bench.link_stiffness_N_per_m * (15e-3 - rig.bench.link_slack_m);
  return fabs(highest(t, 0) - all_N) < 0.01 * all_N &&
         t->force_N.v[t->force_N.n - 1] - zero_of(t) > 0.98 * all_N;
}
static bool does_not_slide(const fit_forecast *f) { return !f->slides; }

static void border_of_sliding(void **state) {
  (void)state;
  const sweep s = {10e-3, 15e-3, does_not_slide, was_stretched_only};
  play_sweep(&s);
}

/* The reduction sees the peak only if it stands before the plateau's window. */
static bool lost_its_peak(const cb_trace *t, const fit_forecast *f) {
  const fit_pull_options opt = fit_pull_options_default();
  fit_pull p;
  (void)f;
  assert_ok(fit_pull_reduce(t, 1, 15e-3, &opt, &p, err));
  assert_true(p.outcome == FIT_PULL_OK || p.outcome == FIT_PULL_INVALID); /* it slid late */
  return isnan(p.static_N);
}
static bool slides_late(const fit_forecast *f) { return !f->has_plateau; }

static void border_of_the_plateau(void **state) {
  (void)state;
  const sweep s = {10e-3, 15e-3, slides_late, lost_its_peak};
  play_sweep(&s);
}

/* In the second half of the pull a swing that dies out is noise, and stick-slip is a fall and a rise of twice
 * the static force above the kinetic one. */
static bool swings_on(const cb_trace *t, const fit_forecast *f) {
  const double *F = t->force_N.v, drop_N = 0.2 * rig.bench.link_stiffness_N_per_m *
                                           (f->slips_at_m - rig.bench.link_slack_m); /* static_excess: 0.25 */
  double low = INFINITY, high = 0;
  for (size_t i = t->force_N.n / 2; i < t->force_N.n * 9 / 10; i++)
    low = fmin(low, F[i]), high = fmax(high, F[i]);
  return high - low > drop_N;
}
static bool sticks(const fit_forecast *f) { return f->sticks; }

static void border_of_stick_slip(void **state) {
  (void)state;
  const sweep s = {10e-3, 50e-3, sticks, swings_on};
  play_sweep(&s);
}

/* ---- what is said ---- */

#define CAMPAIGN(name) "'" CB_SOURCE_DIR "/rigs/" name ".yaml' "

/* What the shipped campaigns ask of their rigs, the rigs can do: nothing is said. */
static void shipped_campaigns_are_sound(void **state) {
  (void)state;
  static const char *const runs[] = {CAMPAIGN("campaign-small") "--rig " CAMPAIGN("virtual"),
                                     CAMPAIGN("campaign-demo") "--rig " CAMPAIGN("virtual"),
                                     CAMPAIGN("campaign-batch") "--rig " CAMPAIGN("virtual"),
                                     CAMPAIGN("campaign-demo-slide") "--rig " CAMPAIGN("virtual"),
                                     CAMPAIGN("campaign-cloth") "--rig " CAMPAIGN("virtual-cloth"),
                                     CAMPAIGN("campaign-d1894") "--rig " CAMPAIGN("virtual-d1894")};
  char args[600];
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
    (void)snprintf(args, sizeof args, "run %s --db none.db --dry-run", runs[i]);
    clit_expect(args, 0, "kinetic", "");
  }
  clit_expect("plan " CAMPAIGN("campaign-plan") "--rig " CAMPAIGN("virtual") "--db none.db", 0, "pulls", "");
}

/* A pair that is not known: whatever its friction may be, it is said and nothing is refused. */
static void unknown_pair(void **state) {
  (void)state;
  put_campaign("heavy.yaml", "200, 500, 1000, 1500, 2000", 10, 15);
  clit_expect(
      "run heavy.yaml --rig rig.yaml --db none.db --dry-run", 0,
      "friction not known: coefficients of 0.3 to 1 are assumed; static friction taken as 1.25 times",
      "3 of 5 cells will probably not slide within 15 mm: 0 deg with 1000 to 2000 g (nothing is known "
      "of this pair: a friction coefficient of 0.3 to 1 is assumed); a link of 4600 N/m or at most 200 "
      "g would do; a travel of 121 mm is more than the 65 mm of the stage\n");
  assert_non_null(strstr(clit_last.out, "about 28 s of the rig's time, 1 s of the clock's"));
  clit_expect("plan heavy.yaml --rig rig.yaml --db none.db", 0, "2.089 N",
              "clothbench plan: the loads with 500, 1000, 1500, 2000 g are left out; --anyway keeps them\n");
  clit_expect("plan heavy.yaml --rig rig.yaml --db none.db --anyway", 0, "5.031 N", "3 of 5 cells will");
  assert_null(strstr(clit_last.err, "left out"));
  put_campaign("hopeless.yaml", "2000", 10, 15);
  clit_expect("plan hopeless.yaml --rig rig.yaml --db none.db", 1, "",
              "hopeless.yaml: no load is left that works; --anyway plans all the same\n");
  json_t *doc = clit_json("run heavy.yaml --rig rig.yaml --db none.db --dry-run --json", 0, "run --dry-run");
  json_decref(doc);
}

/* A pair that is known: what cannot be is refused before anything moves, and --anyway pulls all the same. */
static void known_pair(void **state) {
  (void)state;
  const char *const wanted =
      "2 of 3 cells cannot slide within 15 mm: 0 deg with 5000, 6000 g (by this pair's "
      "friction); ";
  put_campaign("light.yaml", "50, 100, 200", 10, 15);
  put_campaign("heavy.yaml", "200, 5000, 6000", 10, 15);
  clit_run("run light.yaml --rig rig.yaml --db known.db", 0);
  clit_expect("run heavy.yaml --rig rig.yaml --db known.db --dry-run", 1, "by what is known of this pair",
              wanted);
  clit_says("run", "stderr", clit_last.err, "of the stage; --anyway pulls all the same\n");
  clit_expect("run heavy.yaml --rig rig.yaml --db known.db", 1, "", wanted);
  clit_expect("plan heavy.yaml --rig rig.yaml --db known.db", 0, "pulls",
              "the loads with 5000, 6000 g are left out");
  clit_expect("run heavy.yaml --rig rig.yaml --db known.db --anyway", 0, "", wanted);
  clit_expect("db query \"SELECT text FROM event WHERE kind = 'forecast' AND campaign_id = 2\" --db known.db",
              0, wanted, "");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
int main(void) {
  const struct CMUnitTest tests[] = {TEST(border_of_sliding),    TEST(border_of_the_plateau),
                                     TEST(border_of_stick_slip), TEST(shipped_campaigns_are_sound),
                                     TEST(unknown_pair),         TEST(known_pair)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
