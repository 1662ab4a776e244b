/* Materials: cloths and bodies. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_text.h"
#include "cb_nearest.h"
#include "cb_store_impl.h"
#include "cb_store_rows_impl.h"

#define MATERIAL_COLUMNS                                                                     \
  "id, kind, name, composition, weave, areal_density_kg_per_m2, u_areal_density_kg_per_m2, " \
  "thickness_m, u_thickness_m, source, origin"

static double known(double v) { return isnan(v) ? 0 : v; }

static void read_material(sqlite3_stmt *q, void *item) {
  cb_material *m = item;
  m->id = sqlite3_column_int64(q, 0);
  m->kind = (cb_material_kind)cbs_enum(q, 1, cb_material_kind_names);
  cbs_text(q, 2, m->name, sizeof m->name);
  cbs_text(q, 3, m->composition, sizeof m->composition);
  cbs_text(q, 4, m->weave, sizeof m->weave);
  m->areal_density_kg_per_m2 = known(cbs_real(q, 5));
  m->u_areal_density_kg_per_m2 = known(cbs_real(q, 6));
  m->thickness_m = known(cbs_real(q, 7));
  m->u_thickness_m = known(cbs_real(q, 8));
  cbs_text(q, 9, m->source, sizeof m->source);
  m->origin = (cb_origin)cbs_enum(q, 10, cb_origin_names);
}

cb_status cb_store_material_put(cb_store *s, cb_material *m, cb_err *err) {
  return cbs_run(s, &m->id, err,
                 "INSERT INTO material(kind, name, composition, weave, areal_density_kg_per_m2, "
                 "u_areal_density_kg_per_m2, thickness_m, u_thickness_m, source, origin)"
                 " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                 "ttttpppptt", cb_material_kind_names[m->kind], m->name, m->composition, m->weave,
                 m->areal_density_kg_per_m2, m->u_areal_density_kg_per_m2, m->thickness_m, m->u_thickness_m,
                 m->source, cb_origin_names[m->origin]);
}

static cb_status find_material(cb_store *s, cb_material_kind kind, const char *name, cb_material *m,
                               bool *found, cb_err *err) {
  return cbs_one(s, read_material, m, found, err,
                 "SELECT " MATERIAL_COLUMNS " FROM material_now WHERE id = (" CBS_NAMED("?1", "?2") ")", "tt",
                 cb_material_kind_names[kind], name);
}

/* Names in doubt are near to nothing. */
static bool is_near(const cb_store *s, const cb_material *known, const cb_material *m) {
  return known->kind == m->kind && cb_names_alike(known->name, m->name) &&
         !cbs_names_noted(s, known->kind, known->name) && !cbs_names_noted(s, m->kind, m->name);
}

/* A reference is made of texts that somebody read. */
static cb_status add_material(cb_store *s, cb_material *m, cb_err *err) {
  cb_material *all = NULL;
  size_t n = 0, i = 0;
  if (s->trusts_names || s->mode == CB_STORE_BUILD) return cb_store_material_put(s, m, err);
  CB_TRY(cb_store_materials(s, &all, &n, err));
  while (i < n && !is_near(s, &all[i], m)) i++;
  cb_name_doubt d = {.kind = m->kind};
  memcpy(d.name, m->name, sizeof d.name);
  if (i < n) memcpy(d.known, all[i].name, sizeof d.known);
  const cb_status st = i < n ? cbs_names_doubt(s, &d, err) : CB_OK;
  free(all);
  return st == CB_OK ? cb_store_material_put(s, m, err) : st;
}

cb_status cb_store_material_ensure(cb_store *s, cb_material_kind kind, const char *name, cb_origin origin,
                                   int64_t *id, cb_err *err) {
  cb_material m;
  bool found;
  if (strlen(name) >= sizeof m.name)
    return cb_fail(err, CB_E_RANGE, "%s name '%.40s...': must be shorter than %zu bytes",
                   cb_material_kind_names[kind], name, sizeof m.name);
  CB_TRY(find_material(s, kind, name, &m, &found, err));
  if (!found) {
    m = (cb_material){.kind = kind, .origin = origin};
    (void)snprintf(m.name, sizeof m.name, "%s", name);
    CB_TRY(add_material(s, &m, err));
  }
  *id = m.id;
  return CB_OK;
}

/* Takes over a text or number that is new; a known one must agree, but for the last digits of its
 * spelling. */
static cb_status learn_text(const char *what, const char *told, char *known_text, size_t size, cb_err *err) {
  if (!told[0] || strcmp(told, known_text) == 0) return CB_OK;
  if (known_text[0])
    return cb_fail(err, CB_E_RANGE, "%s '%.80s' contradicts '%.80s', which is known already", what, told,
                   known_text);
  (void)snprintf(known_text, size, "%s", told);
  return CB_OK;
}

static cb_status learn_number(const char *what, double told, double *known_number, cb_err *err) {
  if (told == 0 || fabs(told - *known_number) <= 1e-9 * told) return CB_OK;
  if (*known_number > 0)
    return cb_fail(err, CB_E_RANGE, "%s = %.9g contradicts %.9g, which is known already", what, told,
                   *known_number);
  *known_number = told;
  return CB_OK;
}

static cb_status learn(cb_material *m, const cb_material *told, cb_err *err) {
  CB_TRY(learn_text("composition", told->composition, m->composition, sizeof m->composition, err));
  CB_TRY(learn_text("weave", told->weave, m->weave, sizeof m->weave, err));
  CB_TRY(learn_number("areal_density_kg_per_m2", told->areal_density_kg_per_m2, &m->areal_density_kg_per_m2,
                      err));
  CB_TRY(learn_number("u_areal_density_kg_per_m2", told->u_areal_density_kg_per_m2,
                      &m->u_areal_density_kg_per_m2, err));
  CB_TRY(learn_number("thickness_m", told->thickness_m, &m->thickness_m, err));
  CB_TRY(learn_number("u_thickness_m", told->u_thickness_m, &m->u_thickness_m, err));
  /* Where the facts are from: what stood there stays. */
  return m->source[0] ? CB_OK : learn_text("source", told->source, m->source, sizeof m->source, err);
}

cb_status cb_store_material_learn(cb_store *s, const cb_material *told, int64_t *id, cb_err *err) {
  cb_material m;
  bool found;
  CB_TRY(find_material(s, told->kind, told->name, &m, &found, err));
  if (!found) {
    m = *told;
    CB_TRY(add_material(s, &m, err));
    *id = m.id;
    return CB_OK;
  }
  cb_status st = learn(&m, told, err);
  if (st != CB_OK) return cb_fail_in(err, st, "%s: %s '%s'", s->path, cb_material_kind_names[m.kind], m.name);
  *id = m.id;
  return cbs_run(s, NULL, err,
                 "UPDATE material SET composition = ?, weave = ?, areal_density_kg_per_m2 = ?, "
                 "u_areal_density_kg_per_m2 = ?, thickness_m = ?, u_thickness_m = ?, source = ? WHERE id = ?",
                 "ttppppti", m.composition, m.weave, m.areal_density_kg_per_m2, m.u_areal_density_kg_per_m2,
                 m.thickness_m, m.u_thickness_m, m.source, m.id);
}

/* Lists what there is, and says which of them was probably meant. */
static cb_status fail_unknown(cb_store *s, cb_material_kind kind, const char *name, cb_err *err) {
  cb_material *all = NULL;
  size_t n = 0, nearest = strlen(name) / 3 + 1;
  char list[300] = "", meant[100] = "";
  CB_TRY(cb_store_materials(s, &all, &n, err));
  for (size_t i = 0; i < n; i++) {
    if (all[i].kind != kind) continue;
    cb_text_add(list, sizeof list, ", ", "%s", all[i].name);
    const size_t distance = cb_edit_distance(name, all[i].name);
    if (distance >= nearest) continue;
    nearest = distance;
    (void)snprintf(meant, sizeof meant, "; did you mean '%s'?", all[i].name);
  }
  free(all);
  return cb_fail(err, CB_E_NOTFOUND, "%s: no %s named '%s'%s%s there are: %s", cb_store_path(s),
                 cb_material_kind_names[kind], name, meant, meant[0] ? "" : ";", list[0] ? list : "(none)");
}

cb_status cb_store_material_find(cb_store *s, cb_material_kind kind, const char *name, cb_material *m,
                                 cb_err *err) {
  bool found;
  CB_TRY(find_material(s, kind, name, m, &found, err));
  if (found) return CB_OK;
  return fail_unknown(s, kind, name, err);
}

cb_status cb_store_materials(cb_store *s, cb_material **list, size_t *n, cb_err *err) {
  return cbs_list(s, read_material, sizeof **list, (void **)list, n, err,
                  "SELECT " MATERIAL_COLUMNS " FROM material_now WHERE is_id = id ORDER BY kind DESC, name",
                  "");
}
