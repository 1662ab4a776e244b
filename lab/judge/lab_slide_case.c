/* What a comparison of one pull needs, out of the store. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_store_material_test.h"
#include "cb_law_json.h"
#include "cb_stray.h"
#include "lab_friction.h"
#include "lab_point_parts.h"
#include "lab_slide_parts.h"
#include "val_pull.h"

double lab_slide_scatter_rel(const lab_slide_scatter *s) { return hypot(s->repeat_rel, s->placement_rel); }

/* Repeats are made without touching the cloth; a slide is laid anew: it scatters by both. What the fit
 * documented with the law; none where it did not. */
cb_status lab_slide_law_scatter(cb_store *s, const cb_friction_law *law, lab_slide_scatter *out,
                                cb_err *err) {
  lab_friction said = {.n_runs = 0};
  cb_status st = lab_friction_law_read(s, law, &said, err);
  const fit_friction_law *fit = law->kind == CB_FRICTION_KINETIC ? &said.kinetic.fit : &said.stat.fit;
  double dof_repeat = fmax(1, fit->scatter_dof), dof_placement = fmax(1, fit->placement_dof);
  *out = (lab_slide_scatter){.repeat_rel = fmax(0, fit->scatter_rel),
                             .placement_rel = fmax(0, fit->placement_rel)};
  double total = lab_slide_scatter_rel(out);
  if (total > 0)
    out->dof =
        pow(total, 4) / (pow(out->repeat_rel, 4) / dof_repeat + pow(out->placement_rel, 4) / dof_placement);
  lab_friction_clear(&said);
  return st == CB_E_DB ? CB_OK : st; /* verdicts in another laboratory's words document none */
}

static double restlessness(const cb_friction_obs *obs, size_t n) {
  double sum = 0, count = 0;
  for (size_t i = 0; i < n; i++) {
    double r = obs[i].point.kinetic_sd_N / obs[i].point.kinetic_N;
    if (!(r >= 0) || !isfinite(r)) continue;
    sum += r * r;
    count++;
  }
  return count > 0 ? sqrt(sum / count) : 0;
}

static cb_status load_scatter(cb_store *s, lab_slide_case *c, cb_err *err) {
  cb_friction_obs *obs;
  size_t n;
  CB_TRY(lab_slide_law_scatter(s, &c->kinetic, &c->kinetic_scatter, err));
  if (c->has_static) CB_TRY(lab_slide_law_scatter(s, &c->stat, &c->static_scatter, err));
  CB_TRY(cb_store_observations(s, c->run.cloth_id, c->run.body_id, &obs, &n, err));
  c->restlessness_rel = restlessness(obs, n);
  c->calibration_shared = n > 0 && c->run.calibration_id > 0;
  for (size_t i = 0; i < n; i++)
    c->calibration_shared = c->calibration_shared && obs[i].run.calibration_id == c->run.calibration_id;
  free(obs);
  return CB_OK;
}

static cb_status load_rig(cb_store *s, lab_slide_case *c, cb_err *err) {
  char *text = NULL, name[64];
  cb_rig rig;
  if (c->run.rig_id == 0 || c->run.calibration_id == 0)
    return cb_fail(err, CB_E_NOTFOUND,
                   "%s: run %lld has no rig or calibration (it was imported): there is no pull to simulate",
                   cb_store_path(s), (long long)c->run.id);
  CB_TRY(cb_store_calibration_get(s, c->run.calibration_id, &c->calibration, err));
  CB_TRY(lab_point_zero_drift(s, &c->run, &c->zero_drift_N, err));
  CB_TRY(cb_store_rig_text(s, c->run.rig_id, &text, err));
  (void)snprintf(name, sizeof name, "rig %lld of the database", (long long)c->run.rig_id);
  cb_status st = cb_rig_parse(text, name, &rig, err);
  free(text);
  if (st == CB_OK) {
    c->bench = rig.bench;
    c->acceleration_m_per_s2 = rig.stage.acceleration_m_per_s2;
  }
  cb_rig_clear(&rig);
  return st;
}

static cb_status read_material_name(cb_store *s, int64_t id, char name[64], cb_err *err) {
  cb_material *list;
  size_t n;
  CB_TRY(cb_store_materials(s, &list, &n, err));
  name[0] = '\0';
  for (size_t i = 0; i < n; i++)
    if (list[i].id == id) (void)snprintf(name, 64, "%s", list[i].name);
  free(list);
  return name[0] ? CB_OK : cb_fail(err, CB_E_DB, "%s: no material %lld", cb_store_path(s), (long long)id);
}

cb_status lab_slide_pair(cb_store *s, const cb_run *run, char cloth[64], char body[64], cb_err *err) {
  if (run->kind == CB_RUN_LOOK)
    return cb_fail(err, CB_E_RANGE, "%s: run %lld is a look of 'rig live': a run of a pair was wanted",
                   cb_store_path(s), (long long)run->id);
  CB_TRY(read_material_name(s, run->cloth_id, cloth, err));
  return read_material_name(s, run->body_id, body, err);
}

static cb_status load_laws(cb_store *s, lab_slide_case *c, cb_err *err) {
  char cloth[64], body[64];
  CB_TRY(lab_slide_pair(s, &c->run, cloth, body, err));
  CB_TRY(cb_store_law_find(s, cloth, body, CB_FRICTION_KINETIC, &c->kinetic, err));
  cb_status st = cb_store_law_find(s, cloth, body, CB_FRICTION_STATIC, &c->stat, err);
  c->has_static = st == CB_OK;
  return st == CB_E_NOTFOUND ? CB_OK : st;
}

/* What the body's law states; else the default of the simulated pull. */
static cb_status load_elasticity(cb_store *s, lab_slide_case *c, cb_err *err) {
  const val_pull assumed = val_pull_default();
  cb_elasticity_law law;
  c->young_Pa = assumed.young_Pa;
  c->poisson = assumed.poisson;
  cb_status st = cb_store_law_of(s, CB_LAW_ELASTICITY, c->kinetic.body, &law, NULL, err);
  if (st != CB_OK) return st == CB_E_NOTFOUND ? CB_OK : st;
  c->elasticity_law_id = law.id;
  if (!isnan(law.value[CB_ELASTIC_YOUNG])) c->young_Pa = law.value[CB_ELASTIC_YOUNG];
  if (!isnan(law.value[CB_ELASTIC_POISSON])) c->poisson = law.value[CB_ELASTIC_POISSON];
  return CB_OK;
}

cb_status lab_slide_case_load(cb_store *s, const cb_run *run, lab_slide_model model, lab_slide_grip grip,
                              lab_slide_case *c, cb_err *err) {
  *c = (lab_slide_case){.run = *run, .model = model, .sheet = {.grip = grip}};
  if (run->status != CB_RUN_DONE)
    return cb_fail(err, CB_E_RANGE, "%s: run %lld is %s: only a finished run can be compared",
                   cb_store_path(s), (long long)run->id, cb_run_status_names[run->status]);
  if (fabs(run->incline_deg) > 0)
    return cb_fail(err, CB_E_RANGE,
                   "%s: run %lld lies on a slope of %g deg: only level pulls can be compared; "
                   "'validate incline --run %lld' compares it",
                   cb_store_path(s), (long long)run->id, run->incline_deg, (long long)run->id);
  CB_TRY(load_laws(s, c, err));
  if (model == LAB_SLIDE_ELASTIC) CB_TRY(load_elasticity(s, c, err));
  if (model != LAB_SLIDE_SLED) CB_TRY(lab_slide_sheet_load(s, c, err));
  CB_TRY(load_rig(s, c, err));
  CB_TRY(load_scatter(s, c, err));
  CB_TRY(cb_store_trace(s, run, &c->trace, err));
  cb_series *f = &c->trace.force_N;
  size_t left_out;
  return cb_stray_bridge(f->t_s, f->v, f->n, c->trace.n_rest, c->trace.digit_N, NULL, &left_out, err);
}

void lab_slide_case_clear(lab_slide_case *c) {
  cb_trace_clear(&c->trace);
  free(c->cloth);
  free(c->air);
  c->cloth = NULL;
  c->air = NULL;
}
