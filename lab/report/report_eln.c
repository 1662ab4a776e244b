#include "report_eln.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_draft.h"
#include "cb_json.h"
#include "cb_store_query.h"
#include "lab_export.h"
#include "lab_tidy.h"
#include "report_eln_parts.h"
#include "report_plot_impl.h"
#include "report_page.h"
#include "report_plots.h"

#define NO_LICENSE "No licence was stated. Ask whoever measured before you use these data."

/* ---- tables ---- */

typedef struct table {
  lab_tidy what;
  const int64_t *runs;
  size_t n_runs;
  bool columns; /* what they mean, in place of the rows */
} table;

static cb_status write_table(cb_store *s, const table *t, char **data, size_t *n, cb_err *err) {
  cb_draft d;
  cb_status st = CB_OK;
  CB_TRY(cb_draft_begin(&d, err));
  if (t->columns)
    lab_tidy_dictionary(t->what, d.to);
  else
    st = lab_tidy_write(s, t->what, t->runs, t->n_runs, d.to, err);
  st = cb_draft_end(&d, st, data, err);
  *n = d.n;
  return st;
}

/* The table and its dictionary; *id: of the table. */
static cb_status add_table(report_eln *e, table t, const char **id, cb_err *err) {
  static const char *const what[] = {"runs with their conditions", "the friction of each run",
                                     "laws of friction, a row for each load", "readings as they came"};
  for (int columns = 0; columns < 2; columns++) {
    char name[64], text[120];
    report_crate_file f = {.name = name, .type = "text/csv", .description = text};
    t.columns = columns;
    (void)snprintf(name, sizeof name, "%s%s.csv", lab_tidy_names[t.what], columns ? ".columns" : "");
    (void)snprintf(text, sizeof text, "%s%s", columns ? "what the columns mean: " : "", what[t.what]);
    CB_TRY(write_table(e->data.store, &t, &f.data, &f.n, err));
    CB_TRY(report_crate_file_add(e->crate, &f, columns ? NULL : id, err));
  }
  return CB_OK;
}

/* ---- a campaign ---- */

/* The campaign or mapping file as it was. */
static cb_status add_plan(report_eln *e, const cb_campaign *c, cb_err *err) {
  json_t *rows;
  const cb_query_value id = {.number = (double)c->id};
  CB_TRY(cb_store_query(e->data.store, "SELECT plan_text FROM campaign WHERE id = ?", &id, 1, &rows, err));
  const char *text = json_string_value(json_array_get(json_array_get(json_object_get(rows, "rows"), 0), 0));
  char *copy = strdup(text ? text : "");
  json_decref(rows);
  if (!copy) return cb_no_memory(err, "the plan of a campaign");
  return report_crate_file_add(
      e->crate,
      &(report_crate_file){.name = c->kind == CB_CAMPAIGN_IMPORT ? "mapping.yaml" : "campaign.yaml",
                           .type = "application/yaml",
                           .description = "the file that was run or imported",
                           .data = copy,
                           .n = strlen(copy)},
      NULL, err);
}

static void add_condition(report_eln *e, json_t *dataset, const cb_campaign *c, const char *what,
                          double value, const char *unit) {
  char id[REPORT_ID_BYTES];
  json_t *list = json_object_get(dataset, "variableMeasured");
  if (isnan(value)) return;
  if (!list) (void)json_object_set_new(dataset, "variableMeasured", list = json_array());
  (void)snprintf(id, sizeof id, "#campaign-%lld-%s", (long long)c->id, what);
  report_crate_entity(e->crate, json_pack("{s:s, s:s, s:s, s:f, s:s}", "@id", id, "@type", "PropertyValue",
                                          "propertyID", what, "value", value, "unitText", unit));
  (void)json_array_append_new(list, report_crate_ref(id));
}

/* ids: with room for every run of the data. */
static size_t list_runs(const report_eln *e, int64_t campaign_id, int64_t *ids) {
  size_t n = 0;
  for (size_t i = 0; i < e->data.n_runs; i++)
    if (e->data.runs[i].campaign_id == campaign_id) ids[n++] = e->data.runs[i].id;
  return n;
}

static cb_status add_runs(report_eln *e, const cb_campaign *c, const char *person, const int64_t *ids,
                          size_t n, cb_err *err) {
  const char *points, *traces, *runs;
  if (n == 0) return CB_OK;
  CB_TRY(add_table(e, (table){.what = LAB_TIDY_RUNS, .runs = ids, .n_runs = n}, &runs, err));
  CB_TRY(add_table(e, (table){.what = LAB_TIDY_POINTS, .runs = ids, .n_runs = n}, &points, err));
  CB_TRY(add_table(e, (table){.what = LAB_TIDY_TRACES, .runs = ids, .n_runs = n}, &traces, err));
  for (size_t i = 0; i < e->data.n_runs; i++) {
    const cb_run *r = &e->data.runs[i];
    if (r->campaign_id == c->id) CB_TRY(report_eln_run(e, r, person, r->rate_Hz > 0 ? traces : points, err));
  }
  return CB_OK;
}

static cb_status add_campaign(report_eln *e, const cb_campaign *c, cb_err *err) {
  char stem[128], folder[140], person[REPORT_ID_BYTES];
  report_campaign_stem(c, stem);
  (void)snprintf(folder, sizeof folder, "%s/", stem);
  report_eln_person(e, c->operator_name, person);
  json_t *dataset = report_crate_dataset(e->crate, folder, c->name, person);
  (void)json_object_set_new(dataset, "identifier", json_string(c->uuid));
  (void)json_object_set_new(dataset, "dateCreated", json_string(c->created_at));
  (void)json_object_set_new(dataset, "keywords", json_string(cb_origin_names[c->origin]));
  add_condition(e, dataset, c, "temperature", c->temperature_degC, "degC");
  add_condition(e, dataset, c, "relative_humidity", c->humidity_percent, "%");
  CB_TRY(add_plan(e, c, err));
  int64_t *ids = malloc((e->data.n_runs + 1) * sizeof *ids);
  if (!ids) return cb_no_memory(err, "%zu runs", e->data.n_runs);
  const size_t n = list_runs(e, c->id, ids);
  const cb_status st = add_runs(e, c, person, ids, n, err);
  free(ids);
  return st;
}

/* ---- laws ---- */

/* The action that made the law from runs. */
static cb_status add_fit(report_eln *e, const cb_friction_law *law, const char *file, cb_err *err) {
  cb_run *runs = NULL;
  size_t n = 0;
  char id[REPORT_ID_BYTES], program[REPORT_ID_BYTES] = "", name[200], *method, *verdicts, created[32];
  CB_TRY(cb_store_law_info(e->data.store, law->id, &method, &verdicts, created, err));
  free(verdicts);
  cb_status st = cb_store_law_runs(e->data.store, law->id, &runs, &n, err);
  json_t *objects = json_array();
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    report_eln_run_id(&runs[i], id);
    (void)json_array_append_new(objects, report_crate_ref(id));
    /* Of a campaign that is not in the package: the run alone. */
    report_crate_entity(e->crate, json_pack("{s:s, s:s, s:s, s:s}", "@id", id, "@type", "CreateAction",
                                            "name", "run of another campaign", "identifier", runs[i].uuid));
  }
  (void)snprintf(id, sizeof id, "#fit-%lld", (long long)law->id);
  (void)snprintf(name, sizeof name, "%s law F%lld of '%s' on '%s'", cb_friction_kind_names[law->kind],
                 (long long)law->id, law->cloth, law->body);
  if (st == CB_OK) st = report_eln_program(e, "friction_law", law->id, program, err);
  report_crate_entity(e->crate,
                      json_pack("{s:s, s:s, s:s, s:s, s:s, s:{s:s}, s:o, s:{s:s}}", "@id", id, "@type",
                                "CreateAction", "name", name, "description", method, "endTime", created,
                                "instrument", "@id", program, "object", objects, "result", "@id", file));
  free(method);
  free(runs);
  return st;
}

static cb_status add_law_file(report_eln *e, report_pair pair, const char *stem, const char **id,
                              cb_err *err) {
  char name[160];
  lab_friction *f = calloc(1, sizeof *f);
  if (!f) return cb_no_memory(err, "a law");
  cb_status st = lab_friction_stored(e->data.store, report_data_name(&e->data, pair.cloth_id),
                                     report_data_name(&e->data, pair.body_id), f, err);
  json_t *doc = st == CB_OK ? lab_friction_json(f) : NULL;
  char *text = doc ? cb_json_text(doc) : NULL;
  json_decref(doc);
  lab_friction_clear(f);
  free(f);
  if (st == CB_OK && !text) st = cb_no_memory(err, "a law");
  (void)snprintf(name, sizeof name, "%s.json", stem);
  if (st != CB_OK) return st;
  return report_crate_file_add(e->crate,
                               &(report_crate_file){.name = name,
                                                    .type = "application/json",
                                                    .description = "laws of friction of a pair, every digit",
                                                    .data = text,
                                                    .n = strlen(text)},
                               id, err);
}

static cb_status add_figure(report_eln *e, report_plot *plot, const char *stem, const report_pair_figure *f,
                            cb_err *err) {
  char name[200], *svg;
  size_t n;
  if (report_plot_is_empty(plot)) return CB_OK;
  CB_TRY(report_gnuplot_svg(e->data.pen, plot, &svg, &n, err));
  (void)snprintf(name, sizeof name, "%s-%s.svg", stem, f->name);
  return report_crate_file_add(
      e->crate,
      &(report_crate_file){
          .name = name, .type = "image/svg+xml", .description = f->caption, .data = svg, .n = n},
      NULL, err);
}

static cb_status add_pair(report_eln *e, report_pair pair, cb_err *err) {
  char stem[128];
  const char *file = NULL;
  const cb_friction_law *law = report_data_law(&e->data, pair, CB_FRICTION_KINETIC);
  report_pair_stem(&e->data, pair, stem);
  if (law) CB_TRY(add_law_file(e, pair, stem, &file, err));
  for (int kind = CB_FRICTION_STATIC; law && kind <= CB_FRICTION_KINETIC; kind++) {
    const cb_friction_law *of_kind = report_data_law(&e->data, pair, (cb_friction_kind)kind);
    if (of_kind) CB_TRY(add_fit(e, of_kind, file, err));
  }
  for (const report_pair_figure *f = report_pair_figures; f->name; f++) {
    report_plot plot = {0};
    cb_status st = f->build(&plot, &e->data, pair, err);
    if (st == CB_OK) st = add_figure(e, &plot, stem, f, err);
    report_plot_clear(&plot);
    CB_TRY(st);
  }
  return CB_OK;
}

static bool is_pulled(const report_eln *e, int64_t material_id, const cb_campaign *list, size_t n) {
  for (size_t i = 0; i < e->data.n_runs; i++) {
    const cb_run *r = &e->data.runs[i];
    for (size_t k = 0; k < n && (r->cloth_id == material_id || r->body_id == material_id); k++)
      if (r->campaign_id == list[k].id) return true;
  }
  return false;
}

/* Everything that is known of each cloth and body of these campaigns. */
static cb_status add_materials(report_eln *e, const cb_campaign *list, size_t n, cb_err *err) {
  for (size_t i = 0; i < e->data.n_materials; i++) {
    const cb_material *m = &e->data.materials[i];
    char name[64], *text;
    bool beyond;
    if (!is_pulled(e, m->id, list, n)) continue;
    (void)snprintf(name, sizeof name, "material-%lld.json", (long long)m->id);
    CB_TRY(lab_export_material(e->data.store, m->name, LAB_EXPORT_JSON, NULL, &text, &beyond, err));
    const report_crate_file f = {.name = name,
                                 .type = "application/json",
                                 .description = "facts and laws of a material; 'import material' reads it",
                                 .data = text,
                                 .n = strlen(text)};
    CB_TRY(report_crate_file_add(e->crate, &f, NULL, err));
  }
  return CB_OK;
}

static bool is_among(const report_eln *e, report_pair pair, const cb_campaign *list, size_t n) {
  for (size_t i = 0; i < e->data.n_runs; i++)
    for (size_t k = 0; k < n && report_pair_is(pair, &e->data.runs[i]); k++)
      if (e->data.runs[i].campaign_id == list[k].id) return true;
  return false;
}

/* Of the pairs of these campaigns. */
static cb_status add_laws(report_eln *e, const cb_campaign *list, size_t n, cb_err *err) {
  report_pair *pairs;
  size_t n_pairs;
  char person[REPORT_ID_BYTES];
  report_eln_person(e, list[0].operator_name, person);
  (void)report_crate_dataset(e->crate, "laws/", "laws with figures", person);
  CB_TRY(add_materials(e, list, n, err));
  CB_TRY(report_data_pairs(&e->data, 0, &pairs, &n_pairs, err));
  cb_status st = CB_OK;
  for (size_t i = 0; i < n_pairs && st == CB_OK; i++)
    if (is_among(e, pairs[i], list, n)) st = add_pair(e, pairs[i], err);
  free(pairs);
  return st;
}

/* ---- the package ---- */

static void describe_root(report_eln *e, const report_eln_request *q, json_t *root) {
  char now[32];
  cb_store_now(e->data.store, now);
  (void)json_object_set_new(root, "datePublished", json_string(now));
  (void)json_object_set_new(
      root, "description",
      json_string("Friction measured with clothbench: tables with the meaning of every column, laws with "
                  "their uncertainty, figures, and what was made from what."));
  if (!q->license || !strstr(q->license, "://")) {
    (void)json_object_set_new(root, "license", json_string(q->license ? q->license : NO_LICENSE));
    return;
  }
  (void)json_object_set_new(root, "license", report_crate_ref(q->license));
  report_crate_entity(e->crate, json_pack("{s:s, s:s, s:s, s:s}", "@id", q->license, "@type", "CreativeWork",
                                          "name", q->license, "description", "licence of this package"));
}

static bool is_wanted(const report_eln_request *q, int64_t id) {
  for (size_t i = 0; i < q->n_campaigns; i++)
    if (q->campaigns[i] == id) return true;
  return q->n_campaigns == 0;
}

static cb_status check_wanted(cb_store *s, const report_eln_request *q, size_t n, cb_err *err) {
  cb_campaign c;
  for (size_t i = 0; i < q->n_campaigns; i++) CB_TRY(cb_store_campaign_get(s, q->campaigns[i], &c, err));
  return n > 0 ? CB_OK : cb_fail(err, CB_E_NOTFOUND, "%s: there are no campaigns", cb_store_path(s));
}

static cb_status fill(report_eln *e, const report_eln_request *q, cb_err *err) {
  cb_campaign *list;
  size_t all, n = 0;
  CB_TRY(cb_store_campaigns(e->data.store, &list, &all, err));
  for (size_t i = 0; i < all; i++)
    if (is_wanted(q, list[i].id)) list[n++] = list[i];
  cb_status st = check_wanted(e->data.store, q, n, err);
  if (st == CB_OK) st = report_eln_specimens(e, err);
  for (size_t i = 0; i < n && st == CB_OK; i++) st = add_campaign(e, &list[i], err);
  if (st == CB_OK) st = add_laws(e, list, n, err);
  free(list);
  return st;
}

cb_status report_eln_write(cb_store *s, const report_eln_request *q, const char *path, cb_err *err) {
  report_eln e = {.specimens = json_object()};
  cb_status st = report_data_load(s, 0, NULL, &e.data, err);
  if (st == CB_OK) st = report_pen_new(REPORT_PEN_LIMIT_S, &e.data.pen, err);
  if (st == CB_OK) st = report_crate_new(path, &e.crate, err);
  if (st == CB_OK) describe_root(&e, q, report_crate_root(e.crate));
  if (st == CB_OK) st = fill(&e, q, err);
  if (st == CB_OK) st = report_crate_write(e.crate, err);
  report_crate_free(e.crate);
  report_data_clear(&e.data);
  json_decref(e.specimens);
  return st;
}
