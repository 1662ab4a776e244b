/* big FILE.db RIG.yaml: a database through the store, as large as the most that one laboratory keeps: 300
 * cloths on 5 bodies, a campaign of 72 pulls and two laws for each pair (108 000 runs with their points),
 * traces in the first three campaigns, and a last run of 100 000 samples. Numbers are closed forms and a
 * seed's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_file.h"
#include "cb_num.h"
#include "cb_rng.h"
#include "cb_store.h"

#define CLOTHS 300
#define BODIES 5
#define WITH_TRACES 3
#define SAMPLES 1000
#define LONG_TRACE 100000

typedef struct maker {
  cb_store *store;
  cb_run like;
  cb_rng rng;
  int64_t cloth[CLOTHS], body[BODIES];
  int64_t last_point;
  char *rig_text;
} maker;

static cb_status put_material(maker *m, cb_material_kind kind, int i, int64_t *id, cb_err *err) {
  static const char *const weaves[] = {"plain", "twill", "satin", "jersey"};
  cb_material x = {.kind = kind,
                   .areal_density_kg_per_m2 = 0.05 + 0.001 * i,
                   .u_areal_density_kg_per_m2 = 0.001,
                   .thickness_m = 2e-4 + 2e-6 * i,
                   .source = "closed form",
                   .origin = CB_VIRTUAL};
  (void)snprintf(x.name, sizeof x.name, "%s %03d", kind == CB_CLOTH ? "Cloth" : "Body", i + 1);
  (void)snprintf(x.weave, sizeof x.weave, "%s", weaves[i % 4]);
  CB_TRY(cb_store_material_put(m->store, &x, err));
  *id = x.id;
  return CB_OK;
}

static cb_status put_materials(maker *m, cb_err *err) {
  cb_calibration cal = {
      .unit = "N", .slope_N_per_unit = 1, .u_rel = 0.002, .resolution_N = 1e-4, .valid_from = "2026-01-01"};
  (void)snprintf(cal.certificate, sizeof cal.certificate, "closed form");
  CB_TRY(cb_store_begin(m->store, err));
  for (int i = 0; i < CLOTHS; i++) CB_TRY(put_material(m, CB_CLOTH, i, &m->cloth[i], err));
  for (int i = 0; i < BODIES; i++) CB_TRY(put_material(m, CB_BODY, i, &m->body[i], err));
  CB_TRY(cb_store_rig_ensure(m->store, "closed form", m->rig_text, &m->like.rig_id, err));
  cal.rig_id = m->like.rig_id;
  CB_TRY(cb_store_calibration_ensure(m->store, &cal, err));
  m->like.calibration_id = cal.id;
  return cb_store_commit(m->store, err);
}

/* Zero, a steep rise, a plateau; the stage goes at its speed from 0.5 s on. */
static cb_status put_trace(maker *m, int64_t run_id, int n, double force_N, cb_err *err) {
  static double t[LONG_TRACE], f[LONG_TRACE], x[LONG_TRACE];
  const double whole_s = 3;
  for (int i = 0; i < n; i++) {
    t[i] = floor(1e6 * whole_s * i / n) / 1e6;
    const double way = fmax(0, (t[i] - 0.5) * 0.01), part = fmin(1, fmax(0, (way - 0.002) / 5e-4));
    x[i] = 0.02 + way;
    f[i] = 0.05 + part * force_N + 0.002 * cb_rng_normal(&m->rng);
  }
  CB_TRY(cb_store_chunk_put(m->store, run_id, CB_CHANNEL_FORCE, 0, (size_t)n, t, f, err));
  return cb_store_chunk_put(m->store, run_id, CB_CHANNEL_POSITION, 0, (size_t)n, t, x, err);
}

static cb_status put_pull(maker *m, cb_run *run, double mu, int samples, cb_err *err) {
  const double f = mu * run->normal_force_N * (1 + 0.005 * cb_rng_normal(&m->rng));
  cb_friction_point p = {.static_N = 1.2 * f,
                         .u_static_N = 0.004,
                         .kinetic_N = f,
                         .u_kinetic_N = 2e-4,
                         .kinetic_sd_N = 0.002,
                         .n_eff = 300,
                         .window_from_m = 0.008,
                         .window_to_m = 0.02,
                         .mu_reported = NAN,
                         .method = "closed form"};
  run->status = CB_RUN_RUNNING;
  CB_TRY(cb_store_run_put(m->store, run, err));
  if (samples > 0) CB_TRY(put_trace(m, run->id, samples, f, err));
  CB_TRY(cb_store_run_finish(m->store, run->id, CB_RUN_DONE, "", err));
  p.run_id = run->id;
  CB_TRY(cb_store_point_put(m->store, &p, err));
  m->last_point = p.id;
  return CB_OK;
}

static const double added_kg[] = {0.01, 0.05, 0.1, 0.2};

static double load_of(const maker *m, int i) {
  return (m->like.cart_mass_kg + added_kg[i]) * CB_STANDARD_GRAVITY_M_PER_S2;
}

/* The law that the pulls of the newest campaign were made by, resting on its 72 points. */
static cb_status put_law(maker *m, cb_friction_kind kind, double mu, int64_t last_point, cb_err *err) {
  int64_t ids[72];
  cb_friction_law law = {.kind = kind,
                         .form = CB_FORM_ORTHOTROPIC,
                         .origin = CB_VIRTUAL,
                         .contact_area_m2 = m->like.contact_area_m2,
                         .n_knots = 4,
                         .exponent = 0.9,
                         .dof = 20,
                         .speed_m_per_s = m->like.speed_m_per_s};
  for (int k = 0; k < 4; k++) {
    const double f_N = mu * pow(load_of(m, k), 0.9), var_N2 = 1e-6 * f_N * f_N;
    law.knots[k] =
        (cb_friction_knot){load_of(m, k), {f_N, 0, 0.8 * f_N}, {{var_N2, 0, 0}, {0}, {0, 0, var_N2}}};
  }
  for (int i = 0; i < 72; i++) ids[i] = last_point - 71 + i;
  return cb_store_law_put(m->store, &law, m->like.cloth_id, m->like.body_id, ids, 72, "closed form", "{}",
                          err);
}

static cb_status put_pulls(maker *m, int samples, double mu, cb_err *err) {
  static const double angles[] = {0, 45, 90};
  for (int i = 0; i < 72; i++) {
    cb_run run = m->like;
    run.angle_deg = angles[i % 3];
    run.added_mass_kg = added_kg[i / 3 % 4];
    run.normal_force_N = load_of(m, i / 3 % 4);
    run.u_normal_force_N = 5e-4;
    run.repeat = i / 24 + 1;
    run.direction = i / 12 % 2 ? -1 : 1;
    const double way = mu * (1 - 0.2 * sin(run.angle_deg * CB_DEG)) * pow(run.normal_force_N, -0.1);
    CB_TRY(put_pull(m, &run, way, samples, err));
  }
  return CB_OK;
}

static cb_status put_campaign(maker *m, int cloth, int body, cb_err *err) {
  cb_campaign c = {.kind = CB_CAMPAIGN_FRICTION,
                   .cloth_id = m->cloth[cloth],
                   .body_id = m->body[body],
                   .rig_id = m->like.rig_id,
                   .plan_text = (char *)(uintptr_t) "name: closed form\n",
                   .operator_name = "A. Maker",
                   .temperature_degC = 20,
                   .humidity_percent = 65,
                   .origin = CB_VIRTUAL};
  (void)snprintf(c.name, sizeof c.name, "c%03d-%d", cloth + 1, body + 1);
  CB_TRY(cb_store_begin(m->store, err));
  CB_TRY(cb_store_campaign_put(m->store, &c, err));
  m->like.campaign_id = c.id;
  m->like.cloth_id = c.cloth_id;
  m->like.body_id = c.body_id;
  const double mu = 0.3 + 0.001 * cloth + 0.05 * body;
  CB_TRY(put_pulls(m, c.id <= WITH_TRACES ? SAMPLES : 0, mu, err));
  CB_TRY(put_law(m, CB_FRICTION_KINETIC, mu, m->last_point, err));
  CB_TRY(put_law(m, CB_FRICTION_STATIC, 1.2 * mu, m->last_point, err));
  if (cloth == CLOTHS - 1 && body == BODIES - 1) {
    cb_run run = m->like;
    run.normal_force_N = 1;
    run.u_normal_force_N = 5e-4;
    run.repeat = 4;
    run.direction = 1;
    CB_TRY(put_pull(m, &run, 0.8, LONG_TRACE, err));
  }
  CB_TRY(cb_store_campaign_finish(m->store, c.id, err));
  return cb_store_commit(m->store, err);
}

static cb_status make(maker *m, cb_err *err) {
  m->like = (cb_run){.body_angle_deg = NAN,
                     .cart_mass_kg = 0.013,
                     .contact_area_m2 = 0.005,
                     .speed_m_per_s = 0.01,
                     .travel_m = 0.025,
                     .origin = CB_VIRTUAL,
                     .source = "closed form"};
  cb_rng_init(&m->rng, 1, 1);
  CB_TRY(put_materials(m, err));
  for (int cloth = 0; cloth < CLOTHS; cloth++)
    for (int body = 0; body < BODIES; body++) CB_TRY(put_campaign(m, cloth, body, err));
  return CB_OK;
}

int main(int argc, char **argv) {
  static maker m;
  cb_err err = {""};
  size_t n;
  if (argc != 3) return 2;
  cb_status st = cb_file_read(argv[2], 100000, &m.rig_text, &n, &err);
  if (st == CB_OK) st = cb_store_open(argv[1], CB_STORE_WRITE, &m.store, &err);
  if (st == CB_OK) st = cb_store_close_after(m.store, make(&m, &err), &err);
  free(m.rig_text);
  if (st != CB_OK) fprintf(stderr, "big: %s\n", err.msg);
  return st == CB_OK ? 0 : 1;
}
