#include "exch_friction.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of a law that are neither knots nor names: the keys of friction.yaml, and columns of
 * friction_law. */
static const struct scalar {
  const char *key;
  size_t offset;
} scalars[] = {
    {"contact_area_m2", offsetof(cb_friction_law, contact_area_m2)},
    {"exponent", offsetof(cb_friction_law, exponent)},
    {"u_exponent", offsetof(cb_friction_law, u_exponent)},
    {"u_rel_common", offsetof(cb_friction_law, u_rel_common)},
    {"u_rel_model", offsetof(cb_friction_law, u_rel_model)},
    {"dof", offsetof(cb_friction_law, dof)},
    {"bend", offsetof(cb_friction_law, bend)},
    {"offset_N", offsetof(cb_friction_law, offset_N)},
};
#define N_SCALARS (sizeof scalars / sizeof scalars[0])

/* Upper triangle, row by row. */
static const int pairs[6][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};

static json_t *reals(const double *v, size_t n) {
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++) (void)json_array_append_new(list, json_real(v[i]));
  return list;
}

static json_t *knot_json(const cb_friction_knot *k) {
  double cov[6];
  for (int i = 0; i < 6; i++) cov[i] = k->cov_N2[pairs[i][0]][pairs[i][1]];
  return json_pack("{s:f, s:o, s:o}", "normal_force_N", k->normal_force_N, "f_N", reals(k->f_N, 3), "cov_N2",
                   reals(cov, 6));
}

/* What all knots share of one source: its part at every knot, and of the exponents below and above. */
static json_t *shared_json(const cb_friction_law *l, const cb_friction_shared *p) {
  json_t *parts = json_array();
  for (size_t k = 0; k < l->n_knots; k++) (void)json_array_append_new(parts, reals(p->f_N[k], 3));
  return json_pack("{s:s, s:o, s:o}", "source", p->source, "exponent", reals(p->exponent, 2), "f_N", parts);
}

static json_t *names_json(const cb_friction_law *l) {
  return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:o}", "cloth", l->cloth, "body", l->body, "kind",
                   cb_friction_kind_names[l->kind], "form", cb_friction_form_names[l->form], "model",
                   cb_friction_model_names[l->model], "origin", cb_origin_names[l->origin], "speed_m_per_s",
                   isfinite(l->speed_m_per_s) ? json_real(l->speed_m_per_s) : json_null());
}

json_t *exch_friction_law_json(const cb_friction_law *l) {
  json_t *o = names_json(l), *knots = json_array(), *shared = json_array();
  for (size_t i = 0; i < N_SCALARS; i++)
    (void)json_object_set_new(o, scalars[i].key,
                              json_real(*(const double *)((const char *)l + scalars[i].offset)));
  for (size_t i = 0; i < l->n_knots; i++) (void)json_array_append_new(knots, knot_json(&l->knots[i]));
  for (size_t i = 0; i < l->n_shared; i++) (void)json_array_append_new(shared, shared_json(l, &l->shared[i]));
  (void)json_object_set_new(o, "knots", knots);
  if (json_object_set_new(o, "shared", shared) == 0) return o;
  json_decref(o);
  return NULL;
}

json_t *exch_friction_json(const exch_friction *f) {
  json_t *o = exch_friction_law_json(&f->law);
  (void)json_object_set_new(o, "method", json_string(f->method));
  (void)json_object_set_new(o, "created_at", json_string(f->created_at));
  if (json_object_set_new(o, "verdicts", json_loads(f->verdicts_json, 0, NULL)) == 0) return o;
  json_decref(o);
  return NULL;
}

/* ---- reading ---- */

static cb_status read_list(const exch_at *list, size_t n, double *out, cb_err *err) {
  CB_TRY(exch_json_list(list, n, n, err));
  for (size_t i = 0; i < n; i++) {
    exch_at item = exch_json_item(list, i);
    CB_TRY(exch_json_number(&item, -1e12, 1e12, &out[i], err));
  }
  return CB_OK;
}

static cb_status read_reals(const exch_at *at, const char *key, size_t n, double *out, cb_err *err) {
  exch_at list;
  CB_TRY(exch_json_member(at, key, &list, err));
  return read_list(&list, n, out, err);
}

static cb_status read_knot(const exch_at *at, cb_friction_knot *k, cb_err *err) {
  static const char *const keys[] = {"normal_force_N", "f_N", "cov_N2", NULL};
  exch_at load;
  double cov[6];
  CB_TRY(exch_json_object(at, keys, err));
  CB_TRY(exch_json_member(at, "normal_force_N", &load, err));
  CB_TRY(exch_json_cell(&load, "friction_knot", "normal_force_N", &k->normal_force_N, err));
  CB_TRY(read_reals(at, "f_N", 3, k->f_N, err));
  CB_TRY(read_reals(at, "cov_N2", 6, cov, err));
  for (int i = 0; i < 6; i++)
    k->cov_N2[pairs[i][0]][pairs[i][1]] = k->cov_N2[pairs[i][1]][pairs[i][0]] = cov[i];
  return CB_OK;
}

static cb_status read_names(const exch_at *at, exch_friction *f, cb_err *err) {
  exch_at v;
  int kind, form, model, origin;
  CB_TRY(exch_json_member(at, "cloth", &v, err));
  CB_TRY(exch_json_text(&v, f->law.cloth, sizeof f->law.cloth, err));
  CB_TRY(exch_json_member(at, "body", &v, err));
  CB_TRY(exch_json_text(&v, f->law.body, sizeof f->law.body, err));
  CB_TRY(exch_json_member(at, "kind", &v, err));
  CB_TRY(exch_json_choice(&v, cb_friction_kind_names, &kind, err));
  CB_TRY(exch_json_member(at, "form", &v, err));
  CB_TRY(exch_json_choice(&v, cb_friction_form_names, &form, err));
  CB_TRY(exch_json_member(at, "model", &v, err));
  CB_TRY(exch_json_choice(&v, cb_friction_model_names, &model, err));
  CB_TRY(exch_json_member(at, "origin", &v, err));
  CB_TRY(exch_json_choice(&v, cb_origin_names, &origin, err));
  CB_TRY(exch_json_member(at, "created_at", &v, err));
  CB_TRY(exch_json_text(&v, f->created_at, sizeof f->created_at, err));
  f->law.kind = (cb_friction_kind)kind;
  f->law.form = (cb_friction_form)form;
  f->law.model = (cb_friction_model)model;
  f->law.origin = (cb_origin)origin;
  return CB_OK;
}

static cb_status read_part(const exch_at *at, size_t n_knots, cb_friction_shared *p, cb_err *err) {
  static const char *const keys[] = {"source", "exponent", "f_N", NULL};
  exch_at v;
  CB_TRY(exch_json_object(at, keys, err));
  CB_TRY(exch_json_member(at, "source", &v, err));
  CB_TRY(exch_json_text(&v, p->source, sizeof p->source, err));
  CB_TRY(read_reals(at, "exponent", 2, p->exponent, err));
  CB_TRY(exch_json_member(at, "f_N", &v, err));
  CB_TRY(exch_json_list(&v, n_knots, n_knots, err));
  for (size_t k = 0; k < n_knots; k++) {
    exch_at triple = exch_json_item(&v, k);
    CB_TRY(read_list(&triple, 3, p->f_N[k], err));
  }
  return CB_OK;
}

static cb_status read_shared(const exch_at *at, cb_friction_law *l, cb_err *err) {
  exch_at v;
  CB_TRY(exch_json_member(at, "shared", &v, err));
  CB_TRY(exch_json_list(&v, 0, CB_LAW_MAX_SHARED, err));
  l->n_shared = json_array_size(v.value);
  for (size_t i = 0; i < l->n_shared; i++) {
    exch_at part = exch_json_item(&v, i);
    CB_TRY(read_part(&part, l->n_knots, &l->shared[i], err));
  }
  return CB_OK;
}

static cb_status read_knots(const exch_at *at, cb_friction_law *l, cb_err *err) {
  exch_at list;
  CB_TRY(exch_json_member(at, "knots", &list, err));
  CB_TRY(exch_json_list(&list, 1, CB_LAW_MAX_KNOTS, err));
  l->n_knots = json_array_size(list.value);
  for (size_t i = 0; i < l->n_knots; i++) {
    exch_at knot = exch_json_item(&list, i);
    CB_TRY(read_knot(&knot, &l->knots[i], err));
  }
  return CB_OK;
}

static cb_status read_numbers(const exch_at *at, cb_friction_law *l, cb_err *err) {
  exch_at v;
  for (size_t i = 0; i < N_SCALARS; i++) {
    CB_TRY(exch_json_member(at, scalars[i].key, &v, err));
    CB_TRY(
        exch_json_cell(&v, "friction_law", scalars[i].key, (double *)((char *)l + scalars[i].offset), err));
  }
  CB_TRY(read_knots(at, l, err));
  CB_TRY(read_shared(at, l, err));
  CB_TRY(exch_json_member(at, "speed_m_per_s", &v, err));
  l->speed_m_per_s = NAN;
  if (!json_is_null(v.value))
    CB_TRY(exch_json_cell(&v, "friction_law", "speed_m_per_s", &l->speed_m_per_s, err));
  cb_status st = cb_friction_law_check(l, err);
  return st == CB_OK ? CB_OK : cb_fail_in(err, st, "%s", at->where);
}

cb_status exch_friction_read(const exch_at *at, exch_friction *f, cb_err *err) {
  static const char *const keys[] = {
      "cloth",    "body",       "kind",         "form",          "model",
      "origin",   "method",     "created_at",   "speed_m_per_s", "contact_area_m2",
      "exponent", "u_exponent", "u_rel_common", "u_rel_model",   "dof",
      "bend",     "offset_N",   "knots",        "shared",        "verdicts",
      NULL};
  exch_at v;
  CB_TRY(exch_json_object(at, keys, err));
  CB_TRY(read_names(at, f, err));
  CB_TRY(read_numbers(at, &f->law, err));
  CB_TRY(exch_json_member(at, "method", &v, err));
  const char *method;
  CB_TRY(exch_json_string(&v, &method, err));
  f->method = strdup(method);
  if (!f->method) return cb_no_memory(err, "%s", v.where);
  CB_TRY(exch_json_member(at, "verdicts", &v, err));
  return exch_json_verbatim(&v, &f->verdicts_json, err);
}
