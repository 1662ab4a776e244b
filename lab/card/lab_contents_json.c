#include "lab_contents.h"
#include "law.h"
#include "lab_material_parts.h"

static json_t *material_json(const lab_contents_material *m) {
  const cb_material *f = &m->facts;
  json_t *density = f->areal_density_kg_per_m2 > 0 ? json_real(f->areal_density_kg_per_m2) : json_null();
  return json_pack("{s:s, s:s, s:o, s:s, s:I, s:I}", "kind", cb_material_kind_names[f->kind], "name", f->name,
                   "areal_density_kg_per_m2", density, "origin", cb_origin_names[f->origin], "tests",
                   (json_int_t)m->tests, "drapes", (json_int_t)m->drapes);
}

static json_t *campaign_json(const lab_contents_campaign *c) {
  const cb_campaign *f = &c->facts;
  return json_pack("{s:I, s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:s, s:b}", "campaign_id", (json_int_t)f->id,
                   "name", f->name, "kind", cb_campaign_kind_names[f->kind], "origin",
                   cb_origin_names[f->origin], "runs", (json_int_t)c->runs, "runs_done",
                   (json_int_t)c->runs_done, "runs_voided", (json_int_t)c->runs_voided, "runs_flagged",
                   (json_int_t)c->runs_flagged, "created_at", f->created_at, "finished",
                   f->finished_at[0] != '\0');
}

static json_t *count_json(size_t n) { return n > 0 ? json_integer((json_int_t)n) : json_null(); }
static const char *name_or_null(const char *name) { return name[0] ? name : NULL; }

static json_t *law_json(const lab_contents_law *l) {
  bool friction = l->is_friction;
  char ref[LAW_REF];
  return json_pack("{s:s, s:I, s:s, s:s?, s:s?, s:s?, s:s?, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "ref",
                   law_ref(l->law, l->id, ref), "law_id", (json_int_t)l->id, "law", l->law, "cloth",
                   name_or_null(l->cloth), "body", name_or_null(l->body), "kind",
                   friction ? cb_friction_kind_names[l->kind] : NULL, "model",
                   friction ? cb_friction_model_names[l->model] : NULL, "form", l->form, "origin",
                   cb_origin_names[l->origin], "created_at", l->created_at, "points", count_json(l->points),
                   "tests", count_json(l->tests), "loads", count_json(l->loads), "lowest_normal_force_N",
                   friction ? json_real(l->lowest_normal_force_N) : json_null(), "highest_normal_force_N",
                   friction ? json_real(l->highest_normal_force_N) : json_null());
}

json_t *lab_contents_json(const char *db, const lab_contents *c) {
  json_t *materials = json_array(), *campaigns = json_array(), *laws = json_array(),
         *specimens = json_array();
  bool whole = true;
  for (size_t i = 0; i < c->n_materials; i++)
    whole &= json_array_append_new(materials, material_json(&c->materials[i])) == 0;
  for (size_t i = 0; i < c->n_campaigns; i++)
    whole &= json_array_append_new(campaigns, campaign_json(&c->campaigns[i])) == 0;
  for (size_t i = 0; i < c->n_specimens; i++)
    whole &= json_array_append_new(specimens, lab_specimen_facts_json(&c->specimens[i])) == 0;
  for (size_t i = 0; i < c->n_laws; i++) whole &= json_array_append_new(laws, law_json(&c->laws[i])) == 0;
  json_t *doc = json_pack("{s:s, s:o, s:o, s:o, s:o}", "database", db, "materials", materials, "specimens",
                          specimens, "campaigns", campaigns, "laws", laws);
  if (whole) return doc;
  json_decref(doc);
  return NULL;
}
