#include "lab_contents.h"

#include <stdio.h>
#include <stdlib.h>

#include "cb_store_drape.h"
#include "cb_store_self_friction.h"
#include "cb_store_material_test.h"
#include "lab_friction_impl.h"

/* ---- one entry ---- */

static cb_status count_tests(cb_store *s, lab_contents_material *m, cb_err *err) {
  cb_material_test *tests;
  cb_drape_test *drapes;
  CB_TRY(cb_store_tests(s, m->facts.id, -1, &tests, &m->tests, err));
  free(tests);
  CB_TRY(cb_store_drapes(s, m->facts.id, &drapes, &m->drapes, err));
  free(drapes);
  return CB_OK;
}

static cb_status count_runs(cb_store *s, lab_contents_campaign *c, cb_err *err) {
  cb_run *runs;
  cb_run_filter f = cb_run_filter_all();
  f.campaign_id = c->facts.id;
  CB_TRY(cb_store_runs(s, &f, &runs, &c->runs, err));
  for (size_t k = 0; k < c->runs; k++)
    c->runs_done += runs[k].status == CB_RUN_DONE, c->runs_voided += runs[k].status == CB_RUN_VOIDED,
        c->runs_flagged += runs[k].flags[0] != '\0';
  free(runs);
  return CB_OK;
}

static void name_law(lab_contents_law *l, const char *law, const char *cloth, const char *body,
                     const char *form, const char *created_at) {
  l->law = law;
  (void)snprintf(l->cloth, sizeof l->cloth, "%s", cloth);
  (void)snprintf(l->body, sizeof l->body, "%s", body);
  (void)snprintf(l->form, sizeof l->form, "%s", form);
  (void)snprintf(l->created_at, sizeof l->created_at, "%s", created_at);
}

/* The points that went in; of a law that came whole, as many as it says. */
static cb_status count_points(cb_store *s, const char *verdicts_json, lab_contents_law *out, cb_err *err) {
  cb_run *runs;
  lab_friction said = {.n_runs = 0};
  CB_TRY(cb_store_law_runs(s, out->id, &runs, &out->points, err));
  free(runs);
  if (out->points > 0) return CB_OK;
  cb_status st = lab_friction_verdicts_read(verdicts_json, out->kind, &said, err);
  out->points = out->kind == CB_FRICTION_KINETIC ? said.kinetic.fit.n_points : said.stat.fit.n_points;
  lab_friction_clear(&said);
  return st == CB_E_DB ? CB_OK : st; /* verdicts in another laboratory's words say nothing here */
}

static cb_status describe_friction(cb_store *s, const cb_friction_law *l, lab_contents_law *out,
                                   cb_err *err) {
  char *method, *verdicts, created_at[32];
  CB_TRY(cb_store_law_info(s, l->id, &method, &verdicts, created_at, err));
  *out = (lab_contents_law){.id = l->id,
                            .is_friction = true,
                            .kind = l->kind,
                            .model = l->model,
                            .loads = l->n_knots,
                            .lowest_normal_force_N = l->knots[0].normal_force_N,
                            .highest_normal_force_N = l->knots[l->n_knots - 1].normal_force_N,
                            .origin = l->origin};
  name_law(out, "friction", l->cloth, l->body, cb_friction_form_names[l->form], created_at);
  cb_status st = count_points(s, verdicts, out, err);
  free(method);
  free(verdicts);
  return st;
}

static cb_status describe_self_friction(cb_store *s, const cb_self_friction_row *row, lab_contents_law *out,
                                        cb_err *err) {
  cb_run *runs;
  *out = (lab_contents_law){.id = row->id, .origin = row->origin};
  name_law(out, "self-friction", row->cloth, row->body, row->form, row->created_at);
  CB_TRY(cb_store_self_friction_runs(s, row->id, &runs, &out->points, err));
  free(runs);
  return CB_OK;
}

/* CB_E_NOTFOUND: the material has none of this kind. */
static cb_status describe_material_law(cb_store *s, const cb_material *m, cb_material_law_kind kind,
                                       lab_contents_law *out, cb_err *err) {
  cb_material_law l;
  cb_material_test *tests;
  bool cloth = m->kind == CB_CLOTH;
  CB_TRY(cb_store_material_law_find(s, m, kind, &l, err));
  free(l.result_json);
  *out = (lab_contents_law){.id = l.id, .origin = l.origin};
  name_law(out, cb_material_law_kind_names[kind], cloth ? m->name : "", cloth ? "" : m->name, l.form,
           l.created_at);
  CB_TRY(cb_store_material_law_tests(s, l.id, &tests, &out->tests, err));
  free(tests);
  return CB_OK;
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
  size_t n;
  CB_TRY(cb_store_materials(s, &list, &n, err));
  out->materials = calloc(n + 1, sizeof *out->materials);
  cb_status st = out->materials ? CB_OK : fail_memory(err);
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    out->materials[i].facts = list[i];
    st = count_tests(s, &out->materials[i], err);
    out->n_materials = i + 1;
  }
  free(list);
  return st;
}

static cb_status list_campaigns(cb_store *s, lab_contents *out, cb_err *err) {
  cb_campaign *list;
  size_t n;
  CB_TRY(cb_store_campaigns(s, &list, &n, err));
  out->campaigns = calloc(n + 1, sizeof *out->campaigns);
  cb_status st = out->campaigns ? CB_OK : fail_memory(err);
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    out->campaigns[i].facts = list[i];
    st = count_runs(s, &out->campaigns[i], err);
    out->n_campaigns = i + 1;
  }
  free(list);
  return st;
}

/* The newest of every kind: permeability, stretch, bending, elasticity. */
static cb_status list_material_laws(cb_store *s, lab_contents *out, cb_err *err) {
  for (size_t i = 0; i < out->n_materials; i++)
    for (int kind = 0; cb_material_law_kind_names[kind]; kind++) {
      CB_TRY(grow_laws(out, 1, err));
      cb_status st = describe_material_law(s, &out->materials[i].facts, (cb_material_law_kind)kind,
                                           &out->laws[out->n_laws], err);
      if (st == CB_E_NOTFOUND) continue;
      CB_TRY(st);
      out->n_laws++;
    }
  return CB_OK;
}

static cb_status list_friction(cb_store *s, lab_contents *out, cb_err *err) {
  cb_friction_law *list;
  size_t n;
  CB_TRY(cb_store_laws(s, &list, &n, err));
  cb_status st = grow_laws(out, n, err);
  for (size_t i = 0; i < n && st == CB_OK; i++)
    st = describe_friction(s, &list[i], &out->laws[out->n_laws++], err);
  free(list);
  return st;
}

static cb_status list_self_friction(cb_store *s, lab_contents *out, cb_err *err) {
  cb_self_friction_row *list;
  size_t n;
  CB_TRY(cb_store_self_friction_list(s, 0, 0, &list, &n, err));
  cb_status st = grow_laws(out, n, err);
  for (size_t i = 0; i < n && st == CB_OK; i++)
    st = describe_self_friction(s, &list[i], &out->laws[out->n_laws++], err);
  cb_self_friction_rows_free(list, n);
  return st;
}

cb_status lab_contents_read(cb_store *s, lab_contents *out, cb_err *err) {
  *out = (lab_contents){.n_laws = 0};
  CB_TRY(list_materials(s, out, err));
  CB_TRY(list_material_laws(s, out, err));
  CB_TRY(list_campaigns(s, out, err));
  CB_TRY(cb_store_specimens(s, &out->specimens, &out->n_specimens, err));
  CB_TRY(list_friction(s, out, err));
  return list_self_friction(s, out, err);
}

void lab_contents_clear(lab_contents *c) {
  free(c->materials);
  free(c->campaigns);
  free(c->laws);
  free(c->specimens);
  *c = (lab_contents){.n_laws = 0};
}
