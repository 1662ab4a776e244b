/* `fit friction --json`: the laws of a pair with all that was said of them. docs/reference/json has the
 * keys. */
#include <math.h>

#include "cb_json.h"
#include "lab_fields.h"
#include "lab_friction_parts.h"

/* f00, f01 or f11 over the loads; the uncertainty with calibration. */
static json_t *function_json(const cb_friction_law *law, int i) {
  json_t *list = json_array();
  for (size_t k = 0; k < law->n_knots; k++) {
    const cb_friction_knot *knot = &law->knots[k];
    double cov[3][3];
    cb_friction_law_knot_cov(law, k, cov);
    double u = sqrt(fmax(0, cov[i][i]));
    (void)json_array_append_new(list, json_pack("{s:f, s:f, s:f}", "normal_force_N", knot->normal_force_N,
                                                "force_N", knot->f_N[i], "u_force_N", u));
  }
  return list;
}

static json_t *law_json(const cb_friction_law *law) {
  return json_pack("{s:s, s:s, s:f, s:f, s:o, s:o, s:o, s:o, s:f, s:f, s:f, s:f, s:f, s:I}", "form",
                   cb_friction_form_names[law->form], "model", cb_friction_model_names[law->model], "bend",
                   law->bend, "offset_N", law->offset_N, "speed_m_per_s", cb_json_real(law->speed_m_per_s),
                   "f00", function_json(law, 0), "f01", function_json(law, 1), "f11", function_json(law, 2),
                   "exponent", law->exponent, "u_exponent", cb_friction_law_u_exponent(law, 1),
                   "u_rel_common", law->u_rel_common, "u_rel_model", law->u_rel_model, "dof",
                   fmin(law->dof, 1e9), "law_id", (json_int_t)law->id);
}

static json_t *calibrations_json(const lab_friction_sources *s) {
  json_t *list = json_array();
  for (size_t i = 0; i < s->n_calibrations; i++) {
    const cb_calibration *c = &s->calibrations[i];
    (void)json_array_append_new(
        list,
        json_pack("{s:I, s:s, s:s, s:s, s:f, s:f, s:o}", "calibration_id", (json_int_t)c->id, "kind",
                  cb_calibration_kind_names[c->kind], "certificate", c->certificate, "cell", c->cell, "u_rel",
                  c->u_rel, "u_floor_N", c->u_floor_N, "dof", c->dof > 0 ? json_real(c->dof) : json_null()));
  }
  return list;
}

static json_t *overruled_json(const lab_friction *f) {
  json_t *list = json_array();
  for (size_t i = 0; i < f->n_overruled; i++) {
    const cb_correction *c = &f->overruled[i];
    (void)json_array_append_new(
        list, json_pack("{s:I, s:s, s:s, s:s}", "run_id", (json_int_t)c->run_id, "verdict", c->is, "operator",
                        c->operator_name, "reason", c->reason));
  }
  return list;
}

static json_t *sources_json(const lab_friction_sources *s) {
  json_t *flags = json_object();
  for (size_t i = 0; i < s->n_flags; i++)
    (void)json_object_set_new(flags, s->flags[i].word, json_integer((json_int_t)s->flags[i].n_runs));
  json_t *faults = json_object();
  for (size_t i = 0; i < FIT_N_FAULTS; i++)
    if (s->judged.n_of_fault[i] > 0)
      (void)json_object_set_new(faults, fit_fault_kinds[i].code,
                                json_integer((json_int_t)s->judged.n_of_fault[i]));
  return json_pack("{s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "calibrations", calibrations_json(s),
                   "flags", flags, "runs_without_force", (json_int_t)s->n_without_force, "pulls",
                   (json_int_t)s->n_pulls, "pulls_invalid", (json_int_t)s->judged.n_of[FIT_INVALID],
                   "pulls_doubtful", (json_int_t)s->judged.n_of[FIT_DOUBTFUL], "pulls_left_out",
                   (json_int_t)s->n_left_out, "pulls_without_verdict", (json_int_t)s->n_unjudged, "faults",
                   faults);
}

static json_t *static_json(const lab_friction *f) {
  if (f->stat.fit.outcome != FIT_FRICTION_OK) return json_null();
  json_t *o = law_json(&f->stat.fit.law);
  (void)json_object_set_new(o, "lots", json_null()); /* unless the verdicts have them */
  if (lab_fields_join(o, lab_friction_verdicts_json(f, CB_FRICTION_STATIC))) return o;
  json_decref(o);
  return NULL;
}

json_t *lab_friction_json(const lab_friction *f) {
  const cb_friction_law *law = &f->kinetic.fit.law;
  json_t *doc = json_pack("{s:s, s:s, s:s, s:f, s:n, s:n}", "cloth", law->cloth, "body", law->body, "origin",
                          cb_origin_names[law->origin], "contact_area_m2", law->contact_area_m2,
                          "body_angle_deg", "lots");
  bool made = lab_fields_join(doc, lab_friction_verdicts_json(f, CB_FRICTION_KINETIC)) &&
              lab_fields_join(doc, law_json(law)) && json_object_set_new(doc, "static", static_json(f)) == 0;
  if (made && f->n_runs > 0) made = lab_fields_join(doc, sources_json(&f->sources));
  if (made && f->n_runs > 0) made = json_object_set_new(doc, "overruled", overruled_json(f)) == 0;
  if (made) return doc;
  json_decref(doc);
  return NULL;
}
