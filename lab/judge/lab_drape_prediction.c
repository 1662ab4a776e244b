/* Predicted drapes against those that were measured. */
#include "lab_drape_prediction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static bool is_alike(const cb_drape_test *t, const lab_drape_prediction *p) {
  return cb_origin_is_real(t->origin) == cb_origin_is_real(p->cloth.origin) &&
         fabs(t->support_m - p->support_cm / 100) < 1e-4 && fabs(t->specimen_m - p->specimen_cm / 100) < 1e-4;
}

/* Times of the store and of seals have one form, in which earlier is smaller. */
static bool is_too_early(const cb_drape_test *t, const lab_drape_prediction *p) {
  return p->seal && strcmp(t->created_at, p->seal->sealed_at) < 0;
}

void lab_drape_compare_number(double coefficient, const val_drape_statistics *predicted,
                              lab_drape_measured *out) {
  double squares[2] = {0, 0};
  *out = (lab_drape_measured){0};
  add_measured(out, predicted, coefficient, NAN, 0, squares);
  judge_mean(out, predicted, squares);
}

cb_status lab_drape_compare_stored(cb_store *s, lab_drape_prediction *p, cb_err *err) {
  lab_drape_measured *out = &p->measured;
  cb_material m;
  cb_drape_test *list;
  size_t n;
  double squares[2] = {0, 0};
  *out = (lab_drape_measured){0};
  CB_TRY(cb_store_material_find(s, CB_CLOTH, p->cloth.name, &m, err));
  CB_TRY(cb_store_drapes(s, m.id, &list, &n, err));
  for (size_t i = 0; i < n; i++) {
    if (!is_alike(&list[i], p)) continue;
    if (is_too_early(&list[i], p))
      out->too_early++;
    else
      add_measured(out, &p->predicted, list[i].drape_coefficient, list[i].nodes, list[i].u_drape_coefficient,
                   squares);
  }
  free(list);
  if (out->n > 0) judge_mean(out, &p->predicted, squares);
  return CB_OK;
}

const char *lab_drape_verdict(const lab_drape_prediction *p) {
  const val_drape_statistics *s = &p->predicted;
  if (s->n < p->seeds) return NULL;
  if (s->settled < s->n) return "fail";
  return p->measured.n == 0 ? NULL : p->measured.agrees ? "pass" : "fail";
}

/* ---- at once ---- */

cb_status lab_drape_foresee(const char *table_file, const val_drape_many *e, lab_drape_prediction *p,
                            cb_err *err) {
  val_drape_table t;
  val_drape_model *m = malloc(sizeof *m);
  cb_status st = m ? val_drape_table_read(table_file, &t, err) : cb_no_memory(err, "drapes, a model");
  if (st == CB_OK) {
    st = val_drape_model_make(&t, table_file, m, err);
    val_drape_table_clear(&t);
  }
  if (st == CB_OK) val_drape_foresee(m, e, &p->foreseen);
  free(m);
  return st;
}

/* ---- the verdict as a row ---- */

static cb_status list_drapes(cb_store *s, const cb_material *m, const lab_drape_prediction *p, int64_t **ids,
                             size_t *n, cb_err *err) {
  cb_drape_test *list;
  size_t n_all;
  *n = 0;
  CB_TRY(cb_store_drapes(s, m->id, &list, &n_all, err));
  *ids = malloc((n_all + 1) * sizeof **ids);
  for (size_t i = 0; *ids && i < n_all; i++)
    if (is_alike(&list[i], p) && !is_too_early(&list[i], p)) (*ids)[(*n)++] = list[i].id;
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
  cb_status st = put_verdict(s, p, &row, err);
  free(ids);
  return st == CB_OK ? lab_drape_shape_keep(s, p, &(int64_t){0}, err) : st;
}
