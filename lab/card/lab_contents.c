#include "lab_contents.h"

#include <stdio.h>
#include <stdlib.h>

#include "cb_store_count.h"
#include "cb_store_self_friction.h"
#include "cb_store_material_test.h"
#include "lab_friction_parts.h"

/* ---- one entry ---- */

/* Counts of one kind, for all ids of the database. */
typedef struct tally {
  cb_count *list;
  size_t n;
} tally;

static cb_status count_all(cb_store *s, cb_count_of of, tally *out, cb_err *err) {
  *out = (tally){NULL, 0};
  return cb_store_counts(s, of, 0, &out->list, &out->n, err);
}

static size_t count_of(const tally *t, int64_t id) { return cb_count_find(t->list, t->n, id); }

static void name_law(lab_contents_law *l, const char *law, const char *cloth, const char *body,
                     const char *form, const char *created_at) {
  l->law = law;
  (void)snprintf(l->cloth, sizeof l->cloth, "%s", cloth);
  (void)snprintf(l->body, sizeof l->body, "%s", body);
  (void)snprintf(l->form, sizeof l->form, "%s", form);
  (void)snprintf(l->created_at, sizeof l->created_at, "%s", created_at);
}

/* A law that came whole has no points here: as many as its verdicts say. */
static cb_status points_said(const char *verdicts_json, lab_contents_law *out, cb_err *err) {
  lab_friction said = {.n_runs = 0};
  cb_status st = lab_friction_verdicts_read(verdicts_json, out->kind, &said, err);
  out->points = out->kind == CB_FRICTION_KINETIC ? said.kinetic.fit.n_points : said.stat.fit.n_points;
  lab_friction_clear(&said);
  return st == CB_E_DB ? CB_OK : st; /* verdicts in another laboratory's words say nothing here */
}

static cb_status describe_friction(cb_store *s, const cb_friction_law *l, const tally *runs,
                                   lab_contents_law *out, cb_err *err) {
  char *method, *verdicts, created_at[32];
  CB_TRY(cb_store_law_info(s, l->id, &method, &verdicts, created_at, err));
  *out = (lab_contents_law){.id = l->id,
                            .is_friction = true,
                            .kind = l->kind,
                            .model = l->model,
                            .loads = l->n_knots,
                            .lowest_normal_force_N = l->knots[0].normal_force_N,
                            .highest_normal_force_N = l->knots[l->n_knots - 1].normal_force_N,
                            .origin = l->origin,
                            .points = count_of(runs, l->id)};
  name_law(out, "friction", l->cloth, l->body, cb_friction_form_names[l->form], created_at);
  cb_status st = out->points > 0 ? CB_OK : points_said(verdicts, out, err);
  free(method);
  free(verdicts);
  return st;
}

static void describe_material_law(const cb_material *m, const cb_material_law *l, const tally *tests,
                                  lab_contents_law *out) {
  bool cloth = m->kind == CB_CLOTH;
  *out = (lab_contents_law){.id = l->id, .origin = l->origin, .tests = count_of(tests, l->id)};
  name_law(out, cb_material_law_kind_names[l->kind], cloth ? m->name : "", cloth ? "" : m->name, l->form,
           l->created_at);
}

/* ---- the lists ---- */

static cb_status fail_memory(cb_err *err) { return cb_no_memory(err, "the list of a database"); }

static cb_status grow_laws(lab_contents *out, size_t more, cb_err *err) {
  lab_contents_law *grown = realloc(out->laws, (out->n_laws + more + 1) * sizeof *grown);
  if (!grown) return fail_memory(err);
  out->laws = grown;
  return CB_OK;
}

static cb_status list_materials(cb_store *s, lab_contents *out, cb_err *err) {
  cb_material *list;
  tally tests, drapes = {NULL, 0};
  CB_TRY(cb_store_materials(s, &list, &out->n_materials, err));
  cb_status st = count_all(s, CB_COUNT_MATERIAL_TESTS, &tests, err);
  if (st == CB_OK) st = count_all(s, CB_COUNT_MATERIAL_DRAPES, &drapes, err);
  out->materials = calloc(out->n_materials + 1, sizeof *out->materials);
  if (st == CB_OK && !out->materials) st = fail_memory(err);
  if (st != CB_OK) out->n_materials = 0;
  for (size_t i = 0; i < out->n_materials; i++)
    out->materials[i] = (lab_contents_material){
        .facts = list[i], .tests = count_of(&tests, list[i].id), .drapes = count_of(&drapes, list[i].id)};
  free(list);
  free(tests.list);
  free(drapes.list);
  return st;
}

static cb_status count_runs(cb_store *s, size_t most, lab_contents *out, cb_err *err) {
  static const cb_count_of what[] = {CB_COUNT_CAMPAIGN_RUNS, CB_COUNT_CAMPAIGN_DONE, CB_COUNT_CAMPAIGN_VOIDED,
                                     CB_COUNT_CAMPAIGN_FLAGGED};
  const size_t n = out->n_campaigns, first = most > 0 && n > most ? n - most : 0;
  for (int k = 0; k < 4 && n > 0; k++) {
    tally t = {NULL, 0};
    CB_TRY(cb_store_counts(s, what[k], out->campaigns[first].facts.id, &t.list, &t.n, err));
    for (size_t i = 0; i < out->n_campaigns; i++) {
      lab_contents_campaign *c = &out->campaigns[i];
      size_t *const into[] = {&c->runs, &c->runs_done, &c->runs_voided, &c->runs_flagged};
      *into[k] = count_of(&t, c->facts.id);
    }
    free(t.list);
  }
  return CB_OK;
}

static cb_status list_campaigns(cb_store *s, size_t most, lab_contents *out, cb_err *err) {
  cb_campaign *list;
  size_t n;
  CB_TRY(cb_store_campaigns(s, &list, &n, err));
  out->campaigns = calloc(n + 1, sizeof *out->campaigns);
  for (size_t i = 0; i < n && out->campaigns; i++) out->campaigns[out->n_campaigns++].facts = list[i];
  free(list);
  return out->campaigns ? count_runs(s, most, out, err) : fail_memory(err);
}

static const cb_material_law *find_law(const cb_material_law *list, size_t n, int64_t material_id, int kind) {
  for (size_t i = 0; i < n; i++)
    if (list[i].material_id == material_id && (int)list[i].kind == kind) return &list[i];
  return NULL;
}

/* The newest of every kind. */
static cb_status list_material_laws(cb_store *s, lab_contents *out, cb_err *err) {
  cb_material_law *list;
  size_t n;
  tally tests = {NULL, 0};
  CB_TRY(cb_store_material_laws(s, true, &list, &n, err));
  cb_status st = grow_laws(out, n, err);
  if (st == CB_OK) st = count_all(s, CB_COUNT_LAW_TESTS, &tests, err);
  for (size_t i = 0; i < out->n_materials && st == CB_OK; i++)
    for (int kind = 0; cb_material_law_kind_names[kind]; kind++) {
      const cb_material *m = &out->materials[i].facts;
      const cb_material_law *law = find_law(list, n, m->id, kind);
      if (law) describe_material_law(m, law, &tests, &out->laws[out->n_laws++]);
    }
  free(tests.list);
  cb_material_laws_free(list, n);
  return st;
}

static cb_status list_friction(cb_store *s, size_t most, lab_contents *out, cb_err *err) {
  cb_friction_law *list;
  size_t n;
  tally runs = {NULL, 0};
  CB_TRY(cb_store_laws_first(s, most, &list, &n, err));
  cb_status st = grow_laws(out, n, err);
  if (st == CB_OK) st = count_all(s, CB_COUNT_FRICTION_RUNS, &runs, err);
  for (size_t i = 0; i < n && st == CB_OK; i++)
    st = describe_friction(s, &list[i], &runs, &out->laws[out->n_laws++], err);
  free(runs.list);
  free(list);
  return st;
}

static cb_status list_self_friction(cb_store *s, lab_contents *out, cb_err *err) {
  cb_self_friction_row *list;
  size_t n;
  tally runs = {NULL, 0};
  CB_TRY(cb_store_self_friction_list(s, 0, 0, &list, &n, err));
  cb_status st = grow_laws(out, n, err);
  if (st == CB_OK) st = count_all(s, CB_COUNT_SELF_FRICTION_RUNS, &runs, err);
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    const cb_self_friction_row *row = &list[i];
    lab_contents_law *law = &out->laws[out->n_laws++];
    *law = (lab_contents_law){.id = row->id, .origin = row->origin, .points = count_of(&runs, row->id)};
    name_law(law, "self-friction", row->cloth, row->body, row->form, row->created_at);
  }
  free(runs.list);
  cb_self_friction_rows_free(list, n);
  return st;
}

cb_status lab_contents_read(cb_store *s, size_t most, lab_contents *out, cb_err *err) {
  *out = (lab_contents){.n_laws = 0};
  CB_TRY(list_materials(s, out, err));
  CB_TRY(list_material_laws(s, out, err));
  CB_TRY(list_campaigns(s, most, out, err));
  CB_TRY(cb_store_specimens(s, &out->specimens, &out->n_specimens, err));
  CB_TRY(list_friction(s, most, out, err));
  return list_self_friction(s, out, err);
}

void lab_contents_clear(lab_contents *c) {
  free(c->materials);
  free(c->campaigns);
  free(c->laws);
  free(c->specimens);
  *c = (lab_contents){.n_laws = 0};
}
