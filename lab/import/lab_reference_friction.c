/* friction.yaml: friction laws with knots, covariances, verdicts, and the points that they rest on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_plural.h"
#include "lab_reference_impl.h"

#define KNOT_NUMBERS 10 /* load, f00 f01 f11, upper triangle of the covariance */

/* ---- text -> row ---- */

typedef struct law_entry {
  cb_friction_law law;
  int kind, form, origin, model;
  cb_ynode knots, shared, method, verdicts, points;
} law_entry;

static cb_status bind_law(cb_ynode node, law_entry *e, cb_err *err) {
  const cb_yfield fields[] = {
      {"cloth", CB_Y_STR, LAB_AT(law_entry, law.cloth), .required = true},
      {"body", CB_Y_STR, LAB_AT(law_entry, law.body), .required = true},
      {"kind", CB_Y_ENUM, LAB_AT(law_entry, kind), .required = true, .choices = cb_friction_kind_names},
      {"form", CB_Y_ENUM, LAB_AT(law_entry, form), .required = true, .choices = cb_friction_form_names},
      {"origin", CB_Y_ENUM, LAB_AT(law_entry, origin), .required = true, .choices = cb_origin_names},
      {"contact_area_m2", CB_Y_NUM, LAB_AT(law_entry, law.contact_area_m2), .required = true, .min = 1e-8,
       .max = 100},
      {"exponent", CB_Y_NUM, LAB_AT(law_entry, law.exponent), .required = true, .min = 1e-3, .max = 10},
      {"u_exponent", CB_Y_NUM, LAB_AT(law_entry, law.u_exponent), .required = true, .min = 0, .max = 10},
      {"u_rel_common", CB_Y_NUM, LAB_AT(law_entry, law.u_rel_common), .required = true, .min = 0, .max = 1},
      {"u_rel_model", CB_Y_NUM, LAB_AT(law_entry, law.u_rel_model), .required = true, .min = 0, .max = 10},
      {"dof", CB_Y_NUM, LAB_AT(law_entry, law.dof), .required = true, .min = 1e-3, .max = 1e9},
      {"model", CB_Y_ENUM, LAB_AT(law_entry, model), .choices = cb_friction_model_names},
      {"bend", CB_Y_NUM, LAB_AT(law_entry, law.bend), .min = 0, .max = 1},
      {"offset_N", CB_Y_NUM, LAB_AT(law_entry, law.offset_N), .min = 0, .max = 1e9},
      {"speed_m_per_s", CB_Y_NUM, LAB_AT(law_entry, law.speed_m_per_s), .min = 0, .max = 100},
      {"shared", CB_Y_NODE, LAB_AT(law_entry, shared)},
      {"points", CB_Y_NODE, LAB_AT(law_entry, points)},
      {"method", CB_Y_NODE, LAB_AT(law_entry, method), .required = true},
      {"knots", CB_Y_NODE, LAB_AT(law_entry, knots), .required = true},
      {"verdicts", CB_Y_NODE, LAB_AT(law_entry, verdicts), .required = true},
  };
  *e = (law_entry){.law.speed_m_per_s = NAN};
  CB_TRY(cb_yaml_bind(node, fields, sizeof fields / sizeof fields[0], e, err));
  e->law.model = (cb_friction_model)e->model;
  e->law.kind = (cb_friction_kind)e->kind;
  e->law.form = (cb_friction_form)e->form;
  e->law.origin = (cb_origin)e->origin;
  CB_TRY(lab_reference_check_origin(node, e->law.origin, "laws", err));
  if (!cb_yaml_scalar(e->method))
    return cb_yaml_fail(e->method, err, CB_E_PARSE, "method: a text was wanted");
  if (!cb_yaml_scalar(e->verdicts))
    return cb_yaml_fail(e->verdicts, err, CB_E_PARSE, "verdicts: one quoted JSON text was wanted");
  return CB_OK;
}

static cb_status read_number(cb_ynode list, size_t i, const char *what, double *v, cb_err *err) {
  const char *text = cb_yaml_scalar(cb_yaml_item(list, i));
  cb_status st = cb_parse_double(text ? text : "", what, v, err);
  if (st == CB_OK) return CB_OK;
  cb_err inner = *err;
  return cb_yaml_fail(list, err, st, "%s", inner.msg);
}

static cb_status read_knot(cb_ynode node, cb_friction_knot *k, cb_err *err) {
  double v[KNOT_NUMBERS];
  if (cb_yaml_count(node) != KNOT_NUMBERS)
    return cb_yaml_fail(
        node, err, CB_E_PARSE,
        "a knot is [N, f00, f01, f11, c00_00, c00_01, c00_11, c01_01, c01_11, c11_11]: %d numbers",
        KNOT_NUMBERS);
  for (size_t i = 0; i < KNOT_NUMBERS; i++) CB_TRY(read_number(node, i, "knot", &v[i], err));
  k->normal_force_N = v[0];
  memcpy(k->f_N, v + 1, sizeof k->f_N);
  size_t next = 4;
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) k->cov_N2[i][j] = k->cov_N2[j][i] = v[next++];
  return CB_OK;
}

static cb_status read_knots(law_entry *e, cb_err *err) {
  e->law.n_knots = cb_yaml_count(e->knots);
  if (e->law.n_knots < 1 || e->law.n_knots > CB_LAW_MAX_KNOTS)
    return cb_yaml_fail(e->knots, err, CB_E_RANGE, "knots: %zu of them, 1 to %d are allowed", e->law.n_knots,
                        CB_LAW_MAX_KNOTS);
  for (size_t i = 0; i < e->law.n_knots; i++)
    CB_TRY(read_knot(cb_yaml_item(e->knots, i), &e->law.knots[i], err));
  return CB_OK;
}

static cb_status read_part(cb_ynode node, size_t n_knots, cb_friction_shared *p, cb_err *err) {
  const char *source = cb_yaml_scalar(cb_yaml_item(node, 0));
  if (!source || cb_yaml_count(node) != 3 + 3 * n_knots)
    return cb_yaml_fail(
        node, err, CB_E_PARSE,
        "a shared part is [source, exponent below, above, then f00, f01, f11 of each knot]: %zu item%s",
        3 + 3 * n_knots, CB_S(3 + 3 * n_knots));
  (void)snprintf(p->source, sizeof p->source, "%s", source);
  for (size_t i = 0; i < 2; i++) CB_TRY(read_number(node, 1 + i, "exponent", &p->exponent[i], err));
  for (size_t i = 0; i < 3 * n_knots; i++)
    CB_TRY(read_number(node, 3 + i, "shared part", &p->f_N[i / 3][i % 3], err));
  return CB_OK;
}

static cb_status read_parts(law_entry *e, cb_err *err) {
  e->law.n_shared = cb_yaml_count(e->shared);
  if (e->law.n_shared > CB_LAW_MAX_SHARED)
    return cb_yaml_fail(e->shared, err, CB_E_RANGE, "shared: %zu part%s, at most %d are allowed",
                        e->law.n_shared, CB_S(e->law.n_shared), CB_LAW_MAX_SHARED);
  for (size_t i = 0; i < e->law.n_shared; i++)
    CB_TRY(read_part(cb_yaml_item(e->shared, i), e->law.n_knots, &e->law.shared[i], err));
  return CB_OK;
}

static cb_status put_law(cb_store *s, law_entry *e, const int64_t *points, size_t n, cb_err *err) {
  cb_material cloth, body;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, e->law.cloth, &cloth, err));
  CB_TRY(cb_store_material_find(s, CB_BODY, e->law.body, &body, err));
  return cb_store_law_put(s, &e->law, cloth.id, body.id, points, n, cb_yaml_scalar(e->method),
                          cb_yaml_scalar(e->verdicts), err);
}

cb_status lab_reference_build_friction(const lab_reference *r, cb_ynode item, cb_err *err) {
  law_entry e;
  int64_t *points;
  size_t n;
  CB_TRY(bind_law(item, &e, err));
  CB_TRY(read_knots(&e, err));
  CB_TRY(read_parts(&e, err));
  CB_TRY(lab_reference_read_ids(e.points, &points, &n, err));
  const cb_status st = put_law(r->s, &e, points, n, err);
  free(points);
  return st;
}

/* ---- row -> text ---- */

static void write_knot(FILE *f, const cb_friction_knot *k) {
  lab_reference_put_real(f, "      - [", k->normal_force_N);
  for (int i = 0; i < 3; i++) lab_reference_put_real(f, ", ", k->f_N[i]);
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) lab_reference_put_real(f, ", ", k->cov_N2[i][j]);
  fputs("]\n", f);
}

static void write_part(FILE *f, const cb_friction_shared *p, size_t n_knots) {
  bool word = p->source[0] && !p->source[strspn(p->source, "abcdefghijklmnopqrstuvwxyz_0123456789")];
  fputs("      - [", f);
  if (word)
    fputs(p->source, f);
  else
    lab_reference_put_text(f, p->source);
  for (int i = 0; i < 2; i++) lab_reference_put_real(f, ", ", p->exponent[i]);
  for (size_t i = 0; i < 3 * n_knots; i++) lab_reference_put_real(f, ", ", p->f_N[i / 3][i % 3]);
  fputs("]\n", f);
}

static void write_fields(FILE *f, const cb_friction_law *l) {
  fprintf(f, "  -\n");
  lab_reference_put_text_field(f, "cloth", l->cloth);
  lab_reference_put_text_field(f, "body", l->body);
  fprintf(f, "    kind: %s\n    form: %s\n    origin: %s\n", cb_friction_kind_names[l->kind],
          cb_friction_form_names[l->form], cb_origin_names[l->origin]);
  fprintf(f, "    model: %s\n", cb_friction_model_names[l->model]);
  lab_reference_put_real_field(f, "bend", l->bend);
  lab_reference_put_real_field(f, "offset_N", l->offset_N);
  if (!isnan(l->speed_m_per_s)) lab_reference_put_real_field(f, "speed_m_per_s", l->speed_m_per_s);
  lab_reference_put_real_field(f, "contact_area_m2", l->contact_area_m2);
  lab_reference_put_real_field(f, "exponent", l->exponent);
  lab_reference_put_real_field(f, "u_exponent", l->u_exponent);
  lab_reference_put_real_field(f, "u_rel_common", l->u_rel_common);
  lab_reference_put_real_field(f, "u_rel_model", l->u_rel_model);
  lab_reference_put_real_field(f, "dof", l->dof);
}

static void write_numbers(FILE *f, const cb_friction_law *l) {
  fprintf(f, "    knots:\n");
  for (size_t i = 0; i < l->n_knots; i++) write_knot(f, &l->knots[i]);
  if (l->n_shared) fprintf(f, "    shared:\n");
  for (size_t i = 0; i < l->n_shared; i++) write_part(f, &l->shared[i], l->n_knots);
}

static cb_status write_points(cb_store *s, FILE *f, int64_t law_id, cb_err *err) {
  int64_t *ids;
  size_t n;
  CB_TRY(cb_store_law_points(s, law_id, &ids, &n, err));
  lab_reference_put_ids(f, "points", ids, n);
  free(ids);
  return CB_OK;
}

static cb_status write_law(cb_store *s, FILE *f, const cb_friction_law *l, cb_err *err) {
  char *method, *verdicts, created[32];
  if (!cb_origin_is_real(l->origin))
    return cb_fail(
        err, CB_E_RANGE,
        "%s: the law of '%s' on '%s' is %s: a reference database holds measured or imported laws only",
        cb_store_path(s), l->cloth, l->body, cb_origin_names[l->origin]);
  CB_TRY(cb_store_law_info(s, l->id, &method, &verdicts, created, err));
  write_fields(f, l);
  const cb_status st = write_points(s, f, l->id, err);
  lab_reference_put_text_field(f, "method", method);
  write_numbers(f, l);
  lab_reference_put_text_field(f, "verdicts", verdicts);
  free(method);
  free(verdicts);
  return st;
}

cb_status lab_reference_write_friction(cb_store *s, FILE *f, cb_err *err) {
  cb_friction_law *list;
  size_t n;
  cb_status st = CB_OK;
  CB_TRY(cb_store_laws(s, &list, &n, err));
  fprintf(f,
          "# Friction laws of the reference database. Written by 'clothbench db text'; nobody types these "
          "numbers.\n"
          "# points: those that the fit took, as numbers of friction_point.\n"
          "# A knot is [normal force N, f00, f01, f11 N, covariance of these three: 00_00, 00_01, 00_11, "
          "01_01, 01_11, 11_11 N2].\n"
          "# A shared part is one standard uncertainty of one source: [source, exponent below, above, then "
          "f00, f01, f11 N of each knot].\n"
          "laws:\n");
  for (size_t i = 0; i < n && st == CB_OK; i++) st = write_law(s, f, &list[i], err);
  free(list);
  return st;
}
