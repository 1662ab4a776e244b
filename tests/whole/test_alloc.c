/* Allocation failure (alloctest.h) in what reads texts and computes. */
#include "alloctest.h"

#include "cb_csv.h"
#include "cb_pack.h"
#include "daq_campaign.h"
#include "daq_weights.h"
#include "fit_calibration.h"
#include "fit_friction.h"
#include "fit_plan.h"
#include "live.h"
#include "vrig.h"

#define RIGS CB_SOURCE_DIR "/rigs/"

/* ---- texts ---- */

static cb_status read_csv(void *context, cb_err *err) {
  (void)context;
  char text[4000] = "a,b\n";
  cb_csv *csv;
  for (int i = 0; i < 300; i++) strcat(text, "1,\"2\"\n");
  cb_csv_options o = cb_csv_options_default();
  cb_status st = cb_csv_parse(text, strlen(text), "t", &o, &csv, err);
  if (st == CB_OK) assert_int_equal(cb_csv_rows(csv), 300);
  cb_csv_free(csv);
  return st;
}

static cb_status read_rig(void *context, cb_err *err) {
  cb_rig rig;
  cb_status st = cb_rig_parse(context, "r", &rig, err);
  if (st == CB_OK) assert_string_equal(rig.text, context);
  cb_rig_clear(&rig);
  return st;
}

static cb_status read_campaign(void *context, cb_err *err) {
  daq_campaign c;
  cb_status st = daq_campaign_load(RIGS "campaign-d1894.yaml", context, &c, err);
  if (st == CB_OK) {
    assert_string_equal(cb_standard_names[c.preset], "astm-d1894");
    assert_int_equal(c.repeats, 5);
    assert_non_null(strstr(c.text, "preset: astm-d1894"));
  }
  daq_campaign_clear(&c);
  return st;
}

static cb_status read_weights(void *context, cb_err *err) {
  (void)context;
  daq_weights w;
  cb_status st = daq_weights_load(RIGS "weights-demo.yaml", &w, err);
  if (st == CB_OK) assert_true(w.n_weights > 0 && w.n_loads >= 5 && strstr(w.text, "conventional"));
  daq_weights_clear(&w);
  return st;
}

static void texts(void **state) {
  (void)state;
  char *text;
  size_t n;
  cb_rig rig;
  assert_true(at_sweep(read_csv, NULL) > 4);
  assert_ok(cb_file_read(CB_SOURCE_DIR "/tests/fuzz/corpus/rig/good", 1 << 20, &text, &n, err));
  assert_int_equal(at_sweep(read_rig, text), 4); /* document, its name, its text; the rig's text */
  free(text);
  assert_ok(cb_rig_load(RIGS "virtual-d1894.yaml", &rig, err));
  assert_true(at_sweep(read_campaign, &rig) >= 4);
  cb_rig_clear(&rig);
  assert_true(at_sweep(read_weights, NULL) >= 4);
}

/* ---- columns ---- */

#define N_VALUES 5000

/* There and back, by the paths of whole numbers with zstd and of bits without. */
static cb_status pack_and_unpack(void *context, cb_err *err) {
  static double v[N_VALUES], back[N_VALUES];
  static unsigned char bytes[CB_PACK_HEADER + 8 * N_VALUES];
  const bool *irrational = context;
  size_t size, used;
  for (int i = 0; i < N_VALUES; i++) v[i] = *irrational ? sqrt(i) : i / 100 / 1e3, back[i] = NAN;
  CB_TRY(cb_pack(v, N_VALUES, bytes, &size, err));
  CB_TRY(cb_unpack(bytes, size, N_VALUES, back, &used, err));
  assert_int_equal(used, size);
  assert_memory_equal(back, v, sizeof v);
  return CB_OK;
}

static void columns(void **state) {
  (void)state;
  assert_true(at_sweep(pack_and_unpack, &(bool){false}) >= 4);
  assert_true(at_sweep(pack_and_unpack, &(bool){true}) >= 3);
}

/* ---- calibration ---- */

#define LOADS 5
#define CYCLES 3
#define POINTS (CYCLES * 2 * LOADS)

/* Reading = 1 + 2 F, from zero up to full load, down to zero. */
static size_t weigh(cb_calibration_point p[POINTS + CYCLES]) {
  size_t n = 0;
  for (int c = 1; c <= CYCLES; c++)
    for (int i = 0; i <= 2 * LOADS; i++) {
      int load = i <= LOADS ? i : 2 * LOADS - i;
      cb_calibration_direction way = load == 0 ? CB_CAL_ZERO : i <= LOADS ? CB_CAL_UP : CB_CAL_DOWN;
      p[n] = (cb_calibration_point){
          .cycle = c, .direction = way, .force_N = load, .reading = 1 + 2.0 * load, .t_s = 10.0 * (double)n};
      n++;
    }
  return n;
}

static cb_status fit(void *context, cb_err *err) {
  cb_calibration_point p[POINTS + CYCLES];
  fit_calibration_input in = {.points = p,
                              .n = weigh(p),
                              .resolution = 1e-3,
                              .k_weights = 2,
                              .gravity_m_per_s2 = 9.8,
                              .air_density_kg_per_m3 = 1.2,
                              .weight_density_kg_per_m3 = 8000};
  fit_calibration out;
  (void)context;
  CB_TRY(fit_calibration_make(&in, &out, err));
  assert_near(out.slope_N_per_unit, 0.5, 1e-12);
  return CB_OK;
}

static void calibration(void **state) {
  (void)state;
  assert_true(at_sweep(fit, NULL) >= 1);
}

/* ---- a friction law, one of whose runs may not belong ---- */

static cb_status fit_pair(void *context, cb_err *err) {
  cb_friction_obs obs[18] = {{.u_rel_calibration = 0}};
  fit_friction_options opt = {0};
  static fit_friction_result r;
  (void)context;
  for (int i = 0; i < 18; i++) {
    double N = 0.5 * (1 + i / 3);
    obs[i].run = (cb_run){.id = i + 1,
                          .angle_deg = 45 * (i % 3),
                          .normal_force_N = N,
                          .contact_area_m2 = 0.005,
                          .speed_m_per_s = 0.01};
    obs[i].point.kinetic_N = (i == 7 ? 0.8 : 0.5) * N * (1 + 1e-3 * (i % 5));
    obs[i].point.static_N = 1.2 * obs[i].point.kinetic_N;
  }
  CB_TRY(fit_friction(obs, 18, "C", "B", &opt, &r, err));
  assert_int_equal(r.kinetic.n_doubtful, 1);
  return CB_OK;
}

static void friction(void **state) {
  (void)state;
  assert_true(at_sweep(fit_pair, NULL) >= 12);
}

/* ---- the view and the virtual rig ---- */

static cb_status watch(void *context, cb_err *err) {
  const live_plan plan = {.slope_N_per_unit = 1,
                          .cart_mass_kg = 0.1,
                          .travel_m = 0.02,
                          .speed_m_per_s = 0.01,
                          .time_scale = 1,
                          .repeats = 1};
  const live_options options = {.terminal = *(const int *)context};
  const live_moment moment = {.phase = LIVE_ZEROING, .total = 1};
  live *v;
  cb_status st = live_start(&plan, &options, &v, err);
  assert_true((st == CB_OK) == (v != NULL));
  live_say(v, &moment);
  live_sample(v, LIVE_FORCE, 1);
  live_stop(v);
  return st;
}

static void view(void **state) {
  (void)state;
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  assert_true(nowhere >= 0);
  assert_int_equal(at_sweep(watch, &nowhere), 1);
  (void)close(nowhere);
}

static cb_status emulate(void *context, cb_err *err) {
  vrig *v;
  cb_status st = vrig_open(context, &v, err);
  assert_true((st == CB_OK) == (v != NULL));
  vrig_close(v);
  return st;
}

static void virtual_rig(void **state) {
  (void)state;
  static const char *const files[] = {"virtual.yaml",     "virtual-grbl.yaml", "virtual-smc100.yaml",
                                      "virtual-esm.yaml", "virtual-gcs.yaml",  "virtual-apt.yaml"};
  for (size_t i = 0; i < COUNT(files); i++) {
    char path[512];
    cb_rig rig;
    (void)snprintf(path, sizeof path, RIGS "%s", files[i]);
    assert_ok(cb_rig_load(path, &rig, err));
    assert_true(at_sweep(emulate, &rig) >= 3);
    cb_rig_clear(&rig);
  }
}

/* Repeats in three directions under one load, then two more loads. */
static cb_status plan_runs(void *context, cb_err *err) {
  static cb_friction_obs obs[15];
  static fit_friction_result known;
  const double loads_N[] = {1, 1, 1, 0.3, 3};
  fit_friction_options none = {0};
  fit_plan_options o = {.n_angles = 3,
                        .n_loads = 3,
                        .angles_deg = {0, 45, 90},
                        .loads_N = {0.3, 1, 3},
                        .from_N = 0.3,
                        .to_N = 3};
  o.max_pulls = 6, o.pulls_per_repeat = 1, o.pull_s = 10;
  for (int i = 0; i < 15; i++)
    obs[i] = (cb_friction_obs){
        .run = {.id = i + 1,
                .angle_deg = 45 * (i / 5),
                .normal_force_N = loads_N[i % 5],
                .contact_area_m2 = 0.005,
                .direction = 1},
        .point = {
            .static_N = NAN, .kinetic_N = 0.5 * loads_N[i % 5] * (1 + 0.01 * (i % 3)), .mu_reported = NAN}};
  CB_TRY(fit_friction(obs, 15, "C", "B", &none, &known, err));
  return fit_plan_next(obs, 15, &known, &o, context, err);
}

static void plan(void **state) {
  (void)state;
  fit_plan p;
  assert_true(at_sweep(plan_runs, &p) > 8); /* the fit, and two fields of two arrays */
  assert_int_equal(p.stage, FIT_PLAN_REFINE);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texts),       cmocka_unit_test(columns),
                                     cmocka_unit_test(calibration), cmocka_unit_test(friction),
                                     cmocka_unit_test(view),        cmocka_unit_test(virtual_rig),
                                     cmocka_unit_test(plan)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
