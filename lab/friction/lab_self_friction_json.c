/* The document of a law of cloth on cloth: docs/reference/json, `fit self-friction`. */
#include <math.h>

#include "cb_json.h"
#include "cb_store_self_friction.h"
#include "cb_law_json.h"
#include "cb_num.h"
#include "cb_stats.h"
#include "lab_fields.h"
#include "lab_self_friction_parts.h"
#include "lab_pooled_impl.h"

lab_surface lab_self_friction_surface(const cb_self_friction_law *law, int surface) {
  int i = 2 + 2 * surface;
  double a = law->form.p[i], b = law->form.p[i + 1], r = hypot(a, b);
  return (lab_surface){.cos2 = a,
                       .u_cos2 = sqrt(law->cov[i][i]),
                       .sin2 = b,
                       .u_sin2 = sqrt(law->cov[i + 1][i + 1]),
                       .roughest_deg = 0.5 * atan2(b, a) / CB_DEG,
                       .anisotropy_percent = 100 * ((1 + r) / (1 - r) - 1)};
}

/* ---- the keys ---- */

#define SURFACE(member) LAB_KEY(LAB_REAL, lab_surface, member, #member)
static const lab_field surface_fields[] = {SURFACE(cos2),         SURFACE(u_cos2),
                                           SURFACE(sin2),         SURFACE(u_sin2),
                                           SURFACE(roughest_deg), SURFACE(anisotropy_percent)};

#define RUNS(member, key) LAB_KEY(LAB_COUNT, lab_self_friction, member, key)
static const lab_field misfit_fields[] = {
    LAB_KEY(LAB_REAL, lab_self_friction, fit.rms_rel, "rms_rel"),
    LAB_KEY(LAB_REAL, lab_self_friction, fit.other_rms_rel, "other_rms_rel"),
    RUNS(n_points, "points"),
    RUNS(fit.n_cells, "cells"),
};
static const lab_field left_out_fields[] = {
    RUNS(n_unknown, "runs_without_body_angle"),
    RUNS(n_without, "runs_without_force"),
    RUNS(n_other_speed, "runs_at_other_speeds"),
};
static const lab_field one_tensor_fields[] = {
    LAB_KEY(LAB_REAL, lab_self_friction, fit.one_tensor_f, "statistic"),
    LAB_KEY(LAB_REAL, lab_self_friction, fit.one_tensor_p, "p_value"),
};

/* ---- struct -> document ---- */

static json_t *surface_json(const cb_self_friction_law *law, int surface) {
  const lab_surface s = lab_self_friction_surface(law, surface);
  return lab_fields_json(surface_fields, LAB_N(surface_fields), &s);
}

static json_t *forces_json(const cb_self_friction_law *law) {
  json_t *list = json_array();
  for (int c = 0; c <= 90; c += 45)
    for (int b = 0; b <= 90; b += 45) {
      cb_friction_value v;
      cb_self_friction_eval(law, c * CB_DEG, b * CB_DEG, law->reference_N, &v);
      (void)json_array_append_new(
          list,
          json_pack("{s:i, s:i, s:f, s:f, s:f}", "angle_deg", c, "body_angle_deg", b, "force_N", v.force_N,
                    "u_force_N", v.u_force_N, "u95_force_N", cb_student_t(0.95, v.dof) * v.u_force_N));
    }
  return list;
}

static json_t *names_json(const lab_self_friction *f) {
  const cb_self_friction_law *law = &f->fit.law;
  return json_pack(
      "{s:s, s:s, s:s, s:s, s:b, s:s, s:o}", "cloth", law->cloth, "body", law->body, "origin",
      cb_origin_names[law->origin], "outcome", fit_self_outcome_text[f->fit.outcome], "same_cloth", law->same,
      "rule", cb_self_rule_names[law->form.rule], "other_rule",
      isfinite(f->fit.other_rms_rel) ? json_string(cb_self_rule_names[law->other.rule]) : json_null());
}

static json_t *law_json(const lab_self_friction *f) {
  const cb_self_friction_law *law = &f->fit.law;
  return json_pack("{s:f, s:f, s:s, s:f, s:o, s:o, s:o, s:o, s:o}", "exponent", law->form.p[1], "u_exponent",
                   sqrt(law->cov[1][1]), "exponent_from", cb_self_exponent_names[law->exponent_from],
                   "normal_force_N", law->reference_N, "surface_of_cloth", surface_json(law, 0),
                   "surface_of_body", surface_json(law, 1), "one_tensor",
                   lab_fields_json(one_tensor_fields, LAB_N(one_tensor_fields), f), "forces",
                   forces_json(law), "law", cb_self_friction_json(law));
}

json_t *lab_self_friction_json(const lab_self_friction *f) {
  json_t *doc = names_json(f);
  if (lab_fields_join(doc, lab_fields_json(misfit_fields, LAB_N(misfit_fields), f)) &&
      lab_fields_join(doc, json_pack("{s:s}", "scatter_between", f->fit.by_cells ? "cells" : "pulls")) &&
      lab_fields_join(doc, lab_fields_json(left_out_fields, LAB_N(left_out_fields), f)) &&
      lab_fields_join(doc, law_json(f)) && lab_fields_join(doc, lab_pooled_json(&f->pooled)))
    return doc;
  json_decref(doc);
  return NULL;
}

/* ---- document -> struct ---- */

/* The rule that fits worse is known even where its weight is none and the law does not have it. */
static cb_status read_words(const json_t *doc, fit_self_friction *f, cb_err *err) {
  static const char *const between[] = {"pulls", "cells"};
  static const lab_field other_rule =
      LAB_KEY_CHOICE(cb_self_form, rule, "other_rule", cb_self_rule_names, CB_SELF_PRODUCT);
  const lab_field scatter = {"scatter_between", LAB_CHOICE, 0, 2, between, 0};
  int by_cells = 0;
  CB_TRY(lab_fields_read(&scatter, 1, doc, &by_cells, err));
  f->by_cells = by_cells == 1;
  return lab_fields_read(&other_rule, 1, doc, &f->law.other, err);
}

static cb_status read_document(const json_t *doc, lab_self_friction *f, cb_err *err) {
  const json_t *one_tensor;
  CB_TRY(lab_fields_read(misfit_fields, LAB_N(misfit_fields), doc, f, err));
  CB_TRY(lab_fields_read(left_out_fields, LAB_N(left_out_fields), doc, f, err));
  CB_TRY(lab_fields_object(doc, "one_tensor", &one_tensor, err));
  CB_TRY(lab_fields_read(one_tensor_fields, LAB_N(one_tensor_fields), one_tensor, f, err));
  CB_TRY(read_words(doc, &f->fit, err));
  return lab_pooled_read(doc, &f->pooled, err);
}

cb_status lab_self_friction_read(const cb_self_friction_row *row, lab_self_friction *out, cb_err *err) {
  json_t *doc;
  *out = (lab_self_friction){.fit.outcome = FIT_SELF_OK};
  CB_TRY(cb_self_friction_parse(row, &out->fit.law, err));
  cb_status st = lab_fields_document(row->result_json, &doc, err);
  if (st == CB_OK) st = read_document(doc, out, err);
  json_decref(doc);
  return st == CB_OK ? CB_OK : cb_fail_in(err, st, "law T%lld of self-friction", (long long)row->id);
}
