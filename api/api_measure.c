#include <stdlib.h>

#include "api_impl.h"
#include "lab_bending.h"
#include "lab_compression.h"
#include "lab_material_tests.h"
#include "lab_permeability.h"
#include "lab_self_friction.h"
#include "lab_slide.h"
#include "lab_stretch.h"

static cb_status import_tests(const lab_import *q, size_t kind, size_t *n, cb_err *err) {
  lab_material_tests t;
  const cb_status st = lab_import_tests(q, (cb_test_kind)kind, &t, err);
  *n = t.n;
  lab_material_tests_clear(&t);
  return st;
}

static cb_status import_friction(const lab_import *q, size_t *n, cb_err *err) {
  lab_friction_report r;
  const cb_status st = lab_import_friction(q, &r, err);
  *n = r.table.n_rows;
  fit_import_clear(&r.table);
  return st;
}

static const char *import_name(size_t i) { return i == 0 ? "friction" : cb_test_kind_names[i - 1]; }
#define IMPORTS ((size_t)CB_TEST_BUCKLING + 2)

clothbench_status clothbench_import(const char *path, const char *kind, const char *mapping,
                                    const char *table, size_t *n, clothbench_error *error) {
  const lab_import q = {.db = path, .mapping = mapping, .file = table};
  *n = 0;
  const size_t i = api_find_word(kind, "kind of table", import_name, IMPORTS, error);
  if (i == IMPORTS) return CLOTHBENCH_E_ARG;
  const cb_status st =
      i == 0 ? import_friction(&q, n, api_err(error)) : import_tests(&q, i - 1, n, api_err(error));
  if (st != CB_OK) *n = 0;
  return api_status(st);
}

/* ---- fits ---- */

static cb_status refuse_fit(const char *cloth, const char *what, cb_err *err) {
  return cb_fail(err, CB_E_NOTFOUND, "%s: the measurements allow no law of %s", cloth, what);
}

static cb_status make_friction(cb_store *s, const char *cloth, const char *body, cb_err *err) {
  lab_friction *f = calloc(1, sizeof *f);
  if (!f) return cb_no_memory(err, "a fit");
  const lab_selection all = {.origin = LAB_ANY_ORIGIN};
  char why[FIT_WHY];
  cb_status st = lab_friction_fit(s, cloth, body, &all, f, err);
  if (st == CB_OK && f->kinetic.fit.outcome != FIT_FRICTION_OK) {
    fit_friction_why(&f->kinetic.fit, why);
    st = cb_fail(err, CB_E_NOTFOUND, "%s on %s: no law of friction: %s", cloth, body, why);
  }
  lab_friction_clear(f);
  free(f);
  return st;
}

static cb_status make_self_friction(cb_store *s, const char *cloth, const char *body, cb_err *err) {
  lab_self_friction f;
  cb_status st = lab_self_friction_fit(s, cloth, body, LAB_ANY_ORIGIN, &f, err);
  if (st == CB_OK && f.fit.outcome != FIT_SELF_OK) st = refuse_fit(cloth, "self-friction", err);
  lab_self_friction_clear(&f);
  return st;
}

static cb_status make_stretch(cb_store *s, const char *cloth, cb_err *err) {
  lab_stretch *r = malloc(sizeof *r);
  if (!r) return cb_no_memory(err, "a fit");
  const lab_stretch_request q = {cloth, LAB_ANY_ORIGIN, fit_stretch_options_default()};
  cb_status st = lab_stretch_fit(s, &q, r, err);
  if (st == CB_OK && r->outcome != FIT_STRETCH_OK) st = refuse_fit(cloth, "stretch", err);
  lab_stretch_clear(r);
  free(r);
  return st;
}

static cb_status make_bending(cb_store *s, const char *cloth, cb_err *err) {
  lab_bending b;
  const lab_bending_request q = {.cloth = cloth, .origin = LAB_ANY_ORIGIN, .test = -1};
  const cb_status st = lab_bending_fit(s, &q, &b, err);
  return st == CB_OK && b.fit.outcome != FIT_BENDING_OK ? refuse_fit(cloth, "bending", err) : st;
}

static cb_status make_permeability(cb_store *s, const char *cloth, cb_err *err) {
  lab_permeability *list;
  size_t n;
  CB_TRY(lab_permeability_fit_all(s, cloth, NULL, &list, &n, err));
  const bool ok = n > 0 && list[0].fit.outcome == FIT_PERMEABILITY_OK;
  lab_permeabilities_free(list, n);
  return ok ? CB_OK : refuse_fit(cloth, "permeability", err);
}

static cb_status make_compression(cb_store *s, const char *cloth, cb_err *err) {
  lab_compression *list;
  size_t n;
  CB_TRY(lab_compression_fit_all(s, cloth, &list, &n, err));
  const bool ok = n > 0 && list[0].fit.outcome == FIT_COMPRESSION_OK;
  free(list);
  return ok ? CB_OK : refuse_fit(cloth, "compression", err);
}

clothbench_status clothbench_fit(clothbench_database *database, clothbench_kind kind, const char *cloth,
                                 const char *body, clothbench_error *error) {
  cb_store *s = database->store;
  cb_err *err = api_err(error);
  if (!database->writable)
    return api_status(
        cb_fail(err, CB_E_ARG, "%s is open for reading: writable was wanted", cb_store_path(s)));
  if (!cloth || (kind <= CLOTHBENCH_SELF_FRICTION) != (body != NULL))
    return api_status(cb_fail(err, CB_E_ARG, "a cloth, and a body for friction alone, were wanted"));
  switch (kind) {
    case CLOTHBENCH_KINETIC:
    case CLOTHBENCH_STATIC: return api_status(make_friction(s, cloth, body, err));
    case CLOTHBENCH_SELF_FRICTION: return api_status(make_self_friction(s, cloth, body, err));
    case CLOTHBENCH_STRETCH: return api_status(make_stretch(s, cloth, err));
    case CLOTHBENCH_BENDING: return api_status(make_bending(s, cloth, err));
    case CLOTHBENCH_PERMEABILITY: return api_status(make_permeability(s, cloth, err));
    case CLOTHBENCH_COMPRESSION: return api_status(make_compression(s, cloth, err));
  }
  return api_status(cb_fail(err, CB_E_ARG, "kind %d: a clothbench_kind was wanted", (int)kind));
}

/* ---- verdicts ---- */

clothbench_status clothbench_judge_slide(clothbench_database *database, int64_t run_id,
                                         clothbench_verdict *out, clothbench_error *error) {
  cb_err *err = api_err(error);
  cb_store *s = database->store;
  cb_run run;
  lab_slide_verdict *v = malloc(sizeof *v);
  if (!v) return api_status(cb_no_memory(err, "a verdict"));
  cb_status st = run_id == 0 ? lab_slide_newest(s, &run, err) : cb_store_run_get(s, run_id, &run, err);
  if (st == CB_OK) st = lab_slide_judge(s, &run, LAB_SLIDE_SLED, LAB_SLIDE_AREA, v, err);
  if (st == CB_OK) *out = (clothbench_verdict){run.id, v->pass, v->worst_en};
  free(v);
  return api_status(st);
}
