#include "lab_typed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_num.h"
#include "cb_store_drape.h"
#include "lab_transact.h"
#include "lab_import_parts.h"

lab_typed lab_typed_default(void) {
  return (lab_typed){.thickness_m = NAN,
                     .areal_density_kg_per_m2 = NAN,
                     .drape_coefficient = NAN,
                     .support_m = 0.18,
                     .specimen_m = 0.30,
                     .bending_length_m = NAN,
                     .flexural_rigidity_Nm = NAN,
                     .mu = NAN,
                     .normal_force_N = NAN,
                     .contact_area_m2 = 0.005,
                     .speed_m_per_s = 0.01,
                     .friction_kind = CB_FRICTION_KINETIC};
}

static bool has_facts(const lab_typed *t) {
  return t->composition || t->weave || isfinite(t->thickness_m) || isfinite(t->areal_density_kg_per_m2);
}

/* ---- what cannot be ---- */

static cb_status check_drape(const lab_typed *t, cb_err *err) {
  if (isnan(t->drape_coefficient)) return CB_OK;
  if (t->kind != CB_CLOTH) return cb_fail(err, CB_E_ARG, "a drape coefficient: a cloth was wanted");
  CB_TRY(cb_check_range(t->drape_coefficient, 0, 1, "drape coefficient", "", err));
  if (t->specimen_m > t->support_m) return CB_OK;
  return cb_fail(err, CB_E_RANGE, "a specimen of %g cm on a support of %g cm: a larger specimen was wanted",
                 100 * t->specimen_m, 100 * t->support_m);
}

static cb_status check_friction(const lab_typed *t, cb_err *err) {
  if (isnan(t->mu) && !t->body) return CB_OK;
  if (t->kind != CB_CLOTH || isnan(t->mu) || !t->body || isnan(t->normal_force_N))
    return cb_fail(err, CB_E_ARG,
                   "a coefficient of friction: a cloth, its body, the coefficient and the normal "
                   "force were wanted");
  CB_TRY(cb_check_range(t->mu, 1e-6, 100, "coefficient of friction", "", err));
  return cb_check_range(t->normal_force_N, 1e-6, 1e6, "normal force", "N", err);
}

static cb_status check_typed(const lab_typed *t, cb_err *err) {
  const cb_material *m = NULL;
  const bool bending = isfinite(t->bending_length_m) || isfinite(t->flexural_rigidity_Nm);
  if (!has_facts(t) && isnan(t->drape_coefficient) && !bending && isnan(t->mu) && !t->body)
    return cb_fail(err, CB_E_ARG, "'%s': no property was typed", t->name);
  if (!t->source || !t->source[0] || strlen(t->source) >= sizeof m->source)
    return cb_fail(err, CB_E_ARG, "the source: 1 to %zu bytes were wanted: who says so",
                   sizeof m->source - 1);
  if (!t->name[0] || strlen(t->name) >= sizeof m->name)
    return cb_fail(err, CB_E_ARG, "the name: 1 to %zu bytes were wanted", sizeof m->name - 1);
  CB_TRY(check_drape(t, err));
  CB_TRY(lab_typed_check_bending(t, err));
  return check_friction(t, err);
}

/* ---- rows ---- */

static double known(double v) { return isfinite(v) ? v : 0; }

static cb_status put_facts(cb_store *s, const lab_typed *t, int64_t *id, cb_err *err) {
  cb_material m = {
      .kind = t->kind,
      .origin = CB_IMPORTED,
      .thickness_m = known(t->thickness_m),
      .u_thickness_m = isfinite(t->thickness_m) ? t->u_thickness_m : 0,
      .areal_density_kg_per_m2 = known(t->areal_density_kg_per_m2),
      .u_areal_density_kg_per_m2 = isfinite(t->areal_density_kg_per_m2) ? t->u_areal_density_kg_per_m2 : 0};
  (void)snprintf(m.name, sizeof m.name, "%s", t->name);
  (void)snprintf(m.composition, sizeof m.composition, "%s", t->composition ? t->composition : "");
  (void)snprintf(m.weave, sizeof m.weave, "%s", t->weave ? t->weave : "");
  (void)snprintf(m.source, sizeof m.source, "%s", t->source);
  return cb_store_material_learn(s, &m, id, err);
}

static cb_status put_drape(cb_store *s, const lab_typed *t, int64_t cloth_id, cb_err *err) {
  if (isnan(t->drape_coefficient)) return CB_OK;
  cb_drape_test d = {.material_id = cloth_id,
                     .method = "typed",
                     .support_m = t->support_m,
                     .specimen_m = t->specimen_m,
                     .drape_coefficient = t->drape_coefficient,
                     .u_drape_coefficient = t->u_drape_coefficient,
                     .nodes = NAN,
                     .node_height_m = NAN,
                     .area_m2 = NAN,
                     .pixel_m = NAN,
                     .u_scale_rel = NAN,
                     .origin = CB_IMPORTED};
  (void)snprintf(d.capture, sizeof d.capture, "%.50s, typed", t->name);
  (void)snprintf(d.source, sizeof d.source, "%s", t->source);
  return cb_store_drape_put(s, &d, "", "", err);
}

/* A calibration that says nothing: the coefficient is a ratio of two forces. */
static cb_status put_run(cb_store *s, const lab_typed *t, int64_t campaign_id, int64_t cloth_id,
                         int64_t *run_id, cb_err *err) {
  cb_calibration c = {.kind = CB_CALIBRATION_IMPORTED, .origin = CB_IMPORTED, .slope_N_per_unit = 1};
  (void)snprintf(c.unit, sizeof c.unit, "N");
  (void)snprintf(c.certificate, sizeof c.certificate, "%s", t->source);
  CB_TRY(cb_store_calibration_ensure(s, &c, err));
  cb_run r = {.kind = CB_RUN_PULL,
              .campaign_id = campaign_id,
              .calibration_id = c.id,
              .cloth_id = cloth_id,
              .angle_deg = t->angle_deg,
              .body_angle_deg = NAN,
              .normal_force_N = t->normal_force_N,
              .added_mass_kg = t->normal_force_N / CB_STANDARD_GRAVITY_M_PER_S2,
              .contact_area_m2 = t->contact_area_m2,
              .speed_m_per_s = t->speed_m_per_s,
              .direction = 1,
              .repeat = 1,
              .origin = CB_IMPORTED,
              .status = CB_RUN_DONE};
  (void)snprintf(r.source, sizeof r.source, "%s", t->source);
  CB_TRY(cb_store_material_ensure(s, CB_BODY, t->body, CB_IMPORTED, &r.body_id, err));
  cb_store_now(s, r.finished_at);
  CB_TRY(cb_store_run_put(s, &r, err));
  *run_id = r.id;
  return CB_OK;
}

cb_status lab_typed_put_pull(cb_store *s, const lab_typed *t, int64_t campaign_id, int64_t cloth_id,
                             cb_err *err) {
  const bool kinetic = t->friction_kind == CB_FRICTION_KINETIC;
  const double force_N = t->mu * t->normal_force_N, u_N = t->u_mu * t->normal_force_N;
  cb_friction_point p = {.static_N = kinetic ? NAN : force_N,
                         .u_static_N = kinetic ? NAN : u_N,
                         .kinetic_N = kinetic ? force_N : NAN,
                         .u_kinetic_N = kinetic ? u_N : NAN,
                         .n_eff = 1,
                         .mu_reported = kinetic ? t->mu : NAN};
  (void)snprintf(p.method, sizeof p.method, "typed");
  CB_TRY(put_run(s, t, campaign_id, cloth_id, &p.run_id, err));
  return cb_store_point_put(s, &p, err);
}

static cb_status put_friction(cb_store *s, const lab_typed *t, int64_t cloth_id, cb_err *err) {
  if (!t->body) return CB_OK;
  cb_campaign c = {.kind = CB_CAMPAIGN_IMPORT,
                   .temperature_degC = NAN,
                   .humidity_percent = NAN,
                   .origin = CB_IMPORTED,
                   .cloth_id = cloth_id};
  (void)snprintf(c.name, sizeof c.name, "typed: %.50s", t->name);
  CB_TRY(cb_store_campaign_put(s, &c, err));
  CB_TRY(lab_typed_put_pull(s, t, c.id, cloth_id, err));
  return cb_store_campaign_finish(s, c.id, err);
}

static cb_status put_typed(cb_store *s, void *context, cb_err *err) {
  const lab_typed *t = context;
  int64_t id;
  CB_TRY(put_facts(s, t, &id, err));
  CB_TRY(put_drape(s, t, id, err));
  CB_TRY(lab_typed_put_bending(s, t, id, err));
  return put_friction(s, t, id, err);
}

cb_status lab_typed_store(cb_store *s, const lab_typed *t, cb_err *err) {
  lab_typed copy = *t;
  CB_TRY(check_typed(t, err));
  return lab_transact(s, put_typed, &copy, err);
}
