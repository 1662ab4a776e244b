#include "exch_material.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_version.h"
#include "exch_friction.h"
#include "exch_json.h"
#include "law.h"

#define FORMAT "clothbench-material"
#define VERSION 1
#define MAX_FRICTION 1000

void exch_material_clear(exch_material *m) {
  for (int i = 0; i < CB_LAW_KINDS; i++) free(m->laws[i].result_json);
  for (size_t i = 0; i < m->n_friction; i++) {
    free(m->friction[i].method);
    free(m->friction[i].verdicts_json);
  }
  free(m->friction);
  *m = (exch_material){.n_friction = 0};
}

/* ---- writing ---- */

static json_t *known(double v) { return v > 0 ? json_real(v) : json_null(); }

static json_t *facts_json(const cb_material *m) {
  return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:s}", "kind",
                   cb_material_kind_names[m->kind], "name", m->name, "composition", m->composition, "weave",
                   m->weave, "areal_density_kg_per_m2", known(m->areal_density_kg_per_m2),
                   "u_areal_density_kg_per_m2", known(m->u_areal_density_kg_per_m2), "thickness_m",
                   known(m->thickness_m), "u_thickness_m", known(m->u_thickness_m), "origin",
                   cb_origin_names[m->origin], "source", m->source);
}

/* NULL: out of memory. */
static json_t *law_json(const cb_material_law *l) {
  if (!l->result_json) return json_null();
  return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o}", "form", l->form, "origin", cb_origin_names[l->origin],
                   "source", l->source, "method", l->method, "created_at", l->created_at, "result",
                   json_loads(l->result_json, 0, NULL));
}

cb_status exch_material_write(const exch_material *m, char **text, cb_err *err) {
  json_t *doc = json_pack("{s:s, s:i, s:s, s:o}", "format", FORMAT, "version", VERSION, "program",
                          cb_version(), "material", facts_json(&m->facts));
  bool whole = doc != NULL;
  for (int i = 0; i < CB_LAW_KINDS; i++)
    whole &= json_object_set_new(doc, cb_material_law_kind_names[i], law_json(&m->laws[i])) == 0;
  json_t *friction = json_array();
  for (size_t i = 0; i < m->n_friction; i++)
    whole &= json_array_append_new(friction, exch_friction_json(&m->friction[i])) == 0;
  whole &= json_object_set_new(doc, "friction", friction) == 0;
  if (whole) return exch_json_dump(doc, text, err);
  json_decref(doc);
  return cb_no_memory(err, "the document of '%s'", m->facts.name);
}

/* ---- reading ---- */

static cb_status read_text(const exch_at *at, const char *key, char *out, size_t size, cb_err *err) {
  exch_at v;
  CB_TRY(exch_json_member(at, key, &v, err));
  return exch_json_text(&v, out, size, err);
}

static cb_status read_choice(const exch_at *at, const char *key, const char *const names[], int *out,
                             cb_err *err) {
  exch_at v;
  CB_TRY(exch_json_member(at, key, &v, err));
  return exch_json_choice(&v, names, out, err);
}

static cb_status read_known(const exch_at *at, const char *key, double *out, cb_err *err) {
  exch_at v;
  CB_TRY(exch_json_member(at, key, &v, err));
  *out = 0;
  return json_is_null(v.value) ? CB_OK : exch_json_cell(&v, "material", key, out, err);
}

/* Of files from before it was. */
static cb_status read_optional(const exch_at *at, const char *key, double *out, cb_err *err) {
  return json_object_get(at->value, key) ? read_known(at, key, out, err) : CB_OK;
}

static cb_status read_facts(const exch_at *root, cb_material *m, cb_err *err) {
  static const char *const keys[] = {"kind",
                                     "name",
                                     "composition",
                                     "weave",
                                     "areal_density_kg_per_m2",
                                     "thickness_m",
                                     "origin",
                                     "source",
                                     "u_areal_density_kg_per_m2",
                                     "u_thickness_m",
                                     NULL};
  exch_at at;
  int kind, origin;
  CB_TRY(exch_json_member(root, "material", &at, err));
  CB_TRY(exch_json_object(&at, keys, err));
  CB_TRY(read_choice(&at, "kind", cb_material_kind_names, &kind, err));
  CB_TRY(read_choice(&at, "origin", cb_origin_names, &origin, err));
  CB_TRY(read_text(&at, "name", m->name, sizeof m->name, err));
  CB_TRY(read_text(&at, "composition", m->composition, sizeof m->composition, err));
  CB_TRY(read_text(&at, "weave", m->weave, sizeof m->weave, err));
  CB_TRY(read_text(&at, "source", m->source, sizeof m->source, err));
  CB_TRY(read_known(&at, "areal_density_kg_per_m2", &m->areal_density_kg_per_m2, err));
  CB_TRY(read_known(&at, "thickness_m", &m->thickness_m, err));
  CB_TRY(read_optional(&at, "u_areal_density_kg_per_m2", &m->u_areal_density_kg_per_m2, err));
  CB_TRY(read_optional(&at, "u_thickness_m", &m->u_thickness_m, err));
  if (!m->name[0]) return cb_fail(err, CB_E_PARSE, "%s.name is empty", at.where);
  m->kind = (cb_material_kind)kind;
  m->origin = (cb_origin)origin;
  return CB_OK;
}

static cb_status read_law(const exch_at *root, int kind, cb_material_law *l, cb_err *err) {
  static const char *const keys[] = {"form", "origin", "source", "method", "created_at", "result", NULL};
  exch_at at, result;
  int origin;
  l->kind = (cb_material_law_kind)kind;
  if (law_of_kind(l->kind)->late && !json_object_get(root->value, cb_material_law_kind_names[kind]))
    return CB_OK;
  CB_TRY(exch_json_member(root, cb_material_law_kind_names[kind], &at, err));
  if (json_is_null(at.value)) return CB_OK;
  CB_TRY(exch_json_object(&at, keys, err));
  CB_TRY(read_text(&at, "form", l->form, sizeof l->form, err));
  CB_TRY(read_choice(&at, "origin", cb_origin_names, &origin, err));
  CB_TRY(read_text(&at, "source", l->source, sizeof l->source, err));
  CB_TRY(read_text(&at, "method", l->method, sizeof l->method, err));
  CB_TRY(read_text(&at, "created_at", l->created_at, sizeof l->created_at, err));
  l->origin = (cb_origin)origin;
  CB_TRY(exch_json_member(&at, "result", &result, err));
  return exch_json_verbatim(&result, &l->result_json, err);
}

/* A law belongs to the material if it is the law's cloth or body. */
static cb_status check_part(const exch_at *at, const cb_material *m, const cb_friction_law *l, cb_err *err) {
  const char *mine = m->kind == CB_CLOTH ? l->cloth : l->body;
  if (strcmp(mine, m->name) == 0) return CB_OK;
  return cb_fail(err, CB_E_RANGE, "%s.%s is '%s': '%s', the material of this file, was wanted", at->where,
                 cb_material_kind_names[m->kind], mine, m->name);
}

static cb_status read_friction(const exch_at *root, exch_material *m, cb_err *err) {
  exch_at list;
  CB_TRY(exch_json_member(root, "friction", &list, err));
  CB_TRY(exch_json_list(&list, 0, MAX_FRICTION, err));
  size_t n = json_array_size(list.value);
  m->friction = calloc(n ? n : 1, sizeof *m->friction);
  if (!m->friction) return cb_no_memory(err, "%zu friction laws", n);
  for (size_t i = 0; i < n; i++) {
    exch_at at = exch_json_item(&list, i);
    m->n_friction++;
    CB_TRY(exch_friction_read(&at, &m->friction[i], err));
    CB_TRY(check_part(&at, &m->facts, &m->friction[i].law, err));
  }
  return CB_OK;
}

/* What kind of document it is comes first: a material file of another program is refused as one, not by
 * its first unknown key. */
static cb_status check_format(const exch_at *root, cb_err *err) {
  const char *format = json_string_value(json_object_get(root->value, "format"));
  if (!format || strcmp(format, FORMAT) != 0)
    return cb_fail(err, CB_E_PARSE, "%s: \"format\": \"%s\" was wanted: this is another kind of file",
                   root->where, FORMAT);
  json_int_t version = json_integer_value(json_object_get(root->value, "version"));
  if (version == VERSION) return CB_OK;
  return cb_fail(err, CB_E_RANGE, "%s: version %lld: this program reads %d", root->where, (long long)version,
                 VERSION);
}

static cb_status read_document(const exch_at *root, exch_material *m, cb_err *err) {
#define KEY(NAME, name) #name,
  static const char *const keys[] = {"format",   "version",  "program",
                                     "material", "friction", CB_LAWS(KEY) NULL};
  char program[32];
  CB_TRY(check_format(root, err));
  CB_TRY(exch_json_object(root, keys, err));
  CB_TRY(read_text(root, "program", program, sizeof program, err));
  CB_TRY(read_facts(root, &m->facts, err));
  for (int i = 0; i < CB_LAW_KINDS; i++) {
    CB_TRY(read_law(root, i, &m->laws[i], err));
    if (m->laws[i].result_json && m->facts.kind != law_of_kind(m->laws[i].kind)->of)
      return cb_fail(err, CB_E_RANGE, "%s.%s: '%s' is a %s: this law is of %s", root->where,
                     cb_material_law_kind_names[i], m->facts.name, cb_material_kind_names[m->facts.kind],
                     m->facts.kind == CB_CLOTH ? "bodies" : "cloths");
  }
  return read_friction(root, m, err);
}

cb_status exch_material_read(const char *text, size_t n, const char *name, exch_material *m, cb_err *err) {
  json_t *doc;
  exch_at root;
  *m = (exch_material){.n_friction = 0};
  cb_status st = exch_json_parse(text, n, name, &doc, &root, err);
  if (st == CB_OK) st = read_document(&root, m, err);
  json_decref(doc);
  if (st != CB_OK) exch_material_clear(m);
  return st;
}
