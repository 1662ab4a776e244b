/* Tests out of the store -> laws into the store. */
#include "lab_permeability.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_store_material_test.h"
#include "cb_array.h"
#include "lab_law.h"

/* ---- the tests of one cloth ---- */

typedef struct gathered {
  cb_material_test *list; /* owned */
  size_t n;
  cb_origin origin; /* the weakest of them */
  size_t *piece;    /* owned: see lab_law_piece */
  int64_t *ids;     /* owned: of the tests that are used */
  size_t n_ids;
  fit_permeability_point *points; /* owned */
  size_t n_points, capacity;
  double u_pressure_rel, u_velocity_rel;
} gathered;

static void clear_gathered(gathered *t) {
  free(t->list);
  free(t->piece);
  free(t->ids);
  free(t->points);
}

static double u_digit(double digit, double value) { return value > 0 ? digit / sqrt(12) / value : 0; }

static void put_points(gathered *t, const cb_material_test *test, size_t piece, const cb_test_point *p,
                       size_t n) {
  for (size_t k = 0; k < n; k++)
    t->points[t->n_points++] = (fit_permeability_point){.test = piece,
                                                        .pressure_Pa = p[k].x / test->layers,
                                                        .velocity_m_per_s = p[k].y,
                                                        .u_ln_pressure = u_digit(test->x_digit, p[k].x),
                                                        .u_ln_velocity = u_digit(test->y_digit, p[k].y)};
  t->ids[t->n_ids++] = test->id;
  t->u_pressure_rel = fmax(t->u_pressure_rel, test->u_x_rel);
  t->u_velocity_rel = fmax(t->u_velocity_rel, test->u_y_rel);
}

static cb_status add_points(cb_store *s, gathered *t, size_t piece, size_t i, cb_err *err) {
  cb_test_point *p = NULL;
  size_t n = 0;
  CB_TRY(cb_store_test_points(s, &t->list[i], &p, &n, err));
  fit_permeability_point *grown = cb_array_grow(t->points, &t->capacity, t->n_points + n + 1, sizeof *grown);
  if (grown) {
    t->points = grown;
    put_points(t, &t->list[i], piece, p, n);
  }
  free(p);
  return grown ? CB_OK : cb_no_memory(err, "%zu points", t->n_points + n);
}

static void keep_specimen(gathered *t, const char *specimen) {
  size_t kept = 0;
  for (size_t i = 0; i < t->n; i++)
    if (!specimen || strcmp(specimen, t->list[i].specimen) == 0) t->list[kept++] = t->list[i];
  t->n = kept;
}

static cb_status join_origins(cb_store *s, const cb_material *m, gathered *t, cb_err *err) {
  if (t->n > 0) t->origin = t->list[0].origin;
  for (size_t i = 0; i < t->n; i++) {
    cb_status st = cb_origin_join(&t->origin, t->list[i].origin, err);
    if (st != CB_OK) return cb_fail_in(err, st, "%s: permeability of '%s'", cb_store_path(s), m->name);
  }
  return CB_OK;
}

static cb_status gather_tests(cb_store *s, const char *specimen, const cb_material *m, gathered *t,
                              cb_err *err) {
  *t = (gathered){.n = 0};
  CB_TRY(cb_store_tests(s, m->id, CB_TEST_PERMEABILITY, &t->list, &t->n, err));
  keep_specimen(t, specimen);
  t->ids = malloc((t->n + 1) * sizeof *t->ids);
  t->piece = malloc((t->n + 1) * sizeof *t->piece);
  if (!t->ids || !t->piece) return cb_no_memory(err, "%zu tests", t->n);
  CB_TRY(join_origins(s, m, t, err));
  for (size_t i = 0; i < t->n; i++) t->piece[i] = lab_law_piece(t->list, i);
  for (size_t i = 0; i < t->n; i++)
    for (size_t k = i; k < t->n && t->piece[i] == i; k++)
      if (t->piece[k] == i) CB_TRY(add_points(s, t, i, k, err));
  return CB_OK;
}

/* ---- the result ---- */

static lab_kappa kappa_at(const cb_permeability_law *law, double pressure_Pa) {
  cb_permeability_layer one = {law, 1};
  cb_permeability_value v;
  cb_permeability_at_pressure(&one, 1, pressure_Pa, &v);
  double factor = cb_permeability_factor(v.u_ln_velocity, v.dof);
  return (lab_kappa){
      .pressure_Pa = pressure_Pa,
      .kappa_m_per_s = v.velocity_m_per_s,
      .u_m_per_s = v.velocity_m_per_s * v.u_ln_velocity,
      .low_m_per_s = v.velocity_m_per_s / factor,
      .high_m_per_s = isfinite(v.velocity_m_per_s * factor) ? v.velocity_m_per_s * factor : NAN,
      .inside_measured_range = v.inside_measured_range};
}

/* The pressure at which a standard has cloth for clothing tested: ISO 9237:1995 (100 Pa; 200 Pa for
 * industrial fabrics), ASTM D737-18 (125 Pa), BS 5636:1990 (10 mm of water, 98 Pa). */
static const struct standard {
  const char *name;
  double pressure_Pa;
} standards[] = {{"ISO 9237", 100}, {"ASTM D737", 125}, {"BS 5636", 98}};

static void tell_kappas(const char *method, lab_permeability *out) {
  static const double usual[] = {100, 125, 200};
  const cb_permeability_law *law = &out->fit.law;
  double own = law->one_pressure ? law->reference_Pa : 0;
  for (size_t i = 0; i < sizeof standards / sizeof standards[0]; i++)
    if (strncmp(method, standards[i].name, strlen(standards[i].name)) == 0) own = standards[i].pressure_Pa;
  for (size_t i = 0; i < 3; i++) out->kappa[out->n_kappa++] = kappa_at(law, usual[i]);
  if (own > 0 && own != 100 && own != 125 && own != 200) out->kappa[out->n_kappa++] = kappa_at(law, own);
}

static cb_status tell_specimens(lab_permeability *out, cb_err *err) {
  const fit_permeability_result *r = &out->fit;
  out->specimens = calloc(r->n_specimens + 1, sizeof *out->specimens);
  if (!out->specimens) return cb_no_memory(err, "%zu specimens", r->n_specimens);
  for (size_t i = 0; i < r->n_specimens; i++) {
    cb_permeability_law law = fit_permeability_specimen_law(r, i);
    out->specimens[i] =
        (lab_permeability_specimen){r->specimens[i].points, r->specimens[i].pressure_Pa, kappa_at(&law, 100)};
  }
  return CB_OK;
}

lab_permeability_terms lab_permeability_terms_of(const cb_permeability_law *law) {
  const cb_permeability_curve *c = &law->curve;
  bool power = c->form == CB_PERMEABILITY_POWER, inertial = c->form == CB_PERMEABILITY_FORCHHEIMER;
  double v = c->velocity_m_per_s, p = law->reference_Pa;
  return (lab_permeability_terms){.R_Pa_s_per_m = power ? NAN : (1 - c->shape) * p / v,
                                  .S_Pa_s2_per_m2 = inertial ? c->shape * p / (v * v) : NAN,
                                  .c_m_per_s = power ? v * pow(p, -c->shape) : NAN,
                                  .n = power ? c->shape : NAN};
}

static void clear_permeability(lab_permeability *r) {
  fit_permeability_clear(&r->fit);
  free(r->specimens);
  r->specimens = NULL;
}

void lab_permeabilities_free(lab_permeability *list, size_t n) {
  for (size_t i = 0; i < n; i++) clear_permeability(&list[i]);
  free(list);
}

/* ---- fit and store ---- */

static cb_status put_law(cb_store *s, const cb_material *m, const gathered *t, const lab_permeability *r,
                         cb_err *err) {
  const cb_permeability_law *l = &r->fit.law;
  cb_material_law row = {.material_id = m->id, .kind = CB_LAW_PERMEABILITY, .origin = l->origin};
  (void)snprintf(row.form, sizeof row.form, "%s", cb_permeability_form_names[l->curve.form]);
  (void)snprintf(row.method, sizeof row.method, "ln v: random effects of specimens; forms by AICc%s",
                 l->one_pressure ? "; one pressure: Darcy assumed" : "");
  return lab_law_put(s, &row, m->name, lab_permeability_json(r), t->ids, t->n_ids, err);
}

static cb_status tell_result(const cb_material *m, const gathered *t, lab_permeability *out, cb_err *err) {
  cb_permeability_law *law = &out->fit.law;
  (void)snprintf(law->material, sizeof law->material, "%s", m->name);
  law->origin = t->origin;
  out->n_tests = t->n_ids;
  CB_TRY(cb_permeability_law_check(law, err));
  tell_kappas(t->list[0].method, out);
  CB_TRY(tell_specimens(out, err));
  free(out->fit.specimens);
  out->fit.specimens = NULL;
  return CB_OK;
}

static cb_status fit_gathered(cb_store *s, const cb_material *m, const gathered *t, lab_permeability *out,
                              cb_err *err) {
  CB_TRY(fit_permeability(t->points, t->n_points, t->u_pressure_rel, t->u_velocity_rel, &out->fit, err));
  if (out->fit.outcome != FIT_PERMEABILITY_OK) return CB_OK;
  CB_TRY(tell_result(m, t, out, err));
  return put_law(s, m, t, out, err);
}

typedef struct laws {
  const char *cloth, *specimen; /* NULL: all */
  lab_permeability *list;       /* owned */
  size_t n, capacity;
} laws;

/* Of all cloths, those without a test are passed over. */
static cb_status fit_tests(cb_store *s, const cb_material *m, const gathered *t, laws *q, cb_err *err) {
  if (t->n_ids == 0 && !q->cloth) return CB_OK;
  lab_permeability *grown = cb_array_grow(q->list, &q->capacity, q->n + 1, sizeof *grown);
  if (!grown) return cb_no_memory(err, "the laws of %zu cloths", q->n + 1);
  q->list = grown;
  grown[q->n] = (lab_permeability){.n_tests = 0};
  (void)snprintf(grown[q->n].material, sizeof grown->material, "%s", m->name);
  return fit_gathered(s, m, t, &grown[q->n++], err);
}

static cb_status fit_cloth(cb_store *s, const cb_material *m, void *context, cb_err *err) {
  laws *q = context;
  gathered t;
  cb_status st = gather_tests(s, q->specimen, m, &t, err);
  if (st == CB_OK) st = fit_tests(s, m, &t, q, err);
  clear_gathered(&t);
  return st;
}

cb_status lab_permeability_fit_all(cb_store *s, const char *cloth, const char *specimen,
                                   lab_permeability **list, size_t *n, cb_err *err) {
  laws q = {.cloth = cloth, .specimen = specimen};
  cb_status st = lab_law_fit_cloths(s, cloth, fit_cloth, &q, err);
  if (st == CB_OK && q.n == 0)
    st = cb_fail(err, CB_E_NOTFOUND,
                 "%s: there are no tests of permeability%s%s%s: 'clothbench import permeability' adds some",
                 cb_store_path(s), specimen ? " of specimen '" : "", specimen ? specimen : "",
                 specimen ? "'" : "");
  if (st != CB_OK) {
    lab_permeabilities_free(q.list, q.n);
    q = (laws){.list = NULL};
  }
  *list = q.list;
  *n = q.n;
  return st;
}
