#include "fit_stretch.h"

#include <math.h>
#include <stdlib.h>

#include "cb_num.h"
#include "fit_stretch_impl.h"

const char *const fit_stretch_part_outcome_text[] = {
    [FIT_STRETCH_PART_OK] = "ok",
    [FIT_STRETCH_NO_DIRECTION] = "its direction in the cloth is not known",
    [FIT_STRETCH_NO_SIZE] = "its width or gauge length is not known",
    [FIT_STRETCH_FEW_POINTS] = "fewer than three points on the way up",
    [FIT_STRETCH_NO_FORCE] = "no force",
    [FIT_STRETCH_NO_EXTENSION] = "no extension under force",
    [FIT_STRETCH_NO_RISE] = "the force does not rise with the extension",
};
const char *const fit_stretch_outcome_text[] = {
    [FIT_STRETCH_OK] = "ok",
    [FIT_STRETCH_NO_CURVE] = "no test shows a force that grows with extension",
    [FIT_STRETCH_MANY_DIRECTIONS] = "tests in more than 12 directions",
};

#define LEAST_POINTS 3
#define DEFAULT_MODULI_STRAIN 0.02
#define ROUNDING 1e-12 /* of a strain */

fit_stretch_options fit_stretch_options_default(void) { return (fit_stretch_options){.load_N_per_m = 0}; }

/* ---- one test ---- */

static cb_status check_input(const fit_stretch_input *in, size_t index, cb_err *err) {
  for (size_t i = 0; i < in->n; i++)
    if (!isfinite(in->points[i].x) || !isfinite(in->points[i].y))
      return cb_fail(err, CB_E_NUM,
                     "stretch test %zu ('%s'): point %zu is (%g m, %g N): finite numbers were wanted",
                     index + 1, in->test->specimen, i + 1, in->points[i].x, in->points[i].y);
  return CB_OK;
}

static bool known_size(const cb_material_test *t) {
  return t->length_m > 0 && t->width_m > 0 && t->layers > 0;
}

/* What can be said before any point is moved. */
static fit_stretch_part_outcome first_look(const fit_stretch_input *in) {
  double peak = 0, range = 0;
  if (isnan(in->test->direction_deg)) return FIT_STRETCH_NO_DIRECTION;
  if (!known_size(in->test)) return FIT_STRETCH_NO_SIZE;
  if (in->n < LEAST_POINTS) return FIT_STRETCH_FEW_POINTS;
  for (size_t i = 0; i < in->n; i++) {
    peak = fmax(peak, in->points[i].y);
    range = fmax(range, fabs(in->points[i].x - in->points[0].x));
  }
  if (!(peak > 0)) return FIT_STRETCH_NO_FORCE;
  return range > 0 ? FIT_STRETCH_PART_OK : FIT_STRETCH_NO_EXTENSION;
}

static cb_status name_outliers(fit_stretch_result *r, const fit_stretch_input *in, size_t test,
                               const fit_stretch_point *p, size_t n, const double *times,
                               const double *residual, cb_err *err) {
  size_t found = 0;
  for (size_t i = 0; i < n; i++) found += times[i] > 0;
  if (found == 0) return CB_OK;
  fit_stretch_outlier *grown = realloc(r->outliers, (r->n_outliers + found) * sizeof *grown);
  if (!grown) return cb_no_memory(err, "%zu outliers", r->n_outliers + found);
  r->outliers = grown;
  for (size_t i = 0; i < n; i++) {
    if (!(times[i] > 0)) continue;
    const cb_test_point *raw = &in->points[p[i].index];
    r->outliers[r->n_outliers++] =
        (fit_stretch_outlier){test, p[i].index, raw->x, raw->y, residual[i], times[i]};
  }
  r->parts[test].n_outliers += found;
  return CB_OK;
}

/* Takes the outliers out of a branch. */
static cb_status clean(fit_stretch_result *r, const fit_stretch_input *in, size_t test, fit_stretch_point *p,
                       size_t *n, fit_stretch_scatter *scatter, cb_err *err) {
  double *residual = malloc((2 * *n + 1) * sizeof *residual), *times = residual + *n;
  if (!residual) return cb_no_memory(err, "%zu points of a stretch test", *n);
  cb_status st = fit_stretch_find_outliers(p, *n, in->test->y_digit, times, residual, scatter, err);
  if (st == CB_OK) st = name_outliers(r, in, test, p, *n, times, residual, err);
  size_t kept = 0;
  for (size_t i = 0; st == CB_OK && i < *n; i++)
    if (!(times[i] > 0)) p[kept++] = p[i];
  if (st == CB_OK) *n = kept;
  free(residual);
  return st;
}

/* Displacement and force -> strain and force per width of one layer; what lies before strain 0 is left
 * out. */
static size_t to_strain(fit_stretch_point *p, size_t n, const fit_stretch_part *part,
                        const cb_material_test *t, double pretension) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    double strain = (p[i].x - part->slack_m) / part->length_m,
           force = p[i].y / (t->width_m * t->layers) - pretension;
    if (strain >= -ROUNDING) p[kept++] = (fit_stretch_point){fmax(strain, 0), force, p[i].index};
  }
  return kept;
}

static double peak_of(const fit_stretch_point *p, size_t n) {
  double peak = 0;
  for (size_t i = 0; i < n; i++) peak = fmax(peak, p[i].y);
  return peak;
}

/* Is the last third's mean force above the first one's? */
static bool rises(const fit_stretch_point *p, size_t n) {
  double low = 0, high = 0;
  for (size_t i = 0; i < n / 3; i++) low += p[i].y, high += p[n - 1 - i].y;
  return high > low * (1 + 1e-9);
}

/* Displacement 0 of the curve, and what counts from there. */
static void measure_part(const cb_material_test *t, const fit_stretch_options *opt, double start_scatter_N,
                         fit_stretch_part *part, fit_stretch_curve *c) {
  fit_stretch_branches *b = &c->branches;
  double width = t->width_m * t->layers;
  fit_stretch_origin o = {b->loading[0].x, 0, 0};
  if (!opt->raw_origin)
    o = fit_stretch_find_origin(b->loading, b->n_loading, start_scatter_N, opt->pretension_N_per_m * width);
  part->slack_m = o.place_m;
  part->u_slack_m = o.u_m;
  part->cut_m = o.place_m - b->loading[0].x;
  part->length_m = t->length_m + part->slack_m;
  if (!(part->length_m > 0)) {
    part->outcome = FIT_STRETCH_NO_SIZE;
    return;
  }
  c->u_origin = o.u_m / part->length_m;
  c->u_unseen = o.unseen_m / part->length_m;
  c->loading = b->loading, c->unloading = b->unloading;
  c->n_loading = part->n_loading = to_strain(c->loading, b->n_loading, part, t, opt->pretension_N_per_m);
  c->n_unloading = part->n_unloading =
      to_strain(c->unloading, b->n_unloading, part, t, opt->pretension_N_per_m);
  c->strain_max = part->strain_max = c->n_loading ? c->loading[c->n_loading - 1].x : 0;
  c->peak_N_per_m = part->force_max_N_per_m = peak_of(c->loading, c->n_loading);
  if (c->n_loading < LEAST_POINTS || !(c->strain_max > 0))
    part->outcome = FIT_STRETCH_NO_EXTENSION;
  else if (!(c->peak_N_per_m > 0) || !rises(c->loading, c->n_loading))
    part->outcome = FIT_STRETCH_NO_RISE;
}

static cb_status reduce(const fit_stretch_input *in, size_t test, const fit_stretch_options *opt,
                        fit_stretch_curve *c, fit_stretch_result *r, cb_err *err) {
  fit_stretch_part *part = &r->parts[test];
  fit_stretch_branches *b = &c->branches;
  fit_stretch_scatter up, down;
  CB_TRY(check_input(in, test, err));
  part->outcome = first_look(in);
  if (part->outcome != FIT_STRETCH_PART_OK) return CB_OK;
  CB_TRY(fit_stretch_split(in, b, err));
  CB_TRY(clean(r, in, test, b->loading, &b->n_loading, &up, err));
  CB_TRY(clean(r, in, test, b->unloading, &b->n_unloading, &down, err));
  part->cycles = b->cycles;
  c->angle_deg = cb_stretch_fold_deg(in->test->direction_deg);
  c->scatter_N_per_m = part->scatter_N_per_m = up.all / (in->test->width_m * in->test->layers);
  if (b->n_loading < LEAST_POINTS)
    part->outcome = FIT_STRETCH_FEW_POINTS;
  else
    measure_part(in->test, opt, up.start, part, c);
  return CB_OK;
}

/* ---- directions ---- */

/* The curves of the same direction as `first` that no direction has taken yet; list: room for n. */
static size_t gather_direction(const fit_stretch_curve *c, size_t n, const fit_stretch_result *r, bool *taken,
                               size_t first, const fit_stretch_curve **list) {
  size_t found = 0;
  for (size_t i = first; i < n; i++) {
    bool same = fabs(c[i].angle_deg - c[first].angle_deg) < CB_STRETCH_SAME_DEG;
    if (r->parts[i].outcome != FIT_STRETCH_PART_OK || taken[i] || !same) continue;
    taken[i] = true;
    list[found++] = &c[i];
  }
  return found;
}

static void insert(cb_stretch_law *law, const cb_stretch_direction *d) {
  size_t at = law->n++;
  for (; at > 0 && law->directions[at - 1].angle_deg > d->angle_deg; at--)
    law->directions[at] = law->directions[at - 1];
  law->directions[at] = *d;
}

static cb_status join(const fit_stretch_curve *c, size_t n, const fit_stretch_options *opt, bool *taken,
                      const fit_stretch_curve **list, fit_stretch_result *r, cb_err *err) {
  for (size_t i = 0; i < n; i++) {
    if (r->parts[i].outcome != FIT_STRETCH_PART_OK || taken[i]) continue;
    if (r->law.n == CB_STRETCH_MAX_DIRECTIONS) {
      r->outcome = FIT_STRETCH_MANY_DIRECTIONS;
      return CB_OK;
    }
    size_t m = gather_direction(c, n, r, taken, i, list);
    cb_stretch_direction d = {.angle_deg = c[i].angle_deg};
    CB_TRY(fit_stretch_mean(list, m, &d, err));
    fit_stretch_kes(list, m, opt->load_N_per_m, &d.kes);
    if (d.knots[d.n_knots - 1].force_N_per_m > 0) insert(&r->law, &d);
  }
  r->outcome = r->law.n ? FIT_STRETCH_OK : FIT_STRETCH_NO_CURVE;
  return CB_OK;
}

/* ---- the form ---- */

/* Did any yarn of an oblique strip reach from one clamp to the other? */
static bool yarns_span(const fit_stretch_input *in, const fit_stretch_result *r, size_t n) {
  bool spans = false;
  for (size_t i = 0; i < n; i++) {
    if (r->parts[i].outcome != FIT_STRETCH_PART_OK) continue;
    double a = cb_stretch_fold_deg(in[i].test->direction_deg) * CB_DEG, t = tan(fmin(a, CB_PI / 2 - a));
    bool oblique = t > tan(CB_STRETCH_SAME_DEG * CB_DEG);
    if (oblique && in[i].test->width_m > in[i].test->length_m * t) spans = true;
  }
  return spans;
}

static void add_shear(const fit_stretch_options *opt, fit_stretch_result *r) {
  cb_stretch_direction d;
  r->shear_used = fit_stretch_diagonal(&r->law, opt, &d);
  if (r->shear_used) insert(&r->law, &d);
}

static double strain_for_moduli(const cb_stretch_law *law, double wanted) {
  double least = INFINITY;
  for (size_t i = 0; i < law->n; i++) least = fmin(least, cb_stretch_strain_max(&law->directions[i]));
  return wanted > 0 ? wanted : fmin(DEFAULT_MODULI_STRAIN, least);
}

static void choose_form(const fit_stretch_input *in, size_t n, const fit_stretch_options *opt,
                        fit_stretch_result *r) {
  double strain = strain_for_moduli(&r->law, opt->moduli_strain);
  cb_stretch_moduli_at(&r->law, CB_STRETCH_TENSOR, strain, &r->tensor);
  cb_stretch_moduli_at(&r->law, CB_STRETCH_STRIP, strain, &r->strip);
  if (r->shear_used) return; /* the relation is that of the tensor */
  r->law.form_tested = r->tensor.known && r->strip.known && r->tensor.n > 3;
  bool strip =
      r->law.form_tested ? r->strip.rms_rel < r->tensor.rms_rel : r->strip.known && !yarns_span(in, r, n);
  r->law.form = strip ? CB_STRETCH_STRIP : CB_STRETCH_TENSOR;
}

/* ---- all ---- */

static cb_status common(const fit_stretch_input *in, size_t n, cb_stretch_law *law, cb_err *err) {
  law->origin = in[0].test->origin;
  for (size_t i = 0; i < n; i++) {
    const cb_material_test *t = in[i].test;
    cb_status st = cb_origin_join(&law->origin, t->origin, err);
    if (st != CB_OK) return cb_fail_in(err, st, "stretch test %zu", i + 1);
    law->u_force_rel = fmax(law->u_force_rel, t->u_y_rel);
    law->u_strain_rel = fmax(law->u_strain_rel, t->u_x_rel);
  }
  return CB_OK;
}

cb_status fit_stretch(const fit_stretch_input *inputs, size_t n, const fit_stretch_options *opt,
                      fit_stretch_result *out, cb_err *err) {
  *out = (fit_stretch_result){.outcome = FIT_STRETCH_NO_CURVE};
  if (n == 0) return CB_OK;
  CB_TRY(common(inputs, n, &out->law, err));
  fit_stretch_curve *curves = calloc(n, sizeof *curves);
  const fit_stretch_curve **list = calloc(n, sizeof *list);
  bool *taken = calloc(n, sizeof *taken);
  fit_first_value *values = calloc(n, sizeof *values);
  out->parts = calloc(n, sizeof *out->parts);
  cb_status st = CB_OK;
  if (!curves || !list || !taken || !values || !out->parts) st = cb_no_memory(err, "%zu stretch tests", n);
  for (size_t i = 0; st == CB_OK && i < n; i++) st = reduce(&inputs[i], i, opt, &curves[i], out, err);
  if (st == CB_OK) st = join(curves, n, opt, taken, list, out, err);
  if (st == CB_OK && out->outcome == FIT_STRETCH_OK) {
    out->first = fit_stretch_first(inputs, curves, out->parts, n, values);
    fit_stretch_widen(&out->law, fit_first_half(&out->first));
    add_shear(opt, out);
    choose_form(inputs, n, opt, out);
  }
  for (size_t i = 0; curves && i < n; i++) fit_stretch_branches_clear(&curves[i].branches);
  free(values);
  free(taken);
  free(list);
  free(curves);
  if (st != CB_OK) fit_stretch_clear(out);
  return st;
}

void fit_stretch_clear(fit_stretch_result *r) {
  free(r->parts);
  free(r->outliers);
  *r = (fit_stretch_result){.outcome = FIT_STRETCH_NO_CURVE};
}
