#include "lab_assumed.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_array.h"
#include "cb_json.h"
#include "cb_store_material_test.h"
#include "lab_bending.h"
#include "lab_cloth_laws.h"
#include "lab_friction.h"

typedef struct assumptions {
  lab_assumed *list;
  size_t n, capacity;
  bool failed;
} assumptions;

static void add_if(assumptions *a, bool is_assumed, const char *law, const char *what) {
  if (!is_assumed || a->failed) return;
  lab_assumed *grown = cb_array_grow(a->list, &a->capacity, a->n + 1, sizeof *grown);
  a->failed = !grown;
  if (!grown) return;
  a->list = grown;
  grown[a->n] = (lab_assumed){.what = what};
  (void)snprintf(grown[a->n++].law, sizeof grown->law, "%s", law);
}

static cb_status add_permeability(cb_store *s, const cb_material *m, const lab_cloth_laws *laws,
                                  assumptions *a, cb_err *err) {
  cb_material_law row;
  if (!laws->has_permeability) return CB_OK;
  CB_TRY(cb_store_material_law_find(s, m, CB_LAW_PERMEABILITY, &row, err));
  json_t *doc = cb_json_read(row.result_json); /* the law of this very text was read before */
  free(row.result_json);
  if (!doc) return cb_no_memory(err, "the permeability of '%s'", m->name);
  add_if(a, laws->permeability.one_pressure, "permeability",
         "One pressure was measured: the velocity is taken as proportional to the pressure.");
  add_if(a, json_is_true(json_object_get(doc, "scatter_assumed")), "permeability",
         "Too few readings: their scatter about the curve is a typical one.");
  add_if(a, json_is_true(json_object_get(doc, "specimen_sd_assumed")), "permeability",
         "Too few pieces: the scatter between pieces is a typical one.");
  json_decref(doc);
  return CB_OK;
}

static void add_stretch(const lab_cloth_laws *laws, assumptions *a) {
  const cb_stretch_law *law = &laws->stretch;
  if (!laws->has_stretch) return;
  add_if(a, law->n >= 3 && !law->form_tested, "stretch",
         "Fewer than four directions: the form between them is that of the strips' shape, not tested.");
}

static cb_status add_bending(cb_store *s, const cb_material *m, const lab_cloth_laws *laws, assumptions *a,
                             cb_err *err) {
  if (!laws->has_bending) return CB_OK;
  lab_bending *b = malloc(sizeof *b);
  if (!b) return cb_no_memory(err, "the bending of '%s'", m->name);
  const cb_status st = lab_bending_stored(s, m->name, b, err);
  if (st == CB_OK) {
    const bool fitted = b->source == LAB_BENDING_FITTED;
    add_if(a, b->source == LAB_BENDING_DRAPES, "bending",
           "Inferred from drapes, with a prior from other fabrics: a drape cannot test it.");
    add_if(a, fitted && b->fit.scatter_basis == FIT_ASSUMED, "bending",
           "Too few specimens: the scatter between specimens is a typical one.");
    add_if(a, fitted && b->fit.direction_basis == FIT_ASSUMED, "bending",
           "Too few directions: the uncertainty of the form over the directions is a typical one.");
    add_if(a, isnan(b->fit.law.width_N[0]) && isnan(b->fit.law.width_N[1]), "bending",
           "The hysteresis was not measured: predictions take it from other fabrics.");
  }
  free(b);
  return st;
}

static void add_friction_force(const lab_friction_force *f, const char *law, assumptions *a) {
  if (f->fit.n_points == 0) return;
  add_if(a, f->fit.scatter_basis == FIT_ASSUMED, law,
         "Too few repeats: the scatter from run to run is a typical one.");
  add_if(a, f->fit.exponent_basis == FIT_ASSUMED, law,
         "Too few loads: the exponent over the load is a typical one.");
  add_if(a, f->fit.direction_basis == FIT_ASSUMED, law,
         "Too few directions: the uncertainty over the directions is a typical one.");
}

static cb_status add_friction_law(cb_store *s, const cb_friction_law *law, assumptions *a, cb_err *err) {
  char name[96];
  lab_friction *f = calloc(1, sizeof *f);
  if (!f) return cb_no_memory(err, "the friction of '%s'", law->cloth);
  const cb_status st = lab_friction_law_read(s, law, f, err);
  (void)snprintf(name, sizeof name, "%s friction on %s", cb_friction_kind_names[law->kind], law->body);
  if (st == CB_OK) add_friction_force(law->kind == CB_FRICTION_KINETIC ? &f->kinetic : &f->stat, name, a);
  lab_friction_clear(f);
  free(f);
  return st == CB_E_DB ? CB_OK : st; /* a law whose fit cannot be read says nothing */
}

static cb_status add_friction(cb_store *s, const char *cloth, assumptions *a, cb_err *err) {
  cb_friction_law *list;
  cb_material m;
  size_t n;
  cb_status st = cb_store_material_find(s, CB_CLOTH, cloth, &m, err);
  if (st == CB_E_NOTFOUND) return CB_OK;
  if (st == CB_OK) st = cb_store_laws_of(s, m.id, &list, &n, err);
  if (st != CB_OK) return st;
  for (size_t i = 0; i < n && st == CB_OK; i++)
    if (strcmp(list[i].cloth, cloth) == 0) st = add_friction_law(s, &list[i], a, err);
  free(list);
  return st;
}

static cb_status gather_assumptions(cb_store *s, const char *cloth, lab_cloth_laws *laws, assumptions *a,
                                    cb_err *err) {
  cb_material m;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, cloth, &m, err));
  CB_TRY(lab_cloth_laws_load(s, cloth, NULL, laws, err));
  CB_TRY(add_permeability(s, &m, laws, a, err));
  add_stretch(laws, a);
  CB_TRY(add_bending(s, &m, laws, a, err));
  CB_TRY(add_friction(s, cloth, a, err));
  return a->failed ? cb_no_memory(err, "the assumptions on '%s'", cloth) : CB_OK;
}

cb_status lab_assumed_list(cb_store *s, const char *cloth, lab_assumed **list, size_t *n, cb_err *err) {
  assumptions a = {.list = NULL};
  *list = NULL;
  *n = 0;
  lab_cloth_laws *laws = malloc(sizeof *laws);
  if (!laws) return cb_no_memory(err, "the laws of '%s'", cloth);
  const cb_status st = gather_assumptions(s, cloth, laws, &a, err);
  free(laws);
  if (st != CB_OK) {
    free(a.list);
    return st;
  }
  *list = a.list;
  *n = a.n;
  return CB_OK;
}
