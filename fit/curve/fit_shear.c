/* Shear force per width over the shear angle -> G, 2HG, 2HG5. */
#include <math.h>
#include <stdlib.h>

#include "cb_num.h"
#include "fit_branch.h"
#include "fit_figures_impl.h"

#define SLOPE_FROM_RAD (0.5 * CB_DEG)
#define SLOPE_TO_RAD (2.5 * CB_DEG)
#define READ_HALF_RAD (0.5 * CB_DEG) /* a line through the readings this near tells the force at an angle */
static const double width_at_rad[2] = {0.5 * CB_DEG, 5 * CB_DEG};

/* Sums over the pieces of one kind. */
typedef struct sum {
  size_t n;
  double value, var;
} sum;

static void add(sum *s, double value, double u) {
  s->n++;
  s->value += value;
  s->var += u * u;
}

static double mean(const sum *s) { return s->value / (double)s->n; }
static double var(const sum *s) { return s->var / (double)(s->n * s->n); }

/* One side of the angle: 0 above zero, 1 below. */
typedef struct side {
  sum slope, up[2], down[2];
} side;

static void add_branch(const cb_test_point *points, fit_branch b, int sign, fit_branch_line *line, side *s) {
  const bool loading = b.sign == sign;
  if (loading && fit_branch_fit(points, b, sign, SLOPE_FROM_RAD, SLOPE_TO_RAD, SLOPE_FROM_RAD, line))
    add(&s->slope, line->slope, line->u_slope);
  for (int k = 0; k < 2; k++) {
    const double at = width_at_rad[k];
    if (fit_branch_fit(points, b, sign, at - READ_HALF_RAD, at + READ_HALF_RAD, at, line))
      add(loading ? &s->up[k] : &s->down[k], line->at, line->u_at);
  }
}

/* The mean over the sides that show it; u: scatter and last digit. */
static fit_figure figure(const sum *sides, double digit, double layers, double u_rel_common) {
  fit_figure f = {NAN, NAN, u_rel_common};
  if (sides->n == 0) return f;
  f.value = mean(sides) / layers;
  f.u = hypot(sqrt(var(sides)), digit) / layers;
  return f;
}

static void gather(const cb_material_test *t, const side s[2], fit_figures *out) {
  sum slope = {0, 0, 0}, width[2] = {{0, 0, 0}, {0, 0, 0}};
  const double layers = t->layers > 0 ? t->layers : 1, digit = t->y_digit / sqrt(6); /* of a difference */
  for (int i = 0; i < 2; i++) {
    if (s[i].slope.n > 0) add(&slope, mean(&s[i].slope), sqrt(var(&s[i].slope)));
    for (int k = 0; k < 2; k++)
      if (s[i].up[k].n > 0 && s[i].down[k].n > 0)
        add(&width[k], mean(&s[i].up[k]) - mean(&s[i].down[k]), sqrt(var(&s[i].up[k]) + var(&s[i].down[k])));
  }
  out->of[FIT_SHEAR_G] =
      figure(&slope, digit / (SLOPE_TO_RAD - SLOPE_FROM_RAD), layers, hypot(t->u_x_rel, t->u_y_rel));
  out->of[FIT_SHEAR_2HG] = figure(&width[0], digit, layers, t->u_y_rel);
  out->of[FIT_SHEAR_2HG5] = figure(&width[1], digit, layers, t->u_y_rel);
}

static void judge(fit_figures *out) {
  const double G = out->of[FIT_SHEAR_G].value;
  out->defect = isnan(G) ? FIT_FIGURES_NO_WINDOW : G > 0 ? FIT_FIGURES_USED : FIT_FIGURES_NOT_POSITIVE;
  for (int i = 0; i < FIT_SHEAR_FIGURES && out->defect; i++) out->of[i].value = out->of[i].u = NAN;
}

cb_status fit_shear_reduce(const cb_material_test *t, const cb_test_point *points, size_t n, fit_figures *out,
                           cb_err *err) {
  double *scratch = malloc(2 * n * sizeof *scratch + 1);
  if (!scratch) return cb_no_memory(err, "a curve of %zu points", n);
  fit_branch_line line = {.x = scratch, .y = scratch + n};
  const double turn = fit_branch_turn(points, n);
  side s[2] = {0};
  for (size_t from = 0; from + 1 < n;) {
    const fit_branch b = fit_branch_next(points, n, from, turn);
    for (int i = 0; i < 2; i++) add_branch(points, b, i ? -1 : 1, &line, &s[i]);
    from = b.to - 1 > from ? b.to - 1 : n;
  }
  free(scratch);
  gather(t, s, out);
  judge(out);
  return CB_OK;
}
