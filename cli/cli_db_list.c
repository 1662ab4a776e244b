/* clothbench db ls: what is in the file. One document, which --json prints and else a line for each entry. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_store_drape.h"
#include "cb_store_test.h"
#include "cb_store_self_friction.h"
#include "cb_text.h"
#include "cli.h"
#include "cli_db.h"

/* ---- the document ---- */

static cb_status append(json_t *list, json_t *entry, cb_err *err) {
  return json_array_append_new(list, entry) == 0 ? CB_OK : cb_fail(err, CB_E_NOMEM, "no memory for the list of a database");
}

static cb_status add_material(cb_store *s, const cb_material *m, json_t *list, cb_err *err) {
  cb_material_test *tests;
  cb_drape_test *drapes;
  size_t n_tests, n_drapes;
  CB_TRY(cb_store_tests(s, m->id, -1, &tests, &n_tests, err));
  free(tests);
  CB_TRY(cb_store_drapes(s, m->id, &drapes, &n_drapes, err));
  free(drapes);
  json_t *density = m->areal_density_kg_per_m2 > 0 ? json_real(m->areal_density_kg_per_m2) : json_null();
  return append(
      list,
      json_pack("{s:s, s:s, s:o, s:s, s:I, s:I}", "kind", cb_material_kind_names[m->kind], "name", m->name, "areal_density_kg_per_m2",
                density, "origin", cb_origin_names[m->origin], "tests", (json_int_t)n_tests, "drapes", (json_int_t)n_drapes),
      err);
}

static cb_status add_campaign(cb_store *s, const cb_campaign *c, json_t *list, cb_err *err) {
  cb_run *runs;
  size_t n, done = 0, flagged = 0;
  cb_run_filter f = cb_run_filter_all();
  f.campaign_id = c->id;
  CB_TRY(cb_store_runs(s, &f, &runs, &n, err));
  for (size_t k = 0; k < n; k++) done += runs[k].status == CB_RUN_DONE, flagged += runs[k].flags[0] != '\0';
  free(runs);
  return append(
      list,
      json_pack("{s:I, s:s, s:s, s:s, s:I, s:I, s:I, s:s, s:b}", "campaign_id", (json_int_t)c->id, "name", c->name, "kind",
                cb_campaign_kind_names[c->kind], "origin", cb_origin_names[c->origin], "runs", (json_int_t)n, "runs_done", (json_int_t)done,
                "runs_flagged", (json_int_t)flagged, "created_at", c->created_at, "finished", c->finished_at[0] != '\0'),
      err);
}

/* What every kind of law has; a law of friction adds its loads. */
static json_t *law_json(int64_t id, const char *law, const char *cloth, const char *body, const char *form, cb_origin origin,
                        const char *created_at) {
  return json_pack("{s:I, s:s, s:s?, s:s?, s:n, s:n, s:s, s:s, s:s, s:n, s:n, s:n, s:n, s:n}", "law_id", (json_int_t)id, "law", law,
                   "cloth", cloth, "body", body, "kind", "model", "form", form, "origin", cb_origin_names[origin], "created_at", created_at,
                   "points", "tests", "loads", "lowest_normal_force_N", "highest_normal_force_N");
}

static void set_integer(json_t *o, const char *key, size_t n) { (void)json_object_set_new(o, key, json_integer((json_int_t)n)); }

/* The points that went in; of a law that came whole, as many as it says. */
static cb_status count_points(cb_store *s, int64_t law_id, const char *verdicts_json, json_t *o, cb_err *err) {
  cb_run *runs;
  size_t n;
  CB_TRY(cb_store_law_runs(s, law_id, &runs, &n, err));
  free(runs);
  json_t *verdicts = json_loads(verdicts_json, 0, NULL);
  json_int_t told = json_integer_value(json_object_get(verdicts, "points"));
  json_decref(verdicts);
  if (n > 0 || told > 0) set_integer(o, "points", n > 0 ? n : (size_t)told);
  return CB_OK;
}

static cb_status add_friction(cb_store *s, const cb_friction_law *l, json_t *list, cb_err *err) {
  char *method, *verdicts, created[32];
  CB_TRY(cb_store_law_info(s, l->id, &method, &verdicts, created, err));
  json_t *o = law_json(l->id, "friction", l->cloth, l->body, cb_friction_form_names[l->form], l->origin, created);
  (void)json_object_set_new(o, "kind", json_string(cb_friction_kind_names[l->kind]));
  (void)json_object_set_new(o, "model", json_string(cb_friction_model_names[l->model]));
  set_integer(o, "loads", l->n_knots);
  (void)json_object_set_new(o, "lowest_normal_force_N", json_real(l->knots[0].normal_force_N));
  (void)json_object_set_new(o, "highest_normal_force_N", json_real(l->knots[l->n_knots - 1].normal_force_N));
  cb_status st = count_points(s, l->id, verdicts, o, err);
  free(method);
  free(verdicts);
  cb_status listed = append(list, o, err);
  return st == CB_OK ? listed : st;
}

static cb_status add_self_friction(cb_store *s, const cb_self_friction_row *row, json_t *list, cb_err *err) {
  cb_run *runs;
  size_t n;
  CB_TRY(cb_store_self_friction_runs(s, row->id, &runs, &n, err));
  free(runs);
  json_t *o = law_json(row->id, "self-friction", row->cloth, row->body, row->form, row->origin, row->created_at);
  if (n > 0) set_integer(o, "points", n);
  return append(list, o, err);
}

/* The newest of every kind: permeability, stretch, bending, elasticity. */
static cb_status add_material_laws(cb_store *s, const cb_material *m, json_t *list, cb_err *err) {
  for (int kind = 0; cb_material_law_kind_names[kind]; kind++) {
    cb_material_law l;
    cb_material_test *tests;
    size_t n;
    cb_status st = cb_store_material_law_find(s, m, (cb_material_law_kind)kind, &l, err);
    if (st == CB_E_NOTFOUND) continue;
    CB_TRY(st);
    free(l.result_json);
    CB_TRY(cb_store_material_law_tests(s, l.id, &tests, &n, err));
    free(tests);
    bool cloth = m->kind == CB_CLOTH;
    json_t *o =
        law_json(l.id, cb_material_law_kind_names[kind], cloth ? m->name : NULL, cloth ? NULL : m->name, l.form, l.origin, l.created_at);
    if (n > 0) set_integer(o, "tests", n);
    CB_TRY(append(list, o, err));
  }
  return CB_OK;
}

static cb_status list_materials(cb_store *s, json_t *materials, json_t *laws, cb_err *err) {
  cb_material *list;
  size_t n;
  cb_status st = CB_OK;
  CB_TRY(cb_store_materials(s, &list, &n, err));
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    st = add_material(s, &list[i], materials, err);
    if (st == CB_OK) st = add_material_laws(s, &list[i], laws, err);
  }
  free(list);
  return st;
}

static cb_status list_campaigns(cb_store *s, json_t *campaigns, cb_err *err) {
  cb_campaign *list;
  size_t n;
  cb_status st = CB_OK;
  CB_TRY(cb_store_campaigns(s, &list, &n, err));
  for (size_t i = 0; i < n && st == CB_OK; i++) st = add_campaign(s, &list[i], campaigns, err);
  free(list);
  return st;
}

static cb_status list_friction(cb_store *s, json_t *laws, cb_err *err) {
  cb_friction_law *list;
  size_t n;
  cb_status st = CB_OK;
  CB_TRY(cb_store_laws(s, &list, &n, err));
  for (size_t i = 0; i < n && st == CB_OK; i++) st = add_friction(s, &list[i], laws, err);
  free(list);
  return st;
}

static cb_status list_self_friction(cb_store *s, json_t *laws, cb_err *err) {
  cb_self_friction_row *list;
  size_t n;
  cb_status st = CB_OK;
  CB_TRY(cb_store_self_friction_list(s, 0, 0, &list, &n, err));
  for (size_t i = 0; i < n && st == CB_OK; i++) st = add_self_friction(s, &list[i], laws, err);
  cb_self_friction_rows_free(list, n);
  return st;
}

static cb_status gather(cb_store *s, json_t *doc, cb_err *err) {
  json_t *laws = json_object_get(doc, "laws");
  CB_TRY(list_materials(s, json_object_get(doc, "materials"), laws, err));
  CB_TRY(list_campaigns(s, json_object_get(doc, "campaigns"), err));
  CB_TRY(list_friction(s, laws, err));
  return list_self_friction(s, laws, err);
}

/* ---- on paper ---- */

/* The text that an object holds under a key, safe to show; "" where it holds none. */
static const char *text(const json_t *o, const char *key, char out[160]) {
  const char *t = json_string_value(json_object_get(o, key));
  return cb_text_show(t ? t : "", out, 160);
}

static void print_count(const json_t *o, const char *key, const char *one, const char *many) {
  json_int_t n = json_integer_value(json_object_get(o, key));
  if (n > 0) printf(", %lld %s", (long long)n, n == 1 ? one : many);
}

static void print_material(const json_t *m) {
  char kind[160], name[160];
  double density = cb_json_number(m, "areal_density_kg_per_m2");
  printf("%-8s  %-24s", text(m, "kind", kind), text(m, "name", name));
  if (density > 0) printf("  %6.1f g/m2", 1e3 * density);
  print_count(m, "tests", "test", "tests");
  print_count(m, "drapes", "drape", "drapes");
  printf("\n");
}

static void print_campaign(const json_t *c) {
  char name[160], kind[160], origin[160], created[160];
  printf("campaign  %-4lld %-24s %-9s %-9s %lld of %lld runs done, %s%s", (long long)json_integer_value(json_object_get(c, "campaign_id")),
         text(c, "name", name), text(c, "kind", kind), text(c, "origin", origin),
         (long long)json_integer_value(json_object_get(c, "runs_done")), (long long)json_integer_value(json_object_get(c, "runs")),
         text(c, "created_at", created), json_is_true(json_object_get(c, "finished")) ? "" : ", unfinished");
  json_int_t flagged = json_integer_value(json_object_get(c, "runs_flagged"));
  if (flagged > 0) printf(", %lld flagged", (long long)flagged);
  printf("\n");
}

static void print_law(const json_t *l) {
  char law[160], cloth[160], body[160], form[160], kind[160], origin[160];
  bool pair = json_is_string(json_object_get(l, "cloth")) && json_is_string(json_object_get(l, "body"));
  (void)text(l, "law", law);
  printf("law       %-4lld %s%s%s, ", (long long)json_integer_value(json_object_get(l, "law_id")), text(l, "cloth", cloth),
         pair ? " on " : "", text(l, "body", body));
  if (strcmp(law, "friction") == 0)
    printf("%s, ", text(l, "kind", kind));
  else if (strcmp(law, "self-friction") == 0)
    printf("both turned, two tensors, ");
  else
    printf("%s, ", law);
  printf("%s, %s", text(l, "form", form), text(l, "origin", origin));
  if (json_is_integer(json_object_get(l, "loads")))
    printf(", %lld loads %.3g to %.3g N", (long long)json_integer_value(json_object_get(l, "loads")),
           cb_json_number(l, "lowest_normal_force_N"), cb_json_number(l, "highest_normal_force_N"));
  print_count(l, "points", "point", "points");
  print_count(l, "tests", "test", "tests");
  printf("\n");
}

static int print(json_t *doc) {
  size_t i;
  json_t *o;
  json_array_foreach(json_object_get(doc, "materials"), i, o) print_material(o);
  json_array_foreach(json_object_get(doc, "campaigns"), i, o) print_campaign(o);
  json_array_foreach(json_object_get(doc, "laws"), i, o) print_law(o);
  json_decref(doc);
  return CLI_DONE;
}

int cli_db_list(const char *db, bool json) {
  cb_err err = {""};
  cb_store *s = NULL;
  json_t *doc = json_pack("{s:s, s:[], s:[], s:[]}", "database", db, "materials", "campaigns", "laws");
  cb_status st = doc ? cb_store_open(db, CB_STORE_READ, &s, &err) : cb_fail(&err, CB_E_NOMEM, "no memory for the list of %s", db);
  if (st == CB_OK) st = gather(s, doc, &err);
  cb_status closed = cb_store_close(s, st == CB_OK ? &err : NULL);
  if (st == CB_OK) st = closed;
  if (st == CB_OK) return json ? cli_print_json("db", doc) : print(doc);
  json_decref(doc);
  return cli_fail("db", st, &err);
}
