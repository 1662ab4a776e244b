/* A small virtual lab for tests: a database with one pair, pulled by the simulated sled at several angles and
 * loads with noise and run-to-run scatter, reduced and fitted; and slides whose friction departs from that of
 * the pulls by a known factor. */
#ifndef BENCH_FIXTURE_H
#define BENCH_FIXTURE_H

#include "cbtest.h"

#include "cb_num.h"
#include "cb_rng.h"
#include "cb_store.h"
#include "fit_pull.h"
#include "sim_sled.h"

static const char bench_rig_text[] =
    "name: fixture\n"
    "stage: {driver: zaber-ascii, port: virtual, baud: 115200, device_address: 1, microstep_um: 0.1984375, "
    "limit_min_mm: 0, limit_max_mm: "
    "100,\n"
    "  max_speed_mm_per_s: 50, acceleration_mm_per_s2: 500, start_mm: 20, checksum: false, reply_timeout_s: "
    "0.5}\n"
    "force: {driver: line, port: virtual, baud: 115200, unit: N, rate_Hz: 200, overload_N: 8, "
    "silence_timeout_s: 1, field: 0, separator: "
    "\",\", scale: 1}\n"
    "calibration: {slope_N_per_unit: 1, u_rel: 0.002, resolution: 0.0001, certificate: \"F-2026-7 "
    "<weights>\", valid_from: 2026-01-01}\n"
    "bench: {cart_mass_g: 13, u_mass_g: 0.05, contact_area_cm2: 50, link_stiffness_N_per_m: 2000, "
    "link_slack_mm: 2, gravity_m_per_s2: "
    "9.80665,\n"
    "  u_angle_deg: 0.5}\n"
    "virtual: {seed: 1, time_scale: 40, noise_sd: 0.002, drift_per_s: 0, zero: 0.05, quantum: 0.0001, "
    "latency_ms: 0, "
    "link_damping_Ns_per_m: 5,\n"
    "  truth: {c00: 0.60, c01: 0.02, c11: 0.45, n00: 0.9, n01: 0.9, n11: 0.9, static_excess: 0.25, "
    "stribeck_excess: 0, "
    "stribeck_speed_mm_per_s: 1,\n"
    "  log_velocity: 0, reference_speed_mm_per_s: 10, repeat_sd_rel: 0.005}}\n";

#define BENCH_NOISE_N 0.002
#define BENCH_ZERO_N 0.05
#define BENCH_SCATTER 0.005

typedef struct bench {
  cb_store *store;
  cb_run like; /* ids, rig, calibration */
  cb_rng rng;
  const char *cloth, *body;
  double clip_N; /* no force above this reaches the trace: cuts off a static peak */
} bench;

/* The kinetic truth F = 0.60/0.02/0.45 N^0.9 times factor; static: excess above 1. */
static inline cb_friction_law bench_truth(double factor) {
  cb_friction_law law = {.contact_area_m2 = 0.005, .n_knots = 1, .exponent = 0.9, .dof = 1e9};
  law.knots[0] =
      (cb_friction_knot){.normal_force_N = 1, .f_N = {0.60 * factor, 0.02 * factor, 0.45 * factor}};
  return law;
}

static inline void bench_store_trace(bench *b, int64_t run_id, const cb_trace *t) {
  double *f = malloc(t->force_N.n * sizeof *f);
  assert_non_null(f);
  for (size_t i = 0; i < t->force_N.n; i++)
    f[i] = fmin(t->force_N.v[i], b->clip_N) + BENCH_ZERO_N + BENCH_NOISE_N * cb_rng_normal(&b->rng);
  assert_ok(cb_store_chunk_put(b->store, run_id, CB_CHANNEL_FORCE, 0, t->force_N.n, t->force_N.t_s, f, err));
  assert_ok(cb_store_chunk_put(b->store, run_id, CB_CHANNEL_POSITION, 0, t->position_m.n, t->position_m.t_s,
                               t->position_m.v, err));
  free(f);
}

/* One pull of the virtual bench, stored with its trace. Returns its id. */
static inline int64_t bench_pull(bench *b, cb_run_kind kind, double angle_deg, double added_kg, int repeat,
                                 int direction, double factor) {
  double level = factor * (1 + BENCH_SCATTER * cb_rng_normal(&b->rng));
  cb_friction_law kinetic = bench_truth(level), stat = bench_truth(1.25 * level);
  cb_run run = b->like;
  run.kind = kind;
  run.angle_deg = angle_deg;
  run.added_mass_kg = added_kg;
  run.normal_force_N = (run.cart_mass_kg + added_kg) * CB_STANDARD_GRAVITY_M_PER_S2;
  run.u_normal_force_N = 5e-5 * CB_STANDARD_GRAVITY_M_PER_S2;
  run.repeat = repeat;
  run.direction = direction;
  sim_sled s = sim_sled_default();
  s.mass_kg = run.cart_mass_kg + added_kg;
  s.contact_area_m2 = 0.005;
  s.kinetic_law = &kinetic;
  s.static_law = &stat;
  s.pull =
      (sim_pull){angle_deg * CB_DEG, 2000, 0.002, 5, {0.3, direction * run.travel_m, run.speed_m_per_s, 0.5}};
  s.duration_s = 3.5;
  s.rate_Hz = run.rate_Hz;
  s.step_s = 2.5e-4;
  sim_sled_result r;
  assert_ok(sim_sled_run(&s, &r, err));
  assert_ok(cb_store_run_put(b->store, &run, err));
  bench_store_trace(b, run.id, &r.trace);
  assert_ok(cb_store_run_finish(b->store, run.id, CB_RUN_DONE, "", err));
  sim_sled_result_clear(&r);
  return run.id;
}

static inline void bench_campaign(bench *b, cb_campaign_kind kind, const char *name) {
  cb_campaign c = {.kind = kind,
                   .cloth_id = b->like.cloth_id,
                   .body_id = b->like.body_id,
                   .rig_id = b->like.rig_id,
                   .plan_text = (char *)"plan: fixture\n",
                   .operator_name = "A. Tester <lab>",
                   .temperature_degC = 21.5,
                   .humidity_percent = 48,
                   .origin = CB_VIRTUAL};
  (void)snprintf(c.name, sizeof c.name, "%s", name);
  assert_ok(cb_store_campaign_put(b->store, &c, err));
  b->like.campaign_id = c.id;
}

static inline void bench_open(bench *b, const char *path, const char *cloth, const char *body,
                              uint64_t seed) {
  cb_calibration cal = {.unit = "N",
                        .slope_N_per_unit = 1,
                        .u_rel = 0.002,
                        .resolution_N = 1e-4,
                        .certificate = "F-2026-7 <weights>",
                        .valid_from = "2026-01-01"};
  *b = (bench){.cloth = cloth, .body = body, .clip_N = INFINITY};
  cb_rng_init(&b->rng, seed, 7);
  assert_ok(cb_store_open(path, CB_STORE_WRITE, &b->store, err));
  b->like = (cb_run){.cart_mass_kg = 0.013,
                     .contact_area_m2 = 0.005,
                     .speed_m_per_s = 0.01,
                     .travel_m = 0.03,
                     .rate_Hz = 200,
                     .origin = CB_VIRTUAL,
                     .source = "fixture",
                     .status = CB_RUN_RUNNING};
  assert_ok(cb_store_material_ensure(b->store, CB_CLOTH, cloth, CB_VIRTUAL, &b->like.cloth_id, err));
  assert_ok(cb_store_material_ensure(b->store, CB_BODY, body, CB_VIRTUAL, &b->like.body_id, err));
  assert_ok(cb_store_rig_ensure(b->store, "fixture", bench_rig_text, &b->like.rig_id, err));
  cal.rig_id = b->like.rig_id;
  assert_ok(cb_store_calibration_ensure(b->store, &cal, err));
  b->like.calibration_id = cal.id;
}

/* Angles 0, 45, 90 at three loads, three times each, forward and backward at 100 g. */
static inline void bench_pulls(bench *b) {
  static const double angles[] = {0, 45, 90}, loads[] = {0.05, 0.1, 0.2};
  bench_campaign(b, CB_CAMPAIGN_FRICTION, "pulls & more");
  assert_ok(cb_store_begin(b->store, err));
  for (int a = 0; a < 3; a++)
    for (int l = 0; l < 3; l++)
      for (int k = 1; k <= 3; k++) (void)bench_pull(b, CB_RUN_PULL, angles[a], loads[l], k, 1, 1);
  assert_ok(cb_store_commit(b->store, err));
  assert_ok(cb_store_campaign_finish(b->store, b->like.campaign_id, err));
}

static inline void bench_close(bench *b) { assert_ok(cb_store_close(b->store, err)); }

#endif
