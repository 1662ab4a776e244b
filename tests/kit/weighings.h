/* A database of looks that read a weight of 200 g, as `rig live --record` writes them. */
#ifndef WEIGHINGS_H
#define WEIGHINGS_H

#include "cb_rng.h"
#include "cb_store.h"
#include "cbtest.h"

#define WEIGHINGS_TRUE_N 1.96104

/* n looks of the virtual bench, one after another: what was read is `ratio` of the weight's force, with a
 * scatter of 0.02 %; from look `step` on 0.2 % more. */
static inline void weighings_put(const char *db, int n, int step, double ratio) {
  cb_store *s;
  cb_rng rng;
  char none[] = "", text[120];
  int64_t rig;
  cb_rng_init(&rng, 9, 0);
  assert_ok(cb_store_open(db, CB_STORE_WRITE, &s, err));
  assert_ok(cb_store_rig_ensure(s, "virtual-bench", "", &rig, err));
  for (int i = 1; i <= n; i++) {
    cb_campaign c = {.name = "rig live",
                     .kind = CB_CAMPAIGN_LOOK,
                     .plan_text = none,
                     .rig_id = rig,
                     .temperature_degC = NAN,
                     .humidity_percent = NAN,
                     .origin = CB_VIRTUAL};
    assert_ok(cb_store_campaign_put(s, &c, err));
    cb_run r = {.kind = CB_RUN_LOOK,
                .direction = 1,
                .repeat = 1,
                .origin = CB_VIRTUAL,
                .campaign_id = c.id,
                .rig_id = rig,
                .angle_deg = NAN,
                .body_angle_deg = NAN,
                .incline_deg = NAN,
                .cart_mass_kg = NAN,
                .added_mass_kg = NAN,
                .normal_force_N = NAN,
                .u_normal_force_N = NAN,
                .contact_area_m2 = NAN,
                .speed_m_per_s = NAN,
                .travel_m = NAN,
                .source = "virtual-bench"};
    const double read_N =
        WEIGHINGS_TRUE_N * ratio * (1 + 2e-4 * cb_rng_normal(&rng)) * (i >= step ? 1.002 : 1);
    assert_ok(cb_store_run_put(s, &r, err));
    (void)snprintf(text, sizeof text, "200 g pulls with %.5f N; read: %.5f N, u 0.0039 N", WEIGHINGS_TRUE_N,
                   read_N);
    assert_ok(cb_store_event_put(s, c.id, r.id, 1, "weight", text, err));
    assert_ok(cb_store_run_finish(s, r.id, CB_RUN_DONE, "", err));
    assert_ok(cb_store_campaign_finish(s, c.id, err));
  }
  assert_ok(cb_store_close(s, err));
}

#endif
