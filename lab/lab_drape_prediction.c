/* Predicted drapes against those that were measured. */
#include "lab_drape_prediction.h"

#include <math.h>
#include <stdlib.h>

#include "cb_json.h"
#include "cb_store_drape.h"
#include "lab_law.h"

/* Coverage factor of what was measured. */
#define COVERAGE 2.0

/* ---- against what was measured ---- */

static void add_measured(lab_drape_measured *m, const val_drape_statistics *s, double coefficient,
                         double nodes, double u, double *squares) {
  double step = coefficient - m->mean, node_step = nodes - m->nodes;
  m->n++;
  m->mean += step / m->n;
  m->nodes += node_step / m->n;
  m->u_each += (u - m->u_each) / m->n;
  squares[0] += step * (coefficient - m->mean);
  squares[1] += node_step * (nodes - m->nodes);
  m->inside += coefficient >= s->drape_coefficient.lo95 && coefficient <= s->drape_coefficient.hi95;
}

/* What the band allows holds what is in doubt about the cloth, which no number of drapes takes out; beside it
 * the measured mean's own. */
static void judge_mean(lab_drape_measured *m, const val_drape_statistics *s, const double *squares) {
  m->sd = m->n > 1 ? sqrt(squares[0] / (m->n - 1)) : NAN;
  m->nodes_sd = m->n > 1 ? sqrt(squares[1] / (m->n - 1)) : NAN;
  double scatter = m->n > 1 ? m->sd / sqrt(m->n) : 0,
         band = s->drape_coefficient.hi95 - s->drape_coefficient.mean;
  m->difference = s->drape_coefficient.mean - m->mean;
  m->allowed = hypot(band, COVERAGE * hypot(scatter, m->u_each));
  m->agrees = fabs(m->difference) <= m->allowed;
}

static bool is_alike(const cb_drape_test *t, cb_origin origin, const fit_drape_setup *size) {
  return cb_origin_is_real(t->origin) == cb_origin_is_real(origin) &&
         fabs(t->support_m - size->support_m) < 1e-4 && fabs(t->specimen_m - size->specimen_m) < 1e-4;
}

void lab_drape_compare_number(double coefficient, const val_drape_statistics *predicted,
                              lab_drape_measured *out) {
  double squares[2] = {0, 0};
  *out = (lab_drape_measured){0};
  add_measured(out, predicted, coefficient, NAN, 0, squares);
  judge_mean(out, predicted, squares);
}

cb_status lab_drape_compare_stored(cb_store *s, const char *cloth, cb_origin origin,
                                   const fit_drape_setup *size, const val_drape_statistics *predicted,
                                   lab_drape_measured *out, cb_err *err) {
  cb_material m;
  cb_drape_test *list;
  size_t n;
  double squares[2] = {0, 0};
  *out = (lab_drape_measured){0};
  CB_TRY(cb_store_material_find(s, CB_CLOTH, cloth, &m, err));
  CB_TRY(cb_store_drapes(s, m.id, &list, &n, err));
  for (size_t i = 0; i < n; i++)
    if (is_alike(&list[i], origin, size))
      add_measured(out, predicted, list[i].drape_coefficient, list[i].nodes, list[i].u_drape_coefficient,
                   squares);
  free(list);
  if (out->n > 0) judge_mean(out, predicted, squares);
  return CB_OK;
}

const char *lab_drape_verdict(const lab_drape_prediction *p) {
  const val_drape_statistics *s = &p->predicted;
  if (s->n < p->seeds) return NULL;
  if (s->settled < s->n) return "fail";
  return p->measured.n == 0 ? NULL : p->measured.agrees ? "pass" : "fail";
}

/* ---- the verdict as a row ---- */

static cb_status list_drapes(cb_store *s, const cb_material *m, const lab_drape_prediction *p, int64_t **ids,
                             size_t *n, cb_err *err) {
  const fit_drape_setup size = {.support_m = p->support_cm / 100, .specimen_m = p->specimen_cm / 100};
  cb_drape_test *list;
  size_t n_all;
  *n = 0;
  CB_TRY(cb_store_drapes(s, m->id, &list, &n_all, err));
  *ids = malloc((n_all + 1) * sizeof **ids);
  for (size_t i = 0; *ids && i < n_all; i++)
    if (is_alike(&list[i], p->cloth.origin, &size)) (*ids)[(*n)++] = list[i].id;
  free(list);
  return *ids ? CB_OK : cb_no_memory(err, "%zu drapes", n_all);
}

static cb_status put_verdict(cb_store *s, lab_drape_prediction *p, cb_validation *row, cb_err *err) {
  json_t *doc = lab_drape_prediction_json(p);
  row->result_json = cb_json_text(doc);
  json_decref(doc);
  if (!row->result_json) return cb_no_memory(err, "the verdict on '%s'", p->cloth.name);
  const cb_status st = cb_store_validation_put(s, row, err);
  free(row->result_json);
  p->validation_id = row->id;
  return st;
}

cb_status lab_drape_keep(cb_store *s, lab_drape_prediction *p, cb_err *err) {
  cb_material m;
  int64_t *ids;
  const char *verdict = lab_drape_verdict(p);
  CB_TRY(cb_store_material_find(s, CB_CLOTH, p->cloth.name, &m, err));
  cb_validation row = {.experiment = "drape",
                       .cloth_id = m.id,
                       .pass = verdict && verdict[0] == 'p',
                       .worst_en = fabs(p->measured.difference) / p->measured.allowed};
  int64_t laws[2];
  if (p->cloth.stretch_law_id > 0) laws[row.n_material_laws++] = p->cloth.stretch_law_id;
  if (p->cloth.bending_law_id > 0) laws[row.n_material_laws++] = p->cloth.bending_law_id;
  row.material_law_ids = laws;
  CB_TRY(list_drapes(s, &m, p, &ids, &row.n_drapes, err));
  row.drape_ids = ids;
  const cb_status st = put_verdict(s, p, &row, err);
  free(ids);
  return st;
}

/* ---- the document ---- */

static json_t *cloth_json(const lab_drape_cloth *c) {
  const sim_material *m = &c->material;
  json_t *o =
      json_pack("{s:s?, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "name", c->name[0] ? c->name : NULL,
                "areal_mass_g_m2", 1e3 * m->areal_density_kg_per_m2, "thickness_mm", 1e3 * m->thickness_m,
                "stretch_warp_N_m", lab_first_slope(&m->warp), "stretch_weft_N_m", lab_first_slope(&m->weft),
                "shear_N_m", lab_first_slope(&m->shear) / 2, "bend_warp_N_m", m->bending_Nm[0][0],
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

json_t *lab_drape_prediction_json(const lab_drape_prediction *p) {
  const char *verdict = lab_drape_verdict(p);
  const val_drape_statistics *s = &p->predicted;
  json_t *o = json_pack("{s:s, s:s?, s:o, s:f, s:f, s:i, s:i, s:i}", "experiment", "drape", "verdict",
                        verdict, "cloth", cloth_json(&p->cloth), "support_cm", p->support_cm, "specimen_cm",
                        p->specimen_cm, "seeds", s->n, "seeds_asked", p->seeds, "settled", s->settled);
  int failed = LAB_SET(o, "drape_coefficient", spread_json(&s->drape_coefficient));
  failed |= LAB_SET(o, "mesh_shift", json_real(s->mesh_shift));
  failed |= LAB_SET(o, "u_mesh_shift", json_real(s->u_mesh_shift));
  failed |= LAB_SET(o, "implausible", odd_json(&p->cloth));
  failed |= LAB_SET(o, "nodes", spread_json(&s->nodes));
  failed |= LAB_SET(o, "amplitude_m", spread_json(&s->amplitude_m));
  failed |=
      LAB_SET(o, "measured",
              p->measured.n == 0 ? json_null()
                                 : lab_fields_json(measured_fields, LAB_N(measured_fields), &p->measured));
  failed |= LAB_SET(o, "stretch_most_N_m", cb_json_real(s->each[0].stretch_most_N_per_m));
  failed |= LAB_SET(o, "each", each_json(s));
  failed |= LAB_SET(o, "seconds", json_real(s->seconds));
  failed |= LAB_SET(o, "validation_id",
                    p->validation_id > 0 ? json_integer((json_int_t)p->validation_id) : json_null());
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
