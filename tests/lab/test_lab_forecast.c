/* The forecast of a campaign: every border against its closed form, remedies that help, sentences, and where
 * the expected forces are from. */
#include "cb_num.h"
#include "cbtest.h"
#include "fit_forecast_smooth.h"
#include "lab_forecast.h"

#define GRAVITY CB_STANDARD_GRAVITY_M_PER_S2
#define CART_KG 0.013
#define K 500.0
#define SLACK_M 2e-3
#define MU_K 0.4
#define MU_S 0.5

typedef struct lab {
  char folder[256];
  cb_store *store;
  cb_rig rig; /* rigs/virtual.yaml with a guard that never stops */
} lab;

static int set_up(void **state) {
  char path[300];
  lab *l = calloc(1, sizeof *l);
  assert_non_null(l);
  cbt_scratch(l->folder);
  (void)snprintf(path, sizeof path, "%s/lab.db", l->folder);
  assert_ok(cb_store_open(path, CB_STORE_WRITE, &l->store, err));
  assert_ok(cb_rig_load(CB_SOURCE_DIR "/rigs/virtual.yaml", &l->rig, err));
  l->rig.bench.link_stiffness_N_per_m = K;
  l->rig.bench.link_slack_m = SLACK_M;
  l->rig.bench.cart_mass_kg = CART_KG;
  l->rig.force.overload_N = 1000;
  *state = l;
  return 0;
}

static int tear_down(void **state) {
  lab *l = *state;
  assert_ok(cb_store_close(l->store, err));
  cb_rig_clear(&l->rig);
  cbt_remove(l->folder);
  free(l);
  return 0;
}

/* F = mu N without any doubt. */
static void put_law(lab *l, const char *cloth, const char *body, cb_friction_kind kind, double mu,
                    cb_origin origin) {
  int64_t cloth_id, body_id;
  cb_friction_law law = {.kind = kind,
                         .form = CB_FORM_ISOTROPIC,
                         .origin = origin,
                         .contact_area_m2 = l->rig.bench.contact_area_m2,
                         .n_knots = 1,
                         .knots = {{.normal_force_N = 1, .f_N = {mu, 0, mu}}},
                         .model = CB_MODEL_COULOMB,
                         .exponent = 1,
                         .dof = INFINITY,
                         .speed_m_per_s = NAN};
  (void)snprintf(law.cloth, sizeof law.cloth, "%s", cloth);
  (void)snprintf(law.body, sizeof law.body, "%s", body);
  assert_ok(cb_store_material_ensure(l->store, CB_CLOTH, cloth, origin, &cloth_id, err));
  assert_ok(cb_store_material_ensure(l->store, CB_BODY, body, origin, &body_id, err));
  assert_ok(cb_store_law_put(l->store, &law, cloth_id, body_id, NULL, 0, "test", "{}", err));
}

static void put_pair(lab *l) {
  put_law(l, "Twill", "Foam", CB_FRICTION_KINETIC, MU_K, CB_VIRTUAL);
  put_law(l, "Twill", "Foam", CB_FRICTION_STATIC, MU_S, CB_VIRTUAL);
}

static const lab_forecast_plan usual = {
    .cloth = "Twill", .body = "Foam", .travel_m = 15e-3, .speed_m_per_s = 10e-3};

static void make_forecast(cb_store *s, const cb_rig *rig, const lab_forecast_plan *plan,
                          lab_forecast_cell *cells, size_t n, lab_forecast *out) {
  lab_known_laws known;
  assert_ok(lab_known_laws_read(s, &known, err));
  assert_ok(lab_forecast_make(s, &known, rig, plan, cells, n, out, err));
  lab_known_laws_clear(&known);
}

/* One cell under this load. */
static lab_forecast_cell forecast_at(lab *l, const lab_forecast_plan *plan, double normal_N,
                                     lab_forecast *out) {
  static lab_forecast_cell cell;
  cell = (lab_forecast_cell){
      .angle_deg = 30, .body_angle_deg = NAN, .added_mass_kg = normal_N / GRAVITY - CART_KG};
  make_forecast(l->store, &l->rig, plan, &cell, 1, out);
  assert_near(cell.normal_force_N, normal_N, 1e-12 * normal_N);
  return cell;
}

/* At the load where a trouble reaches a grade it has that grade, and a lower one just below. */
static void expect_border(lab *l, lab_trouble trouble, lab_grade grade, double normal_N) {
  lab_forecast f;
  const lab_grade below = forecast_at(l, &usual, normal_N * (1 - 1e-9), &f).grade[trouble];
  const lab_grade above = forecast_at(l, &usual, normal_N * (1 + 1e-9), &f).grade[trouble];
  if (above != grade || below >= grade)
    fail_msg("%s at %g N: grade %d, below %d, %d was wanted", lab_trouble_names[trouble], normal_N, above,
             below, grade);
}

/* By the pair's law: 80 % of its force at least, 120 % at most. */
static void test_borders_of_sliding(void **state) {
  lab *l = *state;
  put_pair(l);
  const double stretch_N = K * (usual.travel_m - SLACK_M), mu_late = MU_S - 0.35 * MU_K;
  expect_border(l, LAB_NO_SLIDE, LAB_POSSIBLE, stretch_N / (1.2 * MU_S));
  expect_border(l, LAB_NO_SLIDE, LAB_LIKELY, stretch_N / MU_S);
  expect_border(l, LAB_NO_SLIDE, LAB_CERTAIN, stretch_N / (0.8 * MU_S));
  expect_border(l, LAB_SLIDES_LATE, LAB_POSSIBLE, 0.3 * stretch_N / (1.2 * mu_late));
  expect_border(l, LAB_SLIDES_LATE, LAB_LIKELY, 0.3 * stretch_N / mu_late);
}

static void test_borders_without_knowledge(void **state) {
  lab *l = *state;
  const double stretch_N = K * (usual.travel_m - SLACK_M);
  expect_border(l, LAB_NO_SLIDE, LAB_POSSIBLE, stretch_N / 1.25);
  expect_border(l, LAB_NO_SLIDE, LAB_LIKELY, stretch_N / (1.25 * sqrt(0.3)));
  expect_border(l, LAB_NO_SLIDE, LAB_CERTAIN, stretch_N / 0.05);
}

/* Peak under `times` the pair's forces. */
static double peak_N(double normal_N, double times) {
  const double drop_N = (MU_S - MU_K) * normal_N * times,
               inert_N = usual.speed_m_per_s * sqrt(K * normal_N / GRAVITY);
  return MU_K * normal_N * times + hypot(drop_N, inert_N);
}

static void test_borders_of_force(void **state) {
  lab *l = *state;
  put_pair(l);
  static const double times[] = {1.2, 1, 0.8};
  for (int i = 0; i < 3; i++) {
    const lab_grade grade = (lab_grade)(LAB_POSSIBLE + i);
    l->rig.force.overload_N = peak_N(7, times[i]);
    expect_border(l, LAB_OVERLOAD, grade, 7);
    l->rig.force.overload_N = 1000;
    l->rig.stage.max_force_N = peak_N(7, times[i]);
    expect_border(l, LAB_WEAK_STAGE, grade, 7);
    l->rig.stage.max_force_N = 0;
  }
}

/* As many readings as the window holds, and as much braking in it as the mean bears. */
static void test_borders_of_the_window(void **state) {
  lab *l = *state;
  lab_forecast f;
  put_pair(l);
  const double peak_m = SLACK_M + MU_S * 2 / K, peak_least_m = SLACK_M + 0.8 * MU_S * 2 / K,
               way_m = 0.95 * usual.travel_m - peak_m - 0.3 * (usual.travel_m - peak_m),
               way_most_m = 0.95 * usual.travel_m - peak_least_m - 0.3 * (usual.travel_m - peak_least_m);
  for (int side = -1; side <= 1; side += 2) {
    l->rig.force.rate_Hz = 16 * usual.speed_m_per_s / way_m * (1 + side * 1e-9);
    assert_int_equal(forecast_at(l, &usual, 2, &f).grade[LAB_FEW_READINGS],
                     side < 0 ? LAB_LIKELY : LAB_NO_TROUBLE);
    l->rig.force.rate_Hz = 8 * usual.speed_m_per_s / way_most_m * (1 + side * 1e-9);
    assert_int_equal(forecast_at(l, &usual, 2, &f).grade[LAB_FEW_READINGS],
                     side < 0 ? LAB_CERTAIN : LAB_LIKELY);
    lab_forecast_plan plan = usual;
    l->rig.force.rate_Hz = 400;
    plan.speed_m_per_s = sqrt(2 * l->rig.stage.acceleration_m_per_s2 * 0.05 * usual.travel_m);
    l->rig.force.rate_Hz = 20;
    (void)forecast_at(l, &usual, 2, &f);
    lab_forecast_plan slow = usual;
    slow.speed_m_per_s = f.readable_m_per_s * (1 + side * 1e-9);
    assert_int_equal(forecast_at(l, &slow, 2, &f).grade[LAB_FEW_READINGS],
                     side < 0 ? LAB_NO_TROUBLE : LAB_LIKELY);
    l->rig.force.rate_Hz = 400;
    plan.speed_m_per_s *= 1 + (side < 0 ? 0 : 0.5); /* from the border on it brakes in the window */
    assert_int_equal(forecast_at(l, &plan, 2, &f).grade[LAB_BRAKES], side < 0 ? LAB_NO_TROUBLE : LAB_LIKELY);
  }
}

/* The damping that makes the pair's pull under this load smooth, and just not. */
static void test_border_of_stick_slip(void **state) {
  lab *l = *state;
  put_pair(l);
  const double normal_N = 5, root = sqrt(K * normal_N / GRAVITY),
               wanted = usual.speed_m_per_s * root / ((MU_S - MU_K) * normal_N);
  double low = 0, high = 1;
  for (int i = 0; i < 60; i++) {
    const double mid = 0.5 * (low + high);
    if (fit_forecast_smooth_factor(mid) > wanted)
      low = mid;
    else
      high = mid;
  }
  lab_forecast f;
  l->rig.bench.link_damping_Ns_per_m = 2 * low * root * (1 + 1e-6);
  assert_int_equal(forecast_at(l, &usual, normal_N, &f).grade[LAB_STICK_SLIP], LAB_NO_TROUBLE);
  l->rig.bench.link_damping_Ns_per_m = 2 * low * root * (1 - 1e-6);
  assert_int_equal(forecast_at(l, &usual, normal_N, &f).grade[LAB_STICK_SLIP], LAB_LIKELY);
  l->rig.bench.link_damping_Ns_per_m = 0; /* not known: 0.2 of critical, and less sure */
  lab_forecast_plan plan = usual;
  plan.speed_m_per_s = (MU_S - MU_K) * normal_N / root * fit_forecast_smooth_factor(0.2) * (1 - 1e-6);
  assert_int_equal(forecast_at(l, &plan, normal_N, &f).grade[LAB_STICK_SLIP], LAB_POSSIBLE);
  plan.speed_m_per_s *= 1 + 2e-6;
  assert_int_equal(forecast_at(l, &plan, normal_N, &f).grade[LAB_STICK_SLIP], LAB_NO_TROUBLE);
}

/* Whoever does what is said has the trouble no more. */
static void test_remedies_help(void **state) {
  lab *l = *state;
  put_pair(l);
  lab_forecast f, after;
  (void)forecast_at(l, &usual, 9, &f);
  assert_true(f.travel_wanted_m > usual.travel_m && f.stiffness_wanted_N_per_m > K);
  for (int i = 0; i < 2; i++) {
    lab_forecast_plan plan = usual;
    if (i == 0) plan.travel_m = f.travel_wanted_m * (1 + 1e-9);
    if (i == 1) l->rig.bench.link_stiffness_N_per_m = f.stiffness_wanted_N_per_m * (1 + 1e-9);
    const lab_forecast_cell c = forecast_at(l, &plan, 9, &after);
    assert_true(c.grade[LAB_NO_SLIDE] == LAB_NO_TROUBLE && c.grade[LAB_SLIDES_LATE] == LAB_NO_TROUBLE);
  }
  l->rig.bench.link_stiffness_N_per_m = K;
  assert_true(f.smooth_speed_m_per_s > usual.speed_m_per_s);
  lab_forecast_plan plan = usual;
  plan.speed_m_per_s = f.smooth_speed_m_per_s * (1 + 1e-9);
  assert_int_equal(forecast_at(l, &plan, 9, &after).grade[LAB_STICK_SLIP], LAB_NO_TROUBLE);
}

/* Real laws are not for a virtual rig, nor the other way about. */
static void test_sources(void **state) {
  lab *l = *state;
  lab_forecast f;
  assert_near(forecast_at(l, &usual, 2, &f).kinetic.mid_N, 2 * sqrt(0.3), 1e-12);
  assert_int_equal(f.from, LAB_EXPECTED_ASSUMED);
  put_law(l, "Twill", "Wood", CB_FRICTION_KINETIC, 0.9, CB_MEASURED);
  (void)forecast_at(l, &usual, 2, &f);
  assert_int_equal(f.from, LAB_EXPECTED_ASSUMED);
  put_law(l, "Twill", "Steel", CB_FRICTION_KINETIC, 0.2, CB_VIRTUAL);
  put_law(l, "Satin", "Foam", CB_FRICTION_KINETIC, 0.8, CB_VIRTUAL);
  put_law(l, "Satin", "Steel", CB_FRICTION_KINETIC, 0.1, CB_VIRTUAL); /* has nothing to do with it */
  lab_forecast_cell c = forecast_at(l, &usual, 2, &f);
  assert_int_equal(f.from, LAB_EXPECTED_OTHERS);
  assert_int_equal(f.n_others, 2);
  assert_near(c.kinetic.low_N, 0.2 * 2 / 1.5, 1e-9);
  assert_near(c.kinetic.mid_N, 0.4 * 2, 1e-9);
  assert_near(c.kinetic.high_N, 0.8 * 2 * 1.5, 1e-9);
  assert_true(!f.has_static);
  assert_near(c.stat.mid_N, 1.25 * 0.8, 1e-9);
  put_pair(l);
  c = forecast_at(l, &usual, 2, &f);
  assert_int_equal(f.from, LAB_EXPECTED_PAIR);
  assert_true(f.has_static);
  assert_near(c.stat.mid_N, MU_S * 2, 1e-9);
  assert_near(c.kinetic.low_N, 0.8 * MU_K * 2, 1e-6);
  make_forecast(NULL, &l->rig, &usual, &c, 1, &f); /* no database */
  assert_int_equal(f.from, LAB_EXPECTED_ASSUMED);
}

/* A law for one angle of the body makes nothing certain at others. */
static void test_body_angle(void **state) {
  lab *l = *state;
  lab_forecast f;
  put_pair(l);
  lab_forecast_cell c = {.body_angle_deg = 45, .added_mass_kg = 5};
  make_forecast(l->store, &l->rig, &usual, &c, 1, &f);
  assert_int_equal(c.grade[LAB_NO_SLIDE], LAB_LIKELY);
  c = (lab_forecast_cell){.body_angle_deg = NAN, .added_mass_kg = 5};
  make_forecast(l->store, &l->rig, &usual, &c, 1, &f);
  assert_int_equal(c.grade[LAB_NO_SLIDE], LAB_CERTAIN);
}

static void expect_text(const lab_forecast *f, lab_trouble trouble, lab_grade grade, const char *wanted) {
  char text[LAB_FORECAST_TEXT];
  assert_int_equal(lab_forecast_say(f, trouble, text), grade);
  assert_string_equal(text, wanted);
}

static void test_sentences(void **state) {
  lab *l = *state;
  lab_forecast f;
  lab_forecast_cell c[8];
  static const double masses[] = {0.2, 0.5, 2, 3};
  put_pair(l);
  for (int i = 0; i < 8; i++)
    c[i] = (lab_forecast_cell){
        .angle_deg = i < 4 ? 0 : 90, .body_angle_deg = NAN, .added_mass_kg = masses[i % 4]};
  l->rig.bench.link_damping_Ns_per_m = 100; /* no stick-slip */
  make_forecast(l->store, &l->rig, &usual, c, 8, &f);
  /* F_s - 0.35 F_k = 0.36 N, N = 29.55 N, times 1.2, over 0.3 k: 85.1 mm, and 2 mm of slack. */
  expect_text(
      &f, LAB_NO_SLIDE, LAB_CERTAIN,
      "4 of 8 cells cannot slide within 15 mm: 0, 90 deg with 2000, 3000 g (by this pair's friction); "
      "a link of 3300 N/m or at most 200 g would do; a travel of 88 mm is more than the 80 mm of the "
      "stage");
  expect_text(&f, LAB_STICK_SLIP, LAB_NO_TROUBLE, "");
  lab_forecast_plan plan = usual;
  plan.travel_m = 40e-3;
  make_forecast(l->store, &l->rig, &plan, c, 7, &f);
  expect_text(
      &f, LAB_SLIDES_LATE, LAB_LIKELY,
      "3 of 7 cells will probably break away too late for a plateau within 40 mm: 0 deg with 2000, "
      "3000 g; 90 deg with 2000 g (by this pair's friction); a link of 1200 N/m or at most 500 g would "
      "do; a travel of 88 mm is more than the 80 mm of the stage");
  l->rig.stage.limit_max_m = 0.2;
  l->rig.force.overload_N = 5;
  plan.speed_m_per_s = 1e-6;
  make_forecast(l->store, &l->rig, &plan, c, 4, &f);
  expect_text(
      &f, LAB_SLIDES_LATE, LAB_LIKELY,
      "2 of 4 cells will probably break away too late for a plateau within 40 mm: 0 deg with 2000, "
      "3000 g (by this pair's friction); a travel of 88 mm, a link of 1200 N/m or at most 500 g would "
      "do");
  expect_text(&f, LAB_OVERLOAD, LAB_CERTAIN,
              "2 of 4 cells will go beyond force.overload_N = 5, where the guard stops the stage: 0 deg with "
              "2000, 3000 g (by this pair's friction); at most 500 g would do; up to 18 N can come");
  plan = usual;
  plan.calibrated_N = 2;
  plan.speed_m_per_s = 50e-3;
  l->rig.force.rate_Hz = 20;
  make_forecast(l->store, &l->rig, &plan, c, 1, &f);
  expect_text(&f, LAB_UNCALIBRATED_FORCE, LAB_NO_TROUBLE, "");
  expect_text(
      &f, LAB_FEW_READINGS, LAB_CERTAIN,
      "1 of 1 cell will have too few readings in the plateau, at 20 Hz and 50 mm/s: 0 deg with 200 g (by "
      "this pair's friction); at most 8.6 mm/s would do");
  expect_text(
      &f, LAB_BRAKES, LAB_LIKELY,
      "1 of 1 cell will probably have a plateau in which the stage brakes from 50 mm/s: 0 deg with 200 g "
      "(by this pair's friction); at most 27 mm/s or a travel of 50 mm would do");
  make_forecast(l->store, &l->rig, &plan, c, 2, &f);
  expect_text(
      &f, LAB_UNCALIBRATED_FORCE, LAB_LIKELY,
      "1 of 2 cells will probably go beyond the 2 N that are calibrated: 0 deg with 500 g (by this pair's "
      "friction); at most 200 g would do; up to 3.5 N can come");
}

/* However many cells: one sentence that fits. */
static void test_many_cells(void **state) {
  lab *l = *state;
  lab_forecast f;
  char text[LAB_FORECAST_TEXT];
  static lab_forecast_cell c[64 * 20];
  for (int i = 0; i < 64 * 20; i++)
    c[i] = (lab_forecast_cell){.angle_deg = i / 20 * 2.718281828,
                               .body_angle_deg = 1.41421356 * (i / 20),
                               .added_mass_kg = (i % 3 ? 3.14159 : 0.1) * (1 + i / 20 + i % 20)};
  make_forecast(l->store, &l->rig, &usual, c, 64 * 20, &f);
  assert_true(lab_forecast_say(&f, LAB_NO_SLIDE, text) == LAB_CERTAIN);
  assert_non_null(strstr(text, "..."));
  assert_non_null(strstr(text, "is assumed)"));
  assert_true(strlen(text) < LAB_FORECAST_TEXT - 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_borders_of_sliding),
      TEST(test_borders_without_knowledge),
      TEST(test_borders_of_force),
      TEST(test_border_of_stick_slip),
      TEST(test_borders_of_the_window),
      TEST(test_remedies_help),
      TEST(test_sources),
      TEST(test_body_angle),
      TEST(test_sentences),
      TEST(test_many_cells),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
