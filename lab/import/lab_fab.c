/* A file of a FAB -> fitted strips and loops. */
#include "lab_import_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_file.h"
#include "cb_num.h"
#include "fit_bending.h"
#include "fit_loop.h"
#include "lab_sha256.h"

const int lab_fab_angles_deg[] = {0, 90, 45}, lab_fab_clamps_cm[] = {2, 8};

#define MAX_BYTES ((size_t)64 << 20)

/* ---- buckled strips ---- */

/* Readings with a shortening up to `most` of the length. Sliders forget what is left out once the strip comes
 * back by twice their onset. */
static cb_status fit_strip(const lab_fab *f, const exch_fab_test *t, bool up, double most,
                           const fit_buckled_result *of, fit_buckled_result *out, cb_err *err) {
  fit_buckled_reading *r = calloc(t->n + 1, sizeof *r);
  if (!r) return cb_no_memory(err, "%zu readings", t->n);
  fit_buckled_input in = {.readings = r,
                          .length_m = t->length_m,
                          .width_m = t->width_m,
                          .areal_density_kg_per_m2 = f->raw.areal_density_kg_per_m2,
                          .up = up};
  for (size_t i = 0; i < t->n; i++) {
    const exch_fab_reading *from = &t->readings[i];
    if (t->length_m - from->distance_m > most * t->length_m) continue;
    r[in.n++] = (fit_buckled_reading){from->distance_m, from->force_N, from->cycle};
  }
  const cb_status st =
      of ? fit_buckled_weight(&in, of->B_Nm, of->onset_per_m, out, err) : fit_buckled(&in, out, err);
  free(r);
  return st;
}

static double en_of(const fit_buckled_result *a, const fit_buckled_result *b) {
  return fabs(a->B_Nm - b->B_Nm) / (2 * hypot(a->u_B_Nm, b->u_B_Nm));
}

static cb_status fit_direction(lab_fab *f, exch_fab_direction d, cb_err *err) {
  lab_fab_strip *s = &f->strips[d];
  const exch_fab_test *t = f->raw.tests[d];
  s->low_force = exch_fab_low_force(&f->raw, d);
  s->en = s->load = NAN;
  s->hanging = (fit_buckled_result){.outcome = FIT_BUCKLED_NOT_FOUND};
  CB_TRY(fit_strip(f, &t[EXCH_FAB_UP], true, 1, NULL, &s->up, err));
  CB_TRY(fit_strip(f, &t[EXCH_FAB_DOWN], false, 1, NULL, &s->down, err));
  if (s->up.outcome == FIT_BUCKLED_OK && s->down.outcome == FIT_BUCKLED_OK) s->en = en_of(&s->up, &s->down);
  return CB_OK;
}

/* ---- the law that `fit bending` makes of the strips of 2 cm ---- */

#define STRIPS (2 * EXCH_FAB_DIRECTIONS)

static void take_law(const fit_bending_result *r, lab_fab *f) {
  for (int d = 0; d < EXCH_FAB_DIRECTIONS; d++)
    for (size_t k = 0; k < r->n_directions; k++) {
      const fit_bending_direction *from = &r->directions[k];
      const double low = f->strips[d].low_force ? LAB_FAB_U_REL_LOW_FORCE : 0;
      if (from->angle_deg == lab_fab_angles_deg[d])
        f->strips[d].mean = (lab_fab_mean){from->B_Nm, hypot(from->u_B_Nm, low * from->B_Nm), from->width_N,
                                           hypot(from->u_width_N, low * from->width_N), r->law.dof};
    }
}

static cb_status fit_law(lab_fab *f, cb_err *err) {
  cb_material_test tests[STRIPS];
  cb_test_point *points[STRIPS] = {NULL};
  fit_bending_input in[STRIPS];
  const fit_bending_options opt = fit_bending_options_default();
  fit_bending_result *r = malloc(sizeof *r);
  cb_status st = r ? CB_OK : cb_no_memory(err, "a law of bending");
  for (size_t i = 0; st == CB_OK && i < STRIPS; i++) {
    const exch_fab_direction d = (exch_fab_direction)(i / 2);
    st = lab_fab_buckled(f, d, i % 2 ? EXCH_FAB_DOWN : EXCH_FAB_UP, &tests[i], &points[i], err);
    in[i] = (fit_bending_input){&tests[i], points[i], f->raw.tests[d][i % 2 ? EXCH_FAB_DOWN : EXCH_FAB_UP].n};
  }
  if (st == CB_OK) st = fit_bending(in, STRIPS, &opt, r, NULL, err);
  if (st == CB_OK && r->outcome == FIT_BENDING_OK) take_law(r, f);
  for (size_t i = 0; i < STRIPS; i++) free(points[i]);
  free(r);
  return st;
}

static cb_status fit_hanging(lab_fab *f, exch_fab_direction d, cb_err *err) {
  lab_fab_strip *s = &f->strips[d];
  const exch_fab_test *hanging = &f->raw.tests[d][EXCH_FAB_LONG_DOWN];
  if (!(s->mean.B_Nm > 0)) return CB_OK;
  s->load = f->raw.areal_density_kg_per_m2 * CB_STANDARD_GRAVITY_M_PER_S2 * pow(hanging->length_m, 3) /
            s->mean.B_Nm;
  return fit_strip(f, hanging, false, LAB_FAB_FREE_SHORTENING, &s->down, &s->hanging, err);
}

/* ---- loops of stretch ---- */

static cb_status measure_loop(const exch_fab_test *t, int cycle, fit_loop *out, cb_err *err) {
  cb_test_point *p = calloc(t->n + 1, sizeof *p);
  size_t n = 0;
  if (!p) return cb_no_memory(err, "%zu readings", t->n);
  *out = (fit_loop){.amplitude = 0};
  for (size_t i = 0; i < t->n; i++) {
    if (t->readings[i].cycle != cycle) continue;
    p[n++] = (cb_test_point){t->readings[i].distance_m, t->readings[i].force_N};
    out->amplitude = fmax(out->amplitude, t->readings[i].distance_m / t->length_m - 1);
  }
  out->area_J = fit_loop_area(p, n);
  free(p);
  return CB_OK;
}

static cb_status predict_loops(const exch_fab_test *t, lab_fab_loop out[LAB_FAB_LOOPS], cb_err *err) {
  fit_loop all[EXCH_FAB_MAX_CYCLES];
  bool tells = t->cycles == 4;
  for (int i = 0; i < LAB_FAB_LOOPS; i++) out[i] = (lab_fab_loop){NAN, NAN, NAN};
  for (int c = 0; c < 4 && tells; c++) {
    CB_TRY(measure_loop(t, c, &all[c], err));
    tells = all[c].amplitude > (c > 0 ? all[c - 1].amplitude : 0) && all[c].area_J > 0;
  }
  for (int i = 0; i < LAB_FAB_LOOPS && tells; i++) {
    const fit_loop known[3] = {all[0], i == 0 ? all[2] : all[1], all[3]};
    out[i].measured_J = all[1 + i].area_J;
    out[i].predicted_J = fit_loop_predict(known, all[1 + i].amplitude, &out[i].u_J);
  }
  return CB_OK;
}

/* ---- the file ---- */

cb_status lab_fab_work_out(lab_fab *f, cb_err *err) {
  for (int d = 0; d < EXCH_FAB_DIRECTIONS; d++) {
    CB_TRY(fit_direction(f, (exch_fab_direction)d, err));
    for (int k = EXCH_FAB_STRETCH; k <= EXCH_FAB_LONG_STRETCH; k++) {
      const exch_fab_test *t = &f->raw.tests[d][k];
      CB_TRY(predict_loops(t, f->strips[d].loops[k - EXCH_FAB_STRETCH], err));
      f->tests += t->cycles, f->points += t->n;
    }
    f->buckled += EXCH_FAB_STRETCH;
  }
  CB_TRY(fit_law(f, err));
  for (int d = 0; d < EXCH_FAB_DIRECTIONS; d++) CB_TRY(fit_hanging(f, (exch_fab_direction)d, err));
  return CB_OK;
}

cb_status lab_fab_read(const char *path, lab_fab *out, cb_err *err) {
  char *text = NULL, digest[65];
  size_t n;
  *out = (lab_fab){.tests = 0};
  CB_TRY(cb_file_read(path, MAX_BYTES, &text, &n, err));
  lab_sha256(text, n, digest);
  (void)snprintf(out->fingerprint, sizeof out->fingerprint, "%.16s", digest);
  const cb_status st = exch_fab_read(text, n, path, &out->raw, err);
  free(text);
  return st;
}

void lab_fab_clear(lab_fab *f) { exch_fab_clear(&f->raw); }
