#include "lab_stack.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "cb_stats.h"
#include "cb_store_material_test.h"
#include "lab_en.h"
#include "lab_law.h"

/* ---- the comparison ---- */

/* Of ln v at a pressure: both axes' calibrations, and the last digits, rectangular. */
static double u_measured(const cb_material_test *t, cb_test_point p, double exponent) {
  const double x = hypot(t->u_x_rel, t->x_digit / sqrt(12) / p.x),
               y = hypot(t->u_y_rel, t->y_digit / sqrt(12) / p.y);
  return hypot(exponent * x, y);
}

static lab_stack_point compare(const lab_layers *layers, const cb_material_test *t, cb_test_point p) {
  const lab_air_question q = {
      .pressure_Pa = p.x, .velocity_m_per_s = NAN, .thickness_m = NAN, .temperature_degC = NAN};
  const lab_air_answer a = lab_air_predict(layers, &q);
  lab_stack_point out = {.test_id = t->id,
                         .pressure_Pa = p.x,
                         .measured_m_per_s = p.y,
                         .predicted_m_per_s = a.v.velocity_m_per_s,
                         .U_measured_ln = lab_expanded_95(u_measured(t, p, a.v.exponent), 0, 0),
                         .U_predicted_ln = log(a.piece_factor),
                         .inside_measured_range = a.v.inside_measured_range};
  out.en = lab_en(log(out.predicted_m_per_s), out.U_predicted_ln, log(p.y), out.U_measured_ln);
  return out;
}

static cb_status add_test(cb_store *s, const cb_material_test *t, lab_stack *out, cb_err *err) {
  cb_test_point *points;
  size_t n;
  CB_TRY(cb_store_test_points(s, t, &points, &n, err));
  lab_stack_point *grown = realloc(out->points, (out->n + n + 1) * sizeof *grown);
  if (grown) out->points = grown;
  for (size_t i = 0; grown && i < n; i++) {
    if (!(points[i].x > 0 && points[i].y > 0)) continue;
    const lab_stack_point p = compare(&out->layers, t, points[i]);
    out->worst_en = fmax(out->worst_en, fabs(p.en));
    out->points[out->n++] = p;
  }
  free(points);
  return grown ? CB_OK : cb_no_memory(err, "%zu points", out->n + n);
}

static cb_status check_apart(const lab_layers *layers, const char *cloth, cb_err *err) {
  for (size_t i = 0; i < layers->n; i++)
    if (strcmp(layers->law[i].material, cloth) == 0)
      return cb_fail(err, CB_E_RANGE, "'%s' is a layer of the stack: its own tests made its law", cloth);
  return CB_OK;
}

cb_status lab_stack_judge(cb_store *s, const lab_layers *layers, const char *cloth, lab_stack *out,
                          cb_err *err) {
  cb_material m;
  cb_material_test *tests;
  size_t n;
  *out = (lab_stack){.layers = *layers};
  (void)snprintf(out->cloth, sizeof out->cloth, "%s", cloth);
  CB_TRY(check_apart(layers, cloth, err));
  CB_TRY(cb_store_material_find(s, CB_CLOTH, cloth, &m, err));
  CB_TRY(cb_store_tests(s, m.id, CB_TEST_PERMEABILITY, &tests, &n, err));
  cb_status st = CB_OK;
  for (size_t i = 0; i < n && st == CB_OK; i++) st = add_test(s, &tests[i], out, err);
  free(tests);
  CB_TRY(st);
  out->pass = out->worst_en <= 1;
  return out->n > 0 ? CB_OK
                    : lab_law_no_tests(s, -1, "permeability tests", cloth, "'import permeability'", err);
}

void lab_stack_clear(lab_stack *k) {
  free(k->points);
  *k = (lab_stack){.n = 0};
}

/* ---- a measured pair ---- */

/* Of one reading, as the fit of air assumes it. */
#define U_READING 0.02

/* What a pair measured over its prediction, in ln v, is a departure of its piece, cloth and contact. Of that
 * the law takes the part that is not of the reading (Gauss). One pressure tells no other. */
static void take_departure(const lab_stack *two, lab_layers *layers) {
  double off = 0, u = U_READING, ln_Pa = 0;
  for (size_t i = 0; i < two->n; i++) {
    const lab_stack_point *p = &two->points[i];
    off += log(p->measured_m_per_s / p->predicted_m_per_s) / (double)two->n;
    ln_Pa += log(p->pressure_Pa) / (double)two->n;
    u = fmax(u, p->U_measured_ln / cb_student_t(0.95, INFINITY));
  }
  const cb_permeability_value v =
      lab_air_predict(&two->layers, &(lab_air_question){exp(ln_Pa), NAN, NAN, NAN}).v;
  const double own = pow(v.u_ln_velocity_piece, 2), gain = own / (own + u * u);
  for (size_t i = 0; i < layers->n; i++) {
    cb_permeability_law *l = &layers->law[i];
    if (l->one_pressure)
      l->min_Pa = l->max_Pa = cb_permeability_curve_pressure(&l->curve, l->reference_Pa, v.velocity_m_per_s);
    l->curve.velocity_m_per_s *= exp(gain * off);
    l->other.velocity_m_per_s *= exp(gain * off);
    l->u_ln_level = sqrt(own * (1 - gain) * (double)layers->n);
    l->cov_level_shape = l->specimen_sd = 0;
  }
  layers->paired = true;
}

cb_status lab_layers_take_pair(cb_store *s, const char *pair, lab_layers *layers, cb_err *err) {
  lab_layers one = *layers;
  lab_stack two;
  for (size_t i = 0; i < layers->n; i++) {
    if (layers->layers[i] != layers->layers[0] || layers->n > 2)
      return cb_fail(err, CB_E_RANGE, "pair '%s': as many layers of each of one or two cloths were wanted",
                     pair);
    one.layers[i] = layers->n == 1 ? 2 : 1;
  }
  cb_status st = lab_stack_judge(s, &one, pair, &two, err);
  if (st == CB_OK) take_departure(&two, layers);
  lab_stack_clear(&two);
  return st;
}

/* ---- the row ---- */

static size_t list_tests(const lab_stack *k, int64_t *ids) {
  size_t n = 0;
  for (size_t i = 0; i < k->n; i++)
    if (n == 0 || ids[n - 1] != k->points[i].test_id) ids[n++] = k->points[i].test_id;
  return n;
}

static cb_status put_row(cb_store *s, lab_stack *k, cb_validation *row, cb_err *err) {
  json_t *doc = lab_stack_json(k);
  row->result_json = cb_json_text(doc);
  json_decref(doc);
  if (!row->result_json) return cb_no_memory(err, "the verdict on '%s'", k->cloth);
  const cb_status st = cb_store_validation_put(s, row, err);
  free(row->result_json);
  k->validation_id = row->id;
  return st;
}

cb_status lab_stack_keep(cb_store *s, lab_stack *k, cb_err *err) {
  cb_material m;
  int64_t laws[LAB_LAYERS_MAX];
  CB_TRY(cb_store_material_find(s, CB_CLOTH, k->cloth, &m, err));
  int64_t *tests = malloc((k->n + 1) * sizeof *tests);
  if (!tests) return cb_no_memory(err, "%zu points", k->n);
  for (size_t i = 0; i < k->layers.n; i++) laws[i] = k->layers.law[i].id;
  cb_validation row = {.experiment = "stack",
                       .cloth_id = m.id,
                       .material_law_ids = laws,
                       .n_material_laws = k->layers.n,
                       .test_ids = tests,
                       .n_tests = list_tests(k, tests),
                       .pass = k->pass,
                       .worst_en = k->worst_en};
  const cb_status st = put_row(s, k, &row, err);
  free(tests);
  return st;
}

/* ---- the document ---- */

static json_t *layers_json(const lab_layers *l) {
  json_t *list = json_array();
  for (size_t i = 0; list && i < l->n; i++)
    (void)json_array_append_new(list, json_pack("{s:s, s:i, s:I}", "cloth", l->law[i].material, "layers",
                                                l->layers[i], "law_id", (json_int_t)l->law[i].id));
  return list;
}

static json_t *point_json(const lab_stack_point *p) {
  return json_pack("{s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:b}", "test_id", (json_int_t)p->test_id,
                   "pressure_Pa", p->pressure_Pa, "measured_m_per_s", p->measured_m_per_s,
                   "predicted_m_per_s", p->predicted_m_per_s, "U_measured_ln", p->U_measured_ln,
                   "U_predicted_ln", p->U_predicted_ln, "en", p->en, "inside_measured_range",
                   p->inside_measured_range);
}

json_t *lab_stack_json(const lab_stack *k) {
  json_t *points = json_array();
  for (size_t i = 0; points && i < k->n; i++) (void)json_array_append_new(points, point_json(&k->points[i]));
  return json_pack("{s:s, s:s, s:s, s:o, s:o, s:f, s:o}", "experiment", "stack", "verdict",
                   k->pass ? "pass" : "fail", "cloth", k->cloth, "layers", layers_json(&k->layers), "points",
                   points, "worst_en", k->worst_en, "validation_id",
                   k->validation_id > 0 ? json_integer((json_int_t)k->validation_id) : json_null());
}
