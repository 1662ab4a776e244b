/* What a file of a FAB says -> rows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_store_figure.h"
#include "cb_store_material_test.h"
#include "lab_import_parts.h"
#include "lab_transact.h"

/* The machine's makers state the thickness to 1 mm. */
#define HALF_WIDTH_THICKNESS_M 1e-3

typedef struct arrival {
  const char *file, *cloth, *source;
  const lab_fab *fab;
  int64_t cloth_id;
} arrival;

static cb_status refuse_again(cb_store *s, const arrival *q, cb_err *err) {
  char when[32];
  CB_TRY(cb_store_test_fingerprint(s, CB_TEST_STRETCH, q->fab->fingerprint, when, err));
  if (!when[0]) return CB_OK;
  return cb_fail(err, CB_E_RANGE,
                 "%s: this very file was imported into %s on %s: its tests would count twice", q->file,
                 cb_store_path(s), when);
}

static cb_status put_facts(cb_store *s, arrival *q, cb_err *err) {
  const exch_fab *raw = &q->fab->raw;
  cb_material m = {
      .kind = CB_CLOTH, .origin = CB_IMPORTED, .areal_density_kg_per_m2 = raw->areal_density_kg_per_m2};
  m.thickness_m = raw->thickness_m;
  if (m.thickness_m > 0) m.u_thickness_m = HALF_WIDTH_THICKNESS_M / sqrt(3);
  if (strlen(q->cloth) >= sizeof m.name || strlen(q->source) >= sizeof m.source)
    return cb_fail(err, CB_E_ARG, "name and source of a cloth: at most %zu and %zu bytes were wanted",
                   sizeof m.name - 1, sizeof m.source - 1);
  (void)snprintf(m.name, sizeof m.name, "%s", q->cloth);
  (void)snprintf(m.source, sizeof m.source, "%s", q->source);
  return cb_store_material_learn(s, &m, &q->cloth_id, err);
}

/* What the tests of a strip share; `apart`: the clamps, 0 or 1 of lab_fab_clamps_cm. */
static cb_material_test row_of(const lab_fab *f, exch_fab_direction d, cb_test_kind kind, int apart) {
  cb_material_test row = {.kind = kind,
                          .direction_deg = lab_fab_angles_deg[d],
                          .layers = 1,
                          .areal_density_kg_per_m2 = f->raw.areal_density_kg_per_m2,
                          .temperature_degC = NAN,
                          .origin = CB_IMPORTED};
  (void)snprintf(row.method, sizeof row.method, "FAB, clamps %d cm apart", lab_fab_clamps_cm[apart]);
  (void)snprintf(row.specimen, sizeof row.specimen, "%s, %d cm", exch_fab_direction_names[d],
                 lab_fab_clamps_cm[apart]);
  return row;
}

static void sign_row(const arrival *q, cb_material_test *row) {
  row->material_id = q->cloth_id;
  (void)snprintf(row->source, sizeof row->source, "%s", q->source);
}

/* ---- stretch ---- */

/* A strip is slack while its clamps are nearer than it is long; by how much, surely. */
#define SLACK_M 0.5e-3

/* The zero of the force on the way up, which drifts from cycle to cycle. */
static double slack_force(const exch_fab_test *t, int cycle) {
  double sum = 0, n = 0, before = 0;
  for (size_t i = 0; i < t->n; i++) {
    const exch_fab_reading *r = &t->readings[i];
    if (r->cycle != cycle) continue;
    if (r->distance_m > t->length_m - SLACK_M) break;
    if (r->distance_m >= before) sum += r->force_N, n++;
    before = r->distance_m;
  }
  return n > 0 ? sum / n : 0;
}

static cb_status put_cycle(cb_store *s, const arrival *q, cb_material_test *row, const exch_fab_test *t,
                           int cycle, cb_err *err) {
  cb_test_point *p = calloc(t->n + 1, sizeof *p);
  const double zero_N = slack_force(t, cycle);
  size_t n = 0;
  if (!p) return cb_no_memory(err, "%zu readings", t->n);
  for (size_t i = 0; i < t->n; i++) {
    const exch_fab_reading *r = &t->readings[i];
    if (r->cycle != cycle) continue;
    if (n == 0) row->length_m = r->distance_m;
    p[n++] = (cb_test_point){r->distance_m - row->length_m, r->force_N - zero_N};
  }
  row->repeat = cycle + 1;
  const cb_status st = cb_store_test_put(s, row, p, n, "", q->fab->fingerprint, err);
  free(p);
  return st;
}

static cb_status put_stretch(cb_store *s, const arrival *q, exch_fab_direction d, exch_fab_kind k,
                             cb_err *err) {
  const exch_fab_test *t = &q->fab->raw.tests[d][k];
  cb_material_test row = row_of(q->fab, d, CB_TEST_STRETCH, k == EXCH_FAB_LONG_STRETCH);
  sign_row(q, &row);
  row.width_m = t->width_m;
  for (int c = 0; c < (int)t->cycles; c++) CB_TRY(put_cycle(s, q, &row, t, c, err));
  return CB_OK;
}

/* ---- buckling ---- */

cb_status lab_fab_buckled(const lab_fab *f, exch_fab_direction d, exch_fab_kind k, cb_material_test *row,
                          cb_test_point **points, cb_err *err) {
  const exch_fab_test *t = &f->raw.tests[d][k];
  const double sign = k == EXCH_FAB_UP ? -1 : 1;
  cb_test_point *p = calloc(t->n + 1, sizeof *p);
  if (!p) return cb_no_memory(err, "%zu readings", t->n);
  *row = row_of(f, d, CB_TEST_BUCKLING, k == EXCH_FAB_LONG_DOWN);
  *points = p;
  for (size_t i = 0; i < t->n; i++)
    p[i] = (cb_test_point){sign * (t->length_m - t->readings[i].distance_m), t->readings[i].force_N};
  row->length_m = t->length_m, row->width_m = t->width_m;
  row->repeat = k == EXCH_FAB_DOWN ? 2 : 1;
  row->u_y_rel = f->strips[d].low_force ? LAB_FAB_U_REL_LOW_FORCE : 0;
  return CB_OK;
}

static cb_status put_buckled(cb_store *s, const arrival *q, exch_fab_direction d, exch_fab_kind k,
                             cb_err *err) {
  cb_material_test row;
  cb_test_point *p;
  CB_TRY(lab_fab_buckled(q->fab, d, k, &row, &p, err));
  sign_row(q, &row);
  const cb_status st = cb_store_test_put(s, &row, p, q->fab->raw.tests[d][k].n, "", q->fab->fingerprint, err);
  free(p);
  return st;
}

/* ---- all of it ---- */

static cb_status put_figures(cb_store *s, const arrival *q, cb_err *err) {
  for (size_t i = 0; i < EXCH_FAB_FIGURES; i++) {
    const exch_fab_figure *g = &q->fab->raw.figures[i];
    cb_material_figure row = {.material_id = q->cloth_id, .value = g->value, .u = NAN, .origin = CB_IMPORTED};
    if (isnan(g->value)) continue;
    (void)snprintf(row.name, sizeof row.name, "%s", g->name);
    (void)snprintf(row.unit, sizeof row.unit, "not stated");
    (void)snprintf(row.conditions, sizeof row.conditions, "%s%s", g->warning[0] ? "warning: " : "",
                   g->warning);
    (void)snprintf(row.method, sizeof row.method, "FAB, vendor's");
    (void)snprintf(row.source, sizeof row.source, "%s", q->source);
    CB_TRY(cb_store_figure_put(s, &row, q->fab->fingerprint, err));
  }
  return CB_OK;
}

static cb_status put_all(cb_store *s, void *context, cb_err *err) {
  arrival *q = context;
  CB_TRY(refuse_again(s, q, err));
  CB_TRY(put_facts(s, q, err));
  for (int d = 0; d < EXCH_FAB_DIRECTIONS; d++)
    for (int k = 0; k < EXCH_FAB_KINDS; k++) {
      const exch_fab_direction along = (exch_fab_direction)d;
      const exch_fab_kind kind = (exch_fab_kind)k;
      CB_TRY(k < EXCH_FAB_STRETCH ? put_buckled(s, q, along, kind, err)
                                  : put_stretch(s, q, along, kind, err));
    }
  return put_figures(s, q, err);
}

/* A file that was imported before is refused before the fit, which takes seconds. */
static cb_status store_fab(cb_store *s, arrival *q, lab_fab *f, cb_err *err) {
  CB_TRY(refuse_again(s, q, err));
  CB_TRY(lab_fab_work_out(f, err));
  return lab_transact(s, put_all, q, err);
}

cb_status lab_import_fab(const lab_import *q, const char *cloth, const char *source, lab_fab *out,
                         cb_err *err) {
  cb_store *s;
  arrival all = {q->file, cloth, source ? source : q->file, out, 0};
  CB_TRY(lab_fab_read(q->file, out, err));
  CB_TRY(lab_import_open(q, &s, err));
  return cb_store_close_after(s, store_fab(s, &all, out, err), err);
}
