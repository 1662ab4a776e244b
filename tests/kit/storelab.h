/* For tests of whole files: a folder with a database lab.db, one pair, one campaign, and runs with samples in
 * it. */
#ifndef STORELAB_H
#define STORELAB_H

#include "cbtest.h"

#include <dirent.h>
#include <sqlite3.h>

#include "cb_rng.h"
#include "cb_store.h"
#include "storeedit.h"

typedef struct store_lab {
  char folder[256], db[300];
  cb_store *store;
  cb_run like; /* what all runs share */
  int64_t run_id;
} store_lab;

/* In an open store. */
static inline void store_lab_fill(store_lab *l) {
  cb_campaign c = {.name = "lab",
                   .plan_text = (char[]){"plan"},
                   .temperature_degC = NAN,
                   .humidity_percent = NAN,
                   .origin = CB_MEASURED};
  cb_calibration cal = {
      .unit = "N", .slope_N_per_unit = 1, .u_rel = 0.001, .certificate = "W", .valid_from = "2026-01-01"};
  l->like =
      (cb_run){.contact_area_m2 = 1, .direction = 1, .repeat = 1, .rate_Hz = 1000, .origin = CB_MEASURED};
  assert_ok(cb_store_material_ensure(l->store, CB_CLOTH, "Twill", CB_MEASURED, &l->like.cloth_id, err));
  assert_ok(cb_store_material_ensure(l->store, CB_BODY, "Foam", CB_MEASURED, &l->like.body_id, err));
  assert_ok(cb_store_rig_ensure(l->store, "rig", "name: rig\n", &l->like.rig_id, err));
  cal.rig_id = l->like.rig_id;
  assert_ok(cb_store_calibration_ensure(l->store, &cal, err));
  l->like.calibration_id = cal.id;
  c.cloth_id = l->like.cloth_id, c.body_id = l->like.body_id, c.rig_id = l->like.rig_id;
  assert_ok(cb_store_campaign_put(l->store, &c, err));
  l->like.campaign_id = c.id;
}

static inline int store_lab_set_up(void **state) {
  store_lab *l = calloc(1, sizeof *l);
  assert_non_null(l);
  cbt_scratch(l->folder);
  (void)snprintf(l->db, sizeof l->db, "%s/lab.db", l->folder);
  assert_ok(cb_store_open(l->db, CB_STORE_WRITE, &l->store, err));
  store_lab_fill(l);
  *state = l;
  return 0;
}

static inline int store_lab_tear_down(void **state) {
  store_lab *l = *state;
  assert_ok(cb_store_close(l->store, err));
  cbt_remove(l->folder);
  free(l);
  return 0;
}

/* A run with n samples of force that tell of its seed. */
static inline int64_t store_lab_run(store_lab *l, unsigned seed, size_t n, cb_run_status end) {
  cb_run run = l->like;
  cb_rng rng;
  double *t = malloc((n + 1) * sizeof *t), *v = malloc((n + 1) * sizeof *v);
  assert_true(t && v);
  run.status = CB_RUN_RUNNING;
  run.angle_deg = seed;
  assert_ok(cb_store_run_put(l->store, &run, err));
  cb_rng_init(&rng, seed, 1);
  for (size_t i = 0; i < n; i++)
    t[i] = (double)i / 1e3, v[i] = floor(65536 * cb_rng_uniform(&rng)); /* takes 2 bytes, packed or not */
  assert_ok(cb_store_chunk_put(l->store, run.id, CB_CHANNEL_FORCE, 0, n, t, v, err));
  if (end != CB_RUN_RUNNING) assert_ok(cb_store_run_finish(l->store, run.id, end, "", err));
  free(t);
  free(v);
  return run.id;
}

/* One number. */
static inline int64_t store_lab_int(const char *db, const char *sql) {
  sqlite3 *h;
  sqlite3_stmt *q;
  assert_int_equal(sqlite3_open(db, &h), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(h, sql, -1, &q, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(q), SQLITE_ROW);
  int64_t v = sqlite3_column_int64(q, 0);
  sqlite3_finalize(q);
  sqlite3_close(h);
  return v;
}

/* Names in the folder, sorted, but those of SQLite's log and of a command's output. */
static inline void store_lab_expect_only(const store_lab *l, const char *names) {
  struct dirent **list;
  char found[1000] = "";
  int n = scandir(l->folder, &list, NULL, alphasort);
  assert_true(n >= 0);
  for (int i = 0; i < n; i++) {
    const char *name = list[i]->d_name;
    if (name[0] != '.' && !strstr(name, "lab.db-")) {
      if (found[0]) strcat(found, " ");
      strcat(found, name);
    }
    free(list[i]);
  }
  free(list);
  assert_string_equal(found, names);
}

#endif
