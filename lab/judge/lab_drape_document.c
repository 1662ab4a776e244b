/* The document of predicted drapes (docs/reference/json, "validate drape"), and back from a stored or a
 * sealed one.
 */
#include <math.h>

#include "cb_json.h"
#include "lab_drape_prediction.h"
#include "lab_law.h"
#include "lab_seal_impl.h"

static const lab_field cloth_fields[] = {
    LAB_KEY_CHOICE(lab_drape_cloth, origin, "origin", cb_origin_names, CB_SIMULATED),
    LAB_KEY(LAB_ID, lab_drape_cloth, stretch_law_id, "stretch_law_id"),
    LAB_KEY(LAB_ID, lab_drape_cloth, bending_law_id, "bending_law_id"),
    LAB_KEY(LAB_TRUTH, lab_drape_cloth, from_drapes, "bending_from_drapes"),
};

static json_t *cloth_json(const lab_drape_cloth *c) {
  const sim_material *m = &c->material;
  json_t *o =
      json_pack("{s:s?, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "name", c->name[0] ? c->name : NULL,
                "areal_mass_g_m2", 1e3 * m->areal_density_kg_per_m2, "thickness_mm", 1e3 * m->thickness_m,
                "stretch_warp_N_m", sim_curve_slope(&m->warp), "stretch_weft_N_m", sim_curve_slope(&m->weft),
                "shear_N_m", sim_curve_slope(&m->shear) / 2, "bend_warp_N_m", m->bending_Nm[0][0],
                "bend_weft_N_m", m->bending_Nm[1][1]);
  json_t *doubt = json_pack("{s:f, s:f, s:f, s:f, s:f}", "u_mass_rel", c->doubt.mass, "u_stretch_rel",
                            c->doubt.stretch, "u_shear_rel", c->doubt.shear, "u_bend_warp_rel",
                            c->doubt.bending[0], "u_bend_weft_rel", c->doubt.bending[1]);
  json_t *friction =
      json_pack("{s:f, s:f, s:f, s:s, s:f, s:f, s:f}", "bend_hysteresis_warp_N", 2 * m->bending_friction_N[0],
                "bend_hysteresis_weft_N", 2 * m->bending_friction_N[1], "u_bend_hysteresis_rel",
                c->doubt.friction, "bend_hysteresis_from", lab_hysteresis_from_names[c->hysteresis_from],
                "bend_hysteresis_onset_per_m", m->bending_friction_onset_per_m, "u_bend_hysteresis_onset_rel",
                c->doubt.onset, "moment_known_at_per_m", c->doubt.moment_known_at_per_m);
  bool joined = lab_fields_join(o, doubt);
  joined = lab_fields_join(o, friction) && joined;
  joined = lab_fields_join(o, lab_fields_json(cloth_fields, LAB_N(cloth_fields), c)) && joined;
  return lab_whole(o, !joined);
}

#define SPREAD(member) LAB_KEY(LAB_REAL, val_spread, member, #member)
static const lab_field spread_fields[] = {SPREAD(mean), SPREAD(sd), SPREAD(lo95), SPREAD(hi95)};

#define MEASURED(kind, member, key) LAB_KEY(kind, lab_drape_measured, member, key)
static const lab_field measured_fields[] = {
    MEASURED(LAB_SIGN, n, "n"),
    MEASURED(LAB_REAL, mean, "mean"),
    MEASURED(LAB_REAL, sd, "sd"),
    MEASURED(LAB_REAL, u_each, "u"),
    MEASURED(LAB_REAL, nodes, "nodes"),
    MEASURED(LAB_REAL, nodes_sd, "nodes_sd"),
    MEASURED(LAB_SIGN, inside, "inside_band"),
    MEASURED(LAB_REAL, difference, "difference"),
    MEASURED(LAB_REAL, allowed, "allowed"),
    MEASURED(LAB_SIGN, too_early, "too_early"),
};

static json_t *spread_json(const val_spread *s) {
  return lab_fields_json(spread_fields, LAB_N(spread_fields), s);
}

static json_t *odd_json(const lab_drape_cloth *c) {
  json_t *list = json_array();
  int failed = !list;
  for (size_t i = 0; i < c->n_odd; i++)
    failed |= json_array_append_new(
                  list, json_pack("{s:s, s:f, s:f, s:f}", "what", c->odd[i].what, "value", c->odd[i].value,
                                  "low", c->odd[i].low, "high", c->odd[i].high)) != 0;
  return lab_whole(list, failed);
}

static json_t *each_json(const val_drape_statistics *s) {
  json_t *list = json_array();
  int failed = !list;
  for (int i = 0; i < s->n; i++) {
    const val_drape_result *r = &s->each[i];
    failed |= json_array_append_new(
                  list, json_pack("{s:I, s:f, s:o, s:i, s:f, s:i, s:b, s:f, s:i, s:f}", "seed",
                                  (json_int_t)r->seed, "drape_coefficient", r->drape.drape_coefficient,
                                  "coarse_drape_coefficient", cb_json_real(r->coarse_coefficient), "nodes",
                                  r->drape.nodes, "amplitude_m", r->drape.node_height_m, "vertices",
                                  r->vertices, "settled", r->settled, "residual", r->residual, "iterations",
                                  r->iterations, "seconds", r->seconds)) != 0;
  }
  return lab_whole(list, failed);
}

static json_t *foreseen_json(const val_drape_foreseen *f) {
  if (!f->known) return json_null();
  json_t *shares = json_pack("{s:f, s:f}", "layings", f->share_laying, "table", f->share_table);
  int failed = 0;
  for (int a = 0; a < VAL_DRAWN_AXES; a++)
    failed |= LAB_SET(shares, val_drawn_names[a], json_real(f->share[a]));
  json_t *o =
      json_pack("{s:f, s:f, s:f}", "drape_coefficient", f->coefficient, "lo95", f->lo95, "hi95", f->hi95);
  failed |= LAB_SET(o, "shares", lab_whole(shares, failed));
  return lab_whole(o, failed);
}

static json_t *measured_json(const lab_drape_prediction *p) {
  return p->measured.n == 0 ? json_null()
                            : lab_fields_json(measured_fields, LAB_N(measured_fields), &p->measured);
}

static json_t *id_json(int64_t id) { return id > 0 ? json_integer((json_int_t)id) : json_null(); }

/* The prediction as it was sealed, and what came of it. */
static json_t *sealed_json(const lab_drape_prediction *p) {
  const char *verdict = lab_drape_verdict(p);
  json_t *o = json_copy(p->seal->prediction);
  int failed = LAB_SET(o, "verdict", verdict ? json_string(verdict) : json_null());
  failed |= LAB_SET(o, "measured", measured_json(p));
  failed |= LAB_SET(o, "validation_id", id_json(p->validation_id));
  failed |= LAB_SET(o, "sealed", lab_seal_json(p->seal));
  return lab_whole(o, failed);
}

json_t *lab_drape_prediction_json(const lab_drape_prediction *p) {
  if (p->seal) return sealed_json(p);
  const char *verdict = lab_drape_verdict(p);
  const val_drape_statistics *s = &p->predicted;
  json_t *o = json_pack("{s:s, s:s?, s:o, s:f, s:f, s:i, s:i, s:i}", "experiment", "drape", "verdict",
                        verdict, "cloth", cloth_json(&p->cloth), "support_cm", p->support_cm, "specimen_cm",
                        p->specimen_cm, "seeds", s->n, "seeds_asked", p->seeds, "settled", s->settled);
  int failed = LAB_SET(o, "drape_coefficient", spread_json(&s->drape_coefficient));
  failed |= LAB_SET(o, "foreseen", foreseen_json(&p->foreseen));
  failed |= LAB_SET(o, "mesh_shift", json_real(s->mesh_shift));
  failed |= LAB_SET(o, "u_mesh_shift", json_real(s->u_mesh_shift));
  failed |= LAB_SET(o, "implausible", odd_json(&p->cloth));
  failed |= LAB_SET(o, "nodes", spread_json(&s->nodes));
  failed |= LAB_SET(o, "amplitude_m", spread_json(&s->amplitude_m));
  failed |= LAB_SET(o, "measured", measured_json(p));
  failed |= LAB_SET(o, "stretch_most_N_m", cb_json_real(s->each[0].stretch_most_N_per_m));
  failed |= LAB_SET(o, "each", each_json(s));
  failed |= LAB_SET(o, "seconds", json_real(s->seconds));
  failed |= LAB_SET(o, "validation_id", id_json(p->validation_id));
  failed |= LAB_SET(o, "sealed", json_null());
  return lab_whole(o, failed);
}

/* ---- and back ---- */

static const lab_field predicted_fields[] = {
    LAB_KEY(LAB_REAL, lab_drape_predicted, support_cm, "support_cm"),
    LAB_KEY(LAB_REAL, lab_drape_predicted, specimen_cm, "specimen_cm"),
    LAB_KEY(LAB_SIGN, lab_drape_predicted, seeds, "seeds"),
};

static cb_status read_spread(const json_t *doc, const char *key, val_spread *out, cb_err *err) {
  const json_t *o;
  CB_TRY(lab_fields_object(doc, key, &o, err));
  return lab_fields_read(spread_fields, LAB_N(spread_fields), o, out, err);
}

static cb_status read_predicted(const json_t *doc, lab_drape_predicted *out, cb_err *err) {
  CB_TRY(lab_fields_read(predicted_fields, LAB_N(predicted_fields), doc, out, err));
  CB_TRY(read_spread(doc, "drape_coefficient", &out->drape_coefficient, err));
  CB_TRY(read_spread(doc, "nodes", &out->nodes, err));
  return read_spread(doc, "amplitude_m", &out->amplitude_m, err);
}

cb_status lab_drape_predicted_read(const char *text, lab_drape_predicted *out, cb_err *err) {
  json_t *doc;
  CB_TRY(lab_fields_document(text, &doc, err));
  cb_status st = read_predicted(doc, out, err);
  json_decref(doc);
  return st;
}

/* ---- a sealed one ---- */

static const lab_field sealed_fields[] = {
    LAB_KEY(LAB_REAL, lab_drape_prediction, support_cm, "support_cm"),
    LAB_KEY(LAB_REAL, lab_drape_prediction, specimen_cm, "specimen_cm"),
    LAB_KEY(LAB_SIGN, lab_drape_prediction, seeds, "seeds_asked"),
    LAB_KEY(LAB_SIGN, lab_drape_prediction, predicted.n, "seeds"),
    LAB_KEY(LAB_SIGN, lab_drape_prediction, predicted.settled, "settled"),
    LAB_KEY(LAB_REAL, lab_drape_prediction, predicted.mesh_shift, "mesh_shift"),
    LAB_KEY(LAB_REAL, lab_drape_prediction, predicted.u_mesh_shift, "u_mesh_shift"),
};
static const lab_field name_field = LAB_KEY_TEXT(lab_drape_cloth, name, "name");

cb_status lab_drape_unseal(const lab_seal *seal, lab_drape_prediction *out, cb_err *err) {
  const json_t *doc = seal->prediction, *cloth;
  val_drape_statistics *s = &out->predicted;
  *out = (lab_drape_prediction){.seal = seal};
  CB_TRY(lab_fields_read(sealed_fields, LAB_N(sealed_fields), doc, out, err));
  CB_TRY(lab_fields_object(doc, "cloth", &cloth, err));
  CB_TRY(lab_fields_read(&name_field, 1, cloth, &out->cloth, err));
  CB_TRY(lab_fields_read(cloth_fields, LAB_N(cloth_fields), cloth, &out->cloth, err));
  CB_TRY(read_spread(doc, "drape_coefficient", &s->drape_coefficient, err));
  CB_TRY(read_spread(doc, "nodes", &s->nodes, err));
  CB_TRY(read_spread(doc, "amplitude_m", &s->amplitude_m, err));
  if (s->n >= 2 && isfinite(s->drape_coefficient.mean) &&
      s->drape_coefficient.hi95 > s->drape_coefficient.lo95 && out->support_cm > 0 &&
      out->specimen_cm > out->support_cm)
    return CB_OK;
  return cb_fail(err, CB_E_DB, "the sealed prediction has no band: two drapes or more were wanted");
}
