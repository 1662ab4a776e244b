/* laws.yaml: laws of one material as JSON, and the tests that
 * they rest on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_store_material_test.h"
#include "law.h"
#include "lab_reference_impl.h"

/* ---- text -> row ---- */

typedef struct law_entry {
  cb_material_law law;
  char material[64];
  int kind, origin;
  cb_ynode tests, result;
} law_entry;

static cb_status bind_law(cb_ynode item, law_entry *e, cb_err *err) {
  const cb_yfield fields[] = {
      {"material", CB_Y_STR, LAB_AT(law_entry, material), .required = true},
      {"kind", CB_Y_ENUM, LAB_AT(law_entry, kind), .required = true, .choices = cb_material_law_kind_names},
      {"form", CB_Y_STR, LAB_AT(law_entry, law.form), .required = true},
      {"origin", CB_Y_ENUM, LAB_AT(law_entry, origin), .required = true, .choices = cb_origin_names},
      {"source", CB_Y_STR, LAB_AT(law_entry, law.source)},
      {"method", CB_Y_STR, LAB_AT(law_entry, law.method), .required = true},
      {"tests", CB_Y_NODE, LAB_AT(law_entry, tests)},
      {"result", CB_Y_NODE, LAB_AT(law_entry, result), .required = true},
  };
  *e = (law_entry){.kind = 0};
  CB_TRY(cb_yaml_bind(item, fields, sizeof fields / sizeof fields[0], e, err));
  e->law.kind = (cb_material_law_kind)e->kind;
  e->law.origin = (cb_origin)e->origin;
  CB_TRY(lab_reference_check_origin(item, e->law.origin, "laws", err));
  if (!cb_yaml_scalar(e->result))
    return cb_yaml_fail(e->result, err, CB_E_PARSE, "result: one quoted JSON text was wanted");
  return law_check(e->law.kind, cb_yaml_scalar(e->result), err);
}

/* Laws of summary sheets come with their import. */
static cb_status find_same(cb_store *s, const cb_material *m, const law_entry *e, bool *found, cb_err *err) {
  cb_material_law law;
  *found = false;
  const cb_status st = cb_store_material_law_find(s, m, e->law.kind, &law, err);
  if (st == CB_E_NOTFOUND) return CB_OK;
  CB_TRY(st);
  *found = strcmp(law.result_json, cb_yaml_scalar(e->result)) == 0 && strcmp(law.method, e->law.method) == 0;
  free(law.result_json);
  return CB_OK;
}

static cb_status put_law(cb_store *s, law_entry *e, const int64_t *tests, size_t n, cb_err *err) {
  cb_material m;
  const cb_material_kind kind = law_of_kind(e->law.kind)->of;
  CB_TRY(cb_store_material_find(s, kind, e->material, &m, err));
  bool found;
  CB_TRY(find_same(s, &m, e, &found, err));
  if (found) return CB_OK;
  e->law.material_id = m.id;
  e->law.result_json = strdup(cb_yaml_scalar(e->result));
  if (!e->law.result_json) return cb_no_memory(err, "a law of '%s'", m.name);
  const cb_status st = cb_store_material_law_put(s, &e->law, tests, n, err);
  free(e->law.result_json);
  return st;
}

cb_status lab_reference_build_law(const lab_reference *r, cb_ynode item, cb_err *err) {
  law_entry e;
  int64_t *tests;
  size_t n;
  CB_TRY(bind_law(item, &e, err));
  CB_TRY(lab_reference_read_ids(e.tests, &tests, &n, err));
  const cb_status st = put_law(r->s, &e, tests, n, err);
  free(tests);
  return st;
}

/* ---- row -> text ---- */

static cb_status write_tests(cb_store *s, FILE *f, int64_t law_id, cb_err *err) {
  cb_material_test *tests;
  size_t n;
  CB_TRY(cb_store_material_law_tests(s, law_id, &tests, &n, err));
  int64_t *ids = malloc((n + 1) * sizeof *ids);
  for (size_t i = 0; ids && i < n; i++) ids[i] = tests[i].id;
  if (ids) lab_reference_put_ids(f, "tests", ids, n);
  free(ids);
  free(tests);
  return ids ? CB_OK : cb_no_memory(err, "%zu tests", n);
}

static cb_status write_law(cb_store *s, FILE *f, const cb_material *m, const cb_material_law *l,
                           cb_err *err) {
  if (!cb_origin_is_real(l->origin))
    return cb_fail(err, CB_E_RANGE,
                   "%s: the %s law of '%s' is %s: a reference database holds measured or imported laws only",
                   cb_store_path(s), cb_material_law_kind_names[l->kind], m->name,
                   cb_origin_names[l->origin]);
  fprintf(f, "  -\n");
  lab_reference_put_text_field(f, "material", m->name);
  fprintf(f, "    kind: %s\n    form: %s\n    origin: %s\n", cb_material_law_kind_names[l->kind], l->form,
          cb_origin_names[l->origin]);
  if (l->source[0]) lab_reference_put_text_field(f, "source", l->source);
  lab_reference_put_text_field(f, "method", l->method);
  CB_TRY(write_tests(s, f, l->id, err));
  lab_reference_put_text_field(f, "result", l->result_json);
  return CB_OK;
}

static cb_status write_newest(cb_store *s, FILE *f, const cb_material *m, cb_material_law_kind kind,
                              cb_err *err) {
  cb_material_law law;
  cb_status st = cb_store_material_law_find(s, m, kind, &law, err);
  if (st == CB_E_NOTFOUND) return CB_OK;
  if (st == CB_OK) st = write_law(s, f, m, &law, err);
  free(law.result_json);
  return st;
}

cb_status lab_reference_write_laws(cb_store *s, FILE *f, cb_err *err) {
  cb_material *list;
  size_t n;
  cb_status st = CB_OK;
  CB_TRY(cb_store_materials(s, &list, &n, err));
  fprintf(f,
          "# Laws of one material. Written by 'clothbench db text'; nobody types these numbers.\n"
          "# tests: those that the fit took, as numbers of material_test. result: docs/reference/json.\n"
          "laws:\n");
  for (size_t i = 0; i < n && st == CB_OK; i++)
    for (int kind = 0; cb_material_law_kind_names[kind] && st == CB_OK; kind++)
      st = write_newest(s, f, &list[i], (cb_material_law_kind)kind, err);
  free(list);
  return st;
}
