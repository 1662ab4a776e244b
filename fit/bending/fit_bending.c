#include "fit_bending.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "fit_bending_impl.h"

const char *const fit_bending_outcome_text[] = {"fitted", "no test of bending can be used",
                                                "more than 16 directions"};
const char *const fit_bending_defect_text[] = {
    "used",
    "a cantilever without areal density",
    "the curve does not cover curvatures of 0.5 to 1.5 1/cm",
    "no chord angle above 0 and up to 89.9 degrees",
    "the moment does not grow with the curvature",
    "its direction is not known, that of others is",
    "more than 1000 points",
    "a buckled strip without length, width or areal density",
    "a buckled strip more than twice as long as another: its weight makes the force",
    "the force of a buckled strip that does not tell B",
    "a buckled strip whose piece does not tell B in another test",
};

fit_bending_options fit_bending_options_default(void) {
  return (fit_bending_options){.u_rel_areal_density = 0.01, .angle_half_width_rad = 0.5 * CB_DEG};
}

void fit_bending_method(cb_test_kind kind, const fit_bending_options *opt, char out[160]) {
  if (kind == CB_TEST_CANTILEVER)
    (void)snprintf(out, 160, "bending/1 elastica density=%g,%g angle=%g", opt->areal_density_kg_per_m2,
                   opt->u_rel_areal_density, opt->angle_half_width_rad);
  else if (kind == CB_TEST_BUCKLING)
    (void)snprintf(out, 160, "bending/1 buckled strips, heavy elastica with friction");
  else
    (void)snprintf(out, 160, "bending/1 slope=%g..%g width=%g", FIT_BENDING_KES_FROM_PER_M,
                   FIT_BENDING_KES_TO_PER_M, FIT_BENDING_KES_WIDTH_PER_M);
}

/* ---- specimens ---- */

static void job_clear(fit_bending_job *j) {
  free(j->readings);
  free(j->owner);
  free(j->specimens);
  free(j->samples.list);
}

static double folded_deg(double angle_deg) { return fabs(remainder(angle_deg, 180)); }

/* Angles nearer than this are one direction. */
#define SAME_DEG 0.5

static bool same_direction(double a_deg, double b_deg) {
  return (isnan(a_deg) && isnan(b_deg)) || fabs(folded_deg(a_deg) - folded_deg(b_deg)) < SAME_DEG;
}

static bool same_specimen(const cb_material_test *a, const cb_material_test *b) {
  return a->specimen[0] && strcmp(a->specimen, b->specimen) == 0 &&
         same_direction(a->direction_deg, b->direction_deg);
}

static cb_status check_inputs(const fit_bending_input *in, size_t n, cb_origin *origin, cb_err *err) {
  if (n > 0) *origin = in[0].test->origin;
  for (size_t i = 0; i < n; i++) {
    const cb_material_test *t = in[i].test;
    if (t->kind != CB_TEST_CANTILEVER && t->kind != CB_TEST_BENDING_MOMENT && t->kind != CB_TEST_BUCKLING)
      return cb_fail(err, CB_E_ARG, "test %lld is no test of bending", (long long)t->id);
    if (t->kind != in[0].test->kind)
      return cb_fail(err, CB_E_RANGE,
                     "%s and %s tests together: they load the cloth differently, one "
                     "kind was wanted",
                     cb_test_kind_names[in[0].test->kind], cb_test_kind_names[t->kind]);
    cb_status st = cb_origin_join(origin, t->origin, err);
    if (st != CB_OK) return cb_fail_in(err, st, "bending test %zu", i + 1);
  }
  return CB_OK;
}

/* A strip's weight grows with the cube of its length against its bending. */
static bool is_long(const fit_bending_job *j, size_t number) {
  double shortest = INFINITY;
  if (j->in[number].test->kind != CB_TEST_BUCKLING) return false;
  for (size_t i = 0; i < j->n; i++)
    if (j->in[i].test->length_m > 0) shortest = fmin(shortest, j->in[i].test->length_m);
  return j->in[number].test->length_m > 2 * shortest;
}

/* A strip that happens to tell is not chosen by that: the same piece, the other way or again, did not. */
static bool twin_does_not_tell(const fit_bending_job *j, size_t number) {
  for (size_t i = 0; i < j->n; i++)
    if (j->readings[i].defect == FIT_BENDING_NOT_TOLD && same_specimen(j->in[i].test, j->in[number].test))
      return true;
  return false;
}

static cb_status read_all(fit_bending_job *j, const fit_bending_options *opt, fit_bending_result *out,
                          cb_err *err) {
  bool directed = false;
  for (size_t i = 0; i < j->n; i++) {
    if (is_long(j, i))
      j->readings[i] = (fit_bending_reading){.defect = FIT_BENDING_LONG};
    else
      CB_TRY(fit_bending_read(&j->in[i], i, opt, &j->readings[i], &j->samples, err));
    directed = directed || (!j->readings[i].defect && isfinite(j->in[i].test->direction_deg));
  }
  for (size_t i = 0; i < j->n; i++) {
    fit_bending_reading *r = &j->readings[i];
    if (!r->defect && directed && !isfinite(j->in[i].test->direction_deg))
      r->defect = FIT_BENDING_NO_DIRECTION;
    if (!r->defect && twin_does_not_tell(j, i)) r->defect = FIT_BENDING_TWIN;
    out->defects[r->defect]++;
  }
  return CB_OK;
}

/* Which specimen each test belongs to: its own, where it has no name. */
static void find_owners(fit_bending_job *j) {
  for (size_t i = 0; i < j->n; i++) {
    j->owner[i] = SIZE_MAX;
    if (j->readings[i].defect) continue;
    for (size_t k = i; k-- > 0 && j->in[i].test->specimen[0];)
      if (j->owner[k] != SIZE_MAX && same_specimen(j->in[i].test, j->in[k].test)) {
        j->owner[i] = j->owner[k];
        break;
      }
    if (j->owner[i] == SIZE_MAX) j->owner[i] = j->n_specimens++;
  }
}

/* Means over repeats on each side, then over the sides: the face counts no more where it was tested more
 * often. */
static void fill_specimen(const fit_bending_job *j, size_t number, fit_bending_specimen *s) {
  double sides = 0, width = 0, widths = 0, var_width = 0, density = 0, tests = 0;
  *s = (fit_bending_specimen){.side_Nm = {NAN, NAN}, .width_N = NAN, .u_width_N = NAN, .length_m = NAN};
  for (int side = 0; side < 2; side++) {
    double n = 0, B = 0, peirce = 0, var = 0;
    for (size_t i = 0; i < j->n; i++) {
      const fit_bending_side *r = &j->readings[i].side[side];
      if (j->owner[i] != number || r->n == 0) continue;
      n++, B += r->B_Nm, peirce += r->peirce_Nm, var += r->u_rel * r->u_rel;
      if (isfinite(r->width_N)) width += r->width_N, var_width += r->u_width_N * r->u_width_N, widths++;
    }
    if (n == 0) continue;
    s->side_Nm[side] = B / n;
    sides++, s->B_Nm += B / n, s->peirce_Nm += peirce / n, s->var_rel += var / (n * n);
  }
  s->B_Nm /= sides, s->peirce_Nm /= sides, s->var_rel /= sides * sides;
  if (widths > 0) s->width_N = width / widths, s->u_width_N = sqrt(var_width) / widths;
  for (size_t i = 0; i < j->n; i++)
    if (j->owner[i] == number) density += j->readings[i].density_kg_per_m2, tests++;
  if (density > 0) s->length_m = cbrt(s->B_Nm / (density / tests * CB_STANDARD_GRAVITY_M_PER_S2));
}

/* ---- directions ---- */

static int by_angle(const void *a, const void *b) {
  double x = ((const fit_bending_direction *)a)->angle_deg, y = ((const fit_bending_direction *)b)->angle_deg;
  return (x > y) - (x < y);
}

static size_t find_direction(const fit_bending_result *r, double angle_deg) {
  size_t k = 0;
  while (k < r->n_directions && !same_direction(r->directions[k].angle_deg, angle_deg)) k++;
  return k;
}

static bool find_directions(fit_bending_job *j, fit_bending_result *r) {
  for (size_t i = 0; i < j->n; i++) {
    double angle_deg = j->in[i].test->direction_deg;
    if (j->readings[i].defect || find_direction(r, angle_deg) < r->n_directions) continue;
    if (r->n_directions == FIT_BENDING_MAX_DIRECTIONS) return false;
    r->directions[r->n_directions++] = (fit_bending_direction){.angle_deg = folded_deg(angle_deg)};
  }
  qsort(r->directions, r->n_directions, sizeof r->directions[0], by_angle);
  for (size_t i = 0; i < j->n; i++)
    if (j->owner[i] != SIZE_MAX)
      j->specimens[j->owner[i]].direction = find_direction(r, j->in[i].test->direction_deg);
  return true;
}

static cb_status run_job(fit_bending_job *j, const fit_bending_options *opt, fit_bending_result *r,
                         cb_err *err) {
  CB_TRY(read_all(j, opt, r, err));
  find_owners(j);
  r->n_specimens = j->n_specimens;
  if (j->n_specimens == 0) return CB_OK;
  for (size_t k = 0; k < j->n_specimens; k++) fill_specimen(j, k, &j->specimens[k]);
  if (!find_directions(j, r)) {
    r->outcome = FIT_BENDING_TOO_MANY_DIRECTIONS;
    return CB_OK;
  }
  r->outcome = FIT_BENDING_OK;
  return fit_bending_law_make(j, opt, r, err);
}

cb_status fit_bending(const fit_bending_input *in, size_t n, const fit_bending_options *opt,
                      fit_bending_result *out, fit_bending_defect *why, cb_err *err) {
  *out = (fit_bending_result){.outcome = FIT_BENDING_NO_DATA, .n_tests = n};
  CB_TRY(check_inputs(in, n, &out->origin, err));
  if (n == 0) return CB_OK;
  fit_bending_job j = {.in = in, .n = n};
  j.readings = calloc(n, sizeof *j.readings);
  j.owner = calloc(n, sizeof *j.owner);
  j.specimens = calloc(n, sizeof *j.specimens);
  cb_status st =
      j.readings && j.owner && j.specimens ? run_job(&j, opt, out, err) : cb_no_memory(err, "%zu tests", n);
  for (size_t i = 0; st == CB_OK && why && i < n; i++) why[i] = j.readings[i].defect;
  job_clear(&j);
  return st;
}
