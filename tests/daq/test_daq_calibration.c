/* Which calibration is in force, on which day, for which cell; and that a stored one comes back whole. */
#include "cbtest.h"
#include "daq_calibration.h"
#include "cb_store_rows_impl.h"

typedef struct fixture {
  char db[400];
  cb_store *s;
  cb_rig rig;
  daq_calibration c;
  int64_t rig_id;
} fixture;

static int set_up(void **state) {
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  cbt_folder_set_up(state);
  (void)cbt_path("t.db", f->db);
  assert_ok(cb_store_open(f->db, CB_STORE_WRITE, &f->s, err));
  assert_ok(cb_store_rig_ensure(f->s, "bench", "text", &f->rig_id, err));
  strcpy(f->rig.name, "bench");
  strcpy(f->rig.path, "bench.yaml");
  strcpy(f->rig.force.cell, "LC-1");
  strcpy(f->rig.force.unit, "mV/V");
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  assert_ok(cb_store_check(f->s, NULL, err));
  assert_ok(cb_store_close(f->s, err));
  cbt_folder_tear_down(state);
  free(f);
  return 0;
}

static void declare(fixture *f) {
  f->rig.calibration = (cb_rig_calibration){.present = true,
                                            .slope_N_per_unit = -2,
                                            .u_rel = 0.01,
                                            .resolution = 0.001,
                                            .certificate = "D",
                                            .valid_from = "2026-01-01",
                                            .valid_days = 365};
}

static int64_t put(fixture *f, const char *cell, const char *unit, cb_origin origin, double slope) {
  double t[] = {1, 2, 3}, v[] = {0.5, 0.25, -1e300};
  const cb_calibration_point p = {.step = 1,
                                  .cycle = 1,
                                  .direction = CB_CAL_UP,
                                  .mass_kg = 0.1,
                                  .force_N = 0.98,
                                  .reading = 0.4,
                                  .sd = 0.1,
                                  .n = 3,
                                  .t_s = 2,
                                  .raw = {.n = 3, .t_s = t, .v = v}};
  cb_calibration c = {.rig_id = f->rig_id,
                      .origin = origin,
                      .slope_N_per_unit = slope,
                      .u_rel = 1e-4,
                      .u_floor_N = 1e-3,
                      .dof = 17.5,
                      .resolution_N = 0.01,
                      .valid_from = "2026-06-01",
                      .valid_until = "2027-06-01",
                      .certificate = "W",
                      .creep_N = NAN,
                      .gravity_m_per_s2 = 9.81,
                      .temperature_degC = NAN,
                      .nonlinearity_N = 3e-4};
  (void)snprintf(c.cell, sizeof c.cell, "%s", cell);
  (void)snprintf(c.unit, sizeof c.unit, "%s", unit);
  assert_ok(cb_store_calibration_put(f->s, &c, &p, 1, "weights", "{\"entries\":[]}", err));
  return c.id;
}

static void stored_whole(void **state) {
  fixture *f = *state;
  int64_t id = put(f, "LC-1", "mV/V", CB_MEASURED, 3);
  cb_calibration c;
  cb_calibration_point *p;
  cb_series raw;
  char *budget;
  size_t n;
  assert_ok(cb_store_calibration_get(f->s, id, &c, err));
  assert_int_equal(c.kind, CB_CALIBRATION_MEASURED);
  assert_string_equal(c.rig_name, "bench");
  assert_true(c.dof == 17.5 && c.u_floor_N == 1e-3 && c.nonlinearity_N == 3e-4 && isnan(c.creep_N) &&
              isnan(c.temperature_degC));
  assert_true(c.gravity_m_per_s2 == 9.81 && c.air_density_kg_per_m3 == 0 && c.created_at[0] != '\0');
  assert_near(cb_calibration_u_N(&c, 30), sqrt(9e-6 + 1e-6), 1e-15);
  assert_ok(cb_store_calibration_points(f->s, id, &p, &n, err));
  assert_int_equal(n, 1);
  assert_true(p[0].direction == CB_CAL_UP && p[0].force_N == 0.98 && p[0].n == 3);
  free(p);
  assert_ok(cb_store_calibration_raw(f->s, id, 1, &raw, err));
  assert_true(raw.n == 3 && raw.t_s[2] == 3 && raw.v[2] == -1e300);
  cb_series_clear(&raw);
  assert_fails(CB_E_NOTFOUND, "has no step 2", cb_store_calibration_raw(f->s, id, 2, &raw, err));
  assert_ok(cb_store_calibration_budget(f->s, id, &budget, err));
  assert_string_equal(budget, "{\"entries\":[]}");
  free(budget);
}

static void declared_one(void **state) {
  fixture *f = *state;
  declare(f);
  assert_ok(daq_calibration_choose(f->s, &f->rig, "2026-11-21", false, &f->c, err));
  assert_true(f->c.row.id == 0 && f->c.row.slope_N_per_unit == -2 && !f->c.flag);
  assert_near(f->c.row.resolution_N, 0.002, 1e-15);
  assert_string_equal(f->c.row.valid_until, "2027-01-01");
  /* The first and the last day count. */
  assert_ok(daq_calibration_choose(f->s, &f->rig, "2026-01-01", false, &f->c, err));
  assert_ok(daq_calibration_choose(f->s, &f->rig, "2027-01-01", false, &f->c, err));
  assert_fails(CB_E_RANGE,
               "the calibration that the rig file declares was valid until 2027-01-01, today is 2027-01-02",
               daq_calibration_choose(f->s, &f->rig, "2027-01-02", false, &f->c, err));
  assert_fails(CB_E_RANGE, "is valid from 2026-01-01 on, today is 2025-12-31",
               daq_calibration_choose(f->s, &f->rig, "2025-12-31", false, &f->c, err));
  assert_ok(daq_calibration_choose(f->s, &f->rig, "2027-01-02", true, &f->c, err));
  assert_string_equal(f->c.flag, "calibration-expired");
  strcpy(f->rig.calibration.valid_from, "soon");
  assert_fails(CB_E_PARSE, "calibration.valid_from = 'soon': a date like",
               daq_calibration_choose(f->s, &f->rig, "2027-01-02", true, &f->c, err));
}

static void measured_goes_first(void **state) {
  fixture *f = *state;
  declare(f);
  put(f, "LC-1", "mV/V", CB_MEASURED, 3);
  put(f, "LC-1", "N", CB_MEASURED, 9);
  put(f, "LC-2", "mV/V", CB_MEASURED, 8);
  put(f, "LC-1", "mV/V", CB_VIRTUAL, 7);
  assert_ok(daq_calibration_choose(f->s, &f->rig, "2026-11-21", false, &f->c, err));
  assert_true(f->c.row.slope_N_per_unit == 3);
  daq_calibration_apply(&f->c, &f->rig);
  assert_true(f->rig.calibration.slope_N_per_unit == 3 && f->rig.calibration.u_rel == 1e-4);
  assert_near(f->rig.calibration.resolution, 0.01 / 3, 1e-15);
  int64_t newest = put(f, "LC-1", "mV/V", CB_MEASURED, 4);
  assert_ok(daq_calibration_choose(f->s, &f->rig, "2026-11-21", false, &f->c, err));
  assert_true(f->c.row.id == newest);
  assert_fails(CB_E_RANGE,
               "calibration 5 was valid until 2027-06-01, today is 2027-06-02: 'clothbench calibrate'",
               daq_calibration_choose(f->s, &f->rig, "2027-06-02", false, &f->c, err));
  f->rig.virt.present = true;
  assert_ok(daq_calibration_choose(f->s, &f->rig, "2026-11-21", false, &f->c, err));
  assert_true(f->c.row.slope_N_per_unit == 7);
}

static void missing(void **state) {
  fixture *f = *state;
  assert_fails(CB_E_NOTFOUND, "bench.yaml: there is no calibration of the force channel (cell LC-1, mV/V)",
               daq_calibration_choose(f->s, &f->rig, "2026-11-21", false, &f->c, err));
  /* Without any slope nothing could be stopped at a force. */
  assert_fails(CB_E_NOTFOUND, "there is no calibration",
               daq_calibration_choose(f->s, &f->rig, "2026-11-21", true, &f->c, err));
  put(f, "LC-2", "mV/V", CB_MEASURED, 8);
  assert_fails(CB_E_NOTFOUND, "calibration 1 is of cell LC-2, the rig file says LC-1",
               daq_calibration_choose(f->s, &f->rig, "2026-11-21", false, &f->c, err));
  assert_ok(daq_calibration_choose(f->s, &f->rig, "2026-11-21", true, &f->c, err));
  assert_string_equal(f->c.flag, "uncalibrated");
  assert_true(f->c.row.slope_N_per_unit == 8);
  /* Not that of another rig, though. */
  strcpy(f->rig.name, "other");
  assert_fails(CB_E_NOTFOUND, "there is no calibration",
               daq_calibration_choose(f->s, &f->rig, "2026-11-21", true, &f->c, err));
}

/* The schema's own word on it, whatever a program may try. */
static void real_runs_on_virtual_cells(void **state) {
  fixture *f = *state;
  int64_t real = put(f, "LC-1", "mV/V", CB_MEASURED, 3), played = put(f, "LC-1", "mV/V", CB_VIRTUAL, 3);
  char plan[] = "p";
  cb_campaign c = {.name = "t", .plan_text = plan};
  cb_run run = {
      .rig_id = f->rig_id, .contact_area_m2 = 1, .direction = 1, .repeat = 1, .status = CB_RUN_RUNNING};
  assert_ok(cb_store_material_ensure(f->s, CB_CLOTH, "C", CB_MEASURED, &run.cloth_id, err));
  assert_ok(cb_store_material_ensure(f->s, CB_BODY, "B", CB_MEASURED, &run.body_id, err));
  assert_ok(cb_store_campaign_put(f->s, &c, err));
  run.campaign_id = c.id;
  run.calibration_id = played;
  assert_fails(CB_E_DB, "a real run cannot rest on the calibration of a virtual cell",
               cb_store_run_put(f->s, &run, err));
  run.calibration_id = real;
  assert_ok(cb_store_run_put(f->s, &run, err));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(stored_whole), TEST(declared_one), TEST(measured_goes_first),
                                     TEST(missing), TEST(real_runs_on_virtual_cells)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
