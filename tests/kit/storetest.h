/* What the tests of the store share: an open lab.db in a folder of its own, raw SQL, and a run to hang things
 * on. */
#ifndef STORETEST_H
#define STORETEST_H

#include <sqlite3.h>
#include <unistd.h>

#include "cb_store.h"
#include "cbtest.h"
#include "storeedit.h"

typedef struct store_fixture {
  char db[400];
  cb_store *s;
} store_fixture;

static inline int store_set_up(void **state) {
  store_fixture *f = calloc(1, sizeof *f);
  cbt_folder_set_up(state);
  (void)cbt_path("lab.db", f->db);
  assert_ok(cb_store_open(f->db, CB_STORE_WRITE, &f->s, err));
  *state = f;
  return 0;
}

static inline int store_tear_down(void **state) {
  store_fixture *f = *state;
  assert_ok(cb_store_close(f->s, err));
  cbt_folder_tear_down(state);
  free(f);
  return 0;
}

static inline void store_exec(const char *db, const char *sql, const char *expect) {
  sqlite3 *h;
  char *msg = NULL;
  assert_int_equal(sqlite3_open(db, &h), SQLITE_OK);
  sqlite3_exec(h, sql, NULL, NULL, &msg);
  if (!expect && msg) fail_msg("%s: %s", sql, msg);
  if (expect && (!msg || !strstr(msg, expect)))
    fail_msg("%s: '%s' was wanted, got '%s'", sql, expect, msg ? msg : "no error");
  sqlite3_free(msg);
  sqlite3_close(h);
}

static inline void store_copy(const char *from, const char *to) {
  char sql[1000];
  unlink(to);
  (void)snprintf(sql, sizeof sql, "VACUUM INTO '%s'", to);
  store_exec(from, sql, NULL);
}

/* A campaign with one run of a pair; origin as asked. */
static inline cb_run store_make_run(cb_store *s, cb_origin origin) {
  cb_run run = {.kind = CB_RUN_PULL,
                .angle_deg = 45,
                .cart_mass_kg = 0.013,
                .added_mass_kg = 0.1,
                .normal_force_N = 1.108,
                .u_normal_force_N = 0.001,
                .contact_area_m2 = 0.005,
                .speed_m_per_s = 0.01,
                .travel_m = 0.025,
                .direction = -1,
                .repeat = 2,
                .rate_Hz = 200,
                .origin = origin,
                .source = "bench",
                .status = CB_RUN_RUNNING};
  cb_campaign c = {.name = "test",
                   .kind = CB_CAMPAIGN_FRICTION,
                   .plan_text = "plan",
                   .operator_name = "me",
                   .temperature_degC = 20.5,
                   .humidity_percent = NAN,
                   .origin = origin};
  cb_calibration cal = {.unit = "mV/V",
                        .slope_N_per_unit = 2,
                        .u_rel = 0.002,
                        .resolution_N = 1e-4,
                        .certificate = "W-1",
                        .valid_from = "2026-01-01"};
  assert_ok(cb_store_material_ensure(s, CB_CLOTH, "Twill", origin, &run.cloth_id, err));
  assert_ok(cb_store_material_ensure(s, CB_BODY, "Foam", origin, &run.body_id, err));
  assert_ok(cb_store_rig_ensure(s, "bench", "name: bench\n", &run.rig_id, err));
  cal.rig_id = run.rig_id;
  assert_ok(cb_store_calibration_ensure(s, &cal, err));
  run.calibration_id = cal.id;
  c.cloth_id = run.cloth_id, c.body_id = run.body_id, c.rig_id = run.rig_id;
  assert_ok(cb_store_campaign_put(s, &c, err));
  run.campaign_id = c.id;
  assert_ok(cb_store_run_put(s, &run, err));
  return run;
}

#define STORE_TEST(f) cmocka_unit_test_setup_teardown(f, store_set_up, store_tear_down)

#endif
