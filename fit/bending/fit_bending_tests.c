/* Tests of what the law of bending assumes: both sides alike, B constant over the curvature, all directions
 * alike. */
#include <math.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "fit_bending_impl.h"
#include "fit_calibration.h"
#include "fit_elastica.h"
#include "fit_first.h"
#include "fit_line.h"

/* Is the mean of x zero? */
static fit_test t_test(const double *x, size_t n) {
  if (n < 2) return (fit_test){.done = false};
  double sd = cb_sd(x, n), m = cb_mean(x, n), dof = (double)n - 1;
  if (!(sd > 0)) return (fit_test){.done = false};
  double t = m / (sd / sqrt((double)n));
  return (fit_test){
      .done = true, .statistic = t, .dof2 = dof, .p_value = cb_t_p_two_sided(t, dof), .effect = m};
}

static cb_status test_sides(const fit_bending_job *j, fit_bending_result *r, cb_err *err) {
  double *x = malloc(j->n_specimens * sizeof *x);
  size_t n = 0;
  if (!x) return cb_no_memory(err, "%zu specimens", j->n_specimens);
  for (size_t k = 0; k < j->n_specimens; k++) {
    const fit_bending_specimen *s = &j->specimens[k];
    if (isfinite(s->side_Nm[0]) && isfinite(s->side_Nm[1]))
      x[n++] = 100 * (s->side_Nm[0] - s->side_Nm[1]) / s->B_Nm;
  }
  r->sides = t_test(x, n);
  free(x);
  return CB_OK;
}

static int by_group(const void *a, const void *b) {
  const fit_line_point *x = a, *y = b;
  return (x->group > y->group) - (x->group < y->group);
}

/* What the operator varied less than this from overhang to overhang says nothing of the curvature, only of
 * the reading. */
#define LEVER_RANGE 1.2
/* Wild readings may make lines that say nothing: the load stays where the elastica is. */
#define MIN_LOAD 1e-9
/* Curvature and B depend on each other; each round gains more than a digit. */
#define LINE_ROUNDS 8

/* Of points sorted by group, those of groups whose lever was varied. */
static size_t keep_varied(fit_line_point *p, size_t n) {
  size_t kept = 0;
  for (size_t i = 0, end; i < n; i = end) {
    double low = p[i].x, high = p[i].x;
    for (end = i; end < n && p[end].group == p[i].group; end++)
      low = fmin(low, p[end].x), high = fmax(high, p[end].x);
    if (high - low < log(LEVER_RANGE)) continue;
    for (size_t k = i; k < end; k++) p[kept++] = p[k];
  }
  return kept;
}

/* Samples as points of ln B over ln lever; the group is the specimen and its side. Groups whose lever was not
 * varied are left out. */
static size_t line_points(const fit_bending_job *j, fit_line_point *p) {
  size_t n = 0;
  for (size_t i = 0; i < j->samples.n; i++) {
    const fit_bending_sample *s = &j->samples.list[i];
    size_t owner = j->owner[s->test];
    if (owner == SIZE_MAX || !(s->B_Nm > 0)) continue;
    p[n++] = (fit_line_point){
        .group = (int)(2 * owner) + s->side, .x = log(s->lever), .y = log(s->B_Nm), .t = log(s->lever)};
  }
  qsort(p, n, sizeof *p, by_group);
  return keep_varied(p, n);
}

/* The curvature of a cantilever from its overhang and the B of the group's line there, not from the angle
 * that gave B: what the angle misses would else be in both. */
static void to_curvature(const fit_bending_job *j, fit_line_point *p, size_t n, double slope) {
  for (size_t i = 0, end; i < n; i = end) {
    double x = 0, y = 0;
    for (end = i; end < n && p[end].group == p[i].group; end++) x += p[end].x, y += p[end].y;
    x /= (double)(end - i), y /= (double)(end - i);
    const fit_bending_specimen *s = &j->specimens[p[i].group / 2];
    for (size_t k = i; k < end; k++) {
      double B_Nm = exp(y + slope * (p[k].x - x)), overhang_m = exp(p[k].t);
      double load = pow(overhang_m / s->length_m, 3) * s->B_Nm / B_Nm;
      p[k].x =
          log(sqrt(fit_elastica_of_load(fmin(fmax(load, MIN_LOAD), FIT_ELASTICA_MAX_LOAD)).square_curvature) /
              overhang_m);
    }
  }
}

/* False: no line, or the points lie on it. */
static bool line_of(const fit_bending_job *j, fit_line_point *p, size_t n, fit_line *line) {
  cb_err ignored;
  bool cantilever = j->in[0].test->kind == CB_TEST_CANTILEVER;
  double before = INFINITY;
  *line = (fit_line){.slope = 0};
  for (int i = 0; i < LINE_ROUNDS && fabs(line->slope - before) > 1e-9; i++) {
    before = line->slope;
    if (cantilever) to_curvature(j, p, n, before);
    if (fit_line_make(p, n, false, line, &ignored) != CB_OK) return false;
    if (!cantilever) break;
  }
  return line->u_slope > 0;
}

static cb_status test_constancy(const fit_bending_job *j, fit_bending_result *r, cb_err *err) {
  fit_line line;
  fit_line_point *p = malloc(j->samples.n * sizeof *p + 1);
  if (!p) return cb_no_memory(err, "%zu values of rigidity", j->samples.n);
  size_t n = line_points(j, p);
  r->law.u_exponent = FIT_BENDING_U_EXPONENT;
  if (n > 0 && line_of(j, p, n, &line)) {
    double t = line.slope / line.u_slope, p_value = cb_t_p_two_sided(t, line.dof);
    r->constancy =
        (fit_test){.done = true, .statistic = t, .dof2 = line.dof, .p_value = p_value, .effect = line.slope};
    bool told = p_value < 0.01;
    r->law.exponent = told ? line.slope : 0;
    /* 0 in the place of a slope that was found, though not surely, is off by as much. */
    r->law.u_exponent = told ? line.u_slope : hypot(line.u_slope, line.slope);
  }
  free(p);
  return CB_OK;
}

static void test_isotropy(const fit_bending_job *j, fit_bending_result *r) {
  fit_bending_mean m[FIT_BENDING_MAX_DIRECTIONS];
  fit_bending_form form;
  double low = INFINITY, high = 0, dof = (double)r->n_directions - 1;
  if (r->n_directions < 2) return;
  for (size_t k = 0; k < r->n_directions; k++) {
    m[k] = (fit_bending_mean){r->directions[k].angle_deg * CB_DEG, r->directions[k].B_Nm,
                              fit_bending_mean_var_rel(j, r, k)};
    low = fmin(low, m[k].B_Nm), high = fmax(high, m[k].B_Nm);
  }
  fit_bending_form_make(CB_BENDING_ISOTROPIC, m, r->n_directions, &form);
  double F = form.square / dof;
  r->isotropy =
      (fit_test){true, F, dof, r->scatter_dof, cb_f_p_upper(F, dof, r->scatter_dof), 100 * (high / low - 1)};
}

/* Tests of the same sides repeat each other; a test without the name of its piece is of a piece of its own.
 */
static cb_status test_first(const fit_bending_job *j, fit_bending_result *r, cb_err *err) {
  fit_first_value *v = calloc(j->n, sizeof *v);
  if (!v) return cb_no_memory(err, "%zu tests", j->n);
  for (size_t i = 0; i < j->n; i++) {
    const fit_bending_side *s = j->readings[i].side;
    const int face = s[0].n > 0, back = s[1].n > 0;
    v[i] = (fit_first_value){.test = j->in[i].test, .group = face + 2 * back};
    if (j->owner[i] != SIZE_MAX && j->in[i].test->specimen[0] && face + back > 0)
      v[i].value = ((face ? s[0].B_Nm : 0) + (back ? s[1].B_Nm : 0)) / (face + back);
  }
  r->first = fit_first(v, j->n);
  free(v);
  return CB_OK;
}

cb_status fit_bending_test(const fit_bending_job *j, fit_bending_result *r, cb_err *err) {
  CB_TRY(test_first(j, r, err));
  CB_TRY(test_sides(j, r, err));
  CB_TRY(test_constancy(j, r, err));
  test_isotropy(j, r);
  return CB_OK;
}
