/* Runs that do not belong: deletion residuals about a smooth surface over load and direction, found one by
 * one and judged together (generalized extreme Studentized deviate, Rosner 1983). The surface is no
 * measurement: a run that it alone contradicts may be the friction of the cloth there. Only what other runs
 * of the same cell contradict is left out; the rest is named and kept. */
#include <math.h>
#include <stdlib.h>

#include "cb_stats.h"
#include "fit_regress.h"
#include "fit_friction_impl.h"

/* Chance of naming any run of a pair whose errors are normal. */
#define ALARM 0.01
#define LEAST_DOF 5.0
#define PLAUSIBLE 3 /* standard deviations of the exponents of pairs */

typedef struct surface {
  const fit_data *d;
  const cb_friction_obs *obs;
  const bool *trusted; /* NULL: none */
  size_t n_columns;
  bool wears; /* the force changes from run to run: a run that was made later is no outlier for that */
  double ln_load[CB_LAW_MAX_KNOTS];                  /* about the middle */
  double cos2[FIT_MAX_ANGLES], sin2[FIT_MAX_ANGLES]; /* of each direction */
} surface;

/* ln F = 1, cos 2 theta, sin 2 theta, ln N, ln N squared: as many as the loads carry; last the order. */
static void row_of(const surface *s, const fit_datum *x, double row[FIT_COLUMNS]) {
  double load = s->ln_load[x->level];
  row[0] = 1, row[1] = s->cos2[x->angle], row[2] = s->sin2[x->angle], row[3] = load, row[4] = load * load;
  if (s->d->n_levels < 4) row[4] = 0;
  row[5] = s->wears ? (double)x->index / (double)s->d->n - 0.5 : 0;
}

/* Rows of a table that came from elsewhere are in no order of time. */
static bool does_wear(const fit_data *d, const cb_friction_obs *obs) {
  for (size_t i = 0; i < d->n; i++)
    if (obs[d->data[i].index].run.origin == CB_IMPORTED) return false;
  const fit_wear w = fit_wear_of(d);
  return w.test.done && w.test.p_value < FIT_WEAR_P;
}

static surface surface_of(const fit_data *d, const cb_friction_obs *obs, const bool *trusted) {
  surface s = {.d = d,
               .obs = obs,
               .trusted = trusted,
               .n_columns = d->n_levels >= 4   ? 5
                            : d->n_levels >= 2 ? 4
                                               : 3};
  s.wears = does_wear(d, obs);
  if (s.wears) s.n_columns = FIT_COLUMNS; /* a column of zeros explains nothing */
  double middle = 0.5 * (d->levels[0].ln_load + d->levels[d->n_levels - 1].ln_load);
  for (size_t l = 0; l < d->n_levels; l++) s.ln_load[l] = d->levels[l].ln_load - middle;
  for (size_t k = 0; k < d->n_cells; k++) {
    const fit_cell *c = &d->cells[k];
    s.cos2[c->angle] = c->row[0] - c->row[2], s.sin2[c->angle] = c->row[1];
  }
  return s;
}

static double weight_of(const fit_datum *x) {
  double u = x->u_force_N / x->force_N;
  return 1 / (FIT_TYPICAL_SCATTER * FIT_TYPICAL_SCATTER + u * u);
}

static bool in_play(const fit_datum *x, const bool *out) { return !out[x->index] && x->force_N > 0; }
static bool is_trusted(const surface *s, const fit_datum *x) { return s->trusted && s->trusted[x->index]; }

static size_t start_regression(const surface *s, const bool *out, fit_regress *r) {
  double row[FIT_COLUMNS];
  size_t n = 0;
  *r = (fit_regress){.n_columns = s->n_columns};
  for (size_t i = 0; i < s->d->n; i++) {
    const fit_datum *x = &s->d->data[i];
    if (!in_play(x, out)) continue;
    row_of(s, x, row);
    fit_regress_add(r, row, log(x->force_N), weight_of(x));
    n++;
  }
  return n;
}

/* By how much ln F of a run is above the surface. *leverage: of the run, were it fitted. */
static double above(const surface *s, const fit_regression *g, const fit_datum *x, double *leverage) {
  double row[FIT_COLUMNS], e = log(x->force_N);
  const double w = weight_of(x);
  row_of(s, x, row);
  *leverage = 0;
  for (size_t p = 0; p < s->n_columns; p++) {
    e -= row[p] * g->beta[p];
    for (size_t q = 0; q < s->n_columns; q++) *leverage += w * row[p] * g->inverse[p][q] * row[q];
  }
  return e;
}

/* The run with the largest deletion residual; NULL: nothing to compare with. */
static const fit_datum *most_extreme(const surface *s, const fit_regress *r, double n, const bool *out,
                                     fit_outlier *o) {
  fit_regression g;
  double largest = 0;
  const fit_datum *found = NULL;
  fit_regress_solve(r, &g);
  double dof = n - (double)g.rank - 1;
  if (dof < LEAST_DOF) return NULL;
  for (size_t i = 0; i < s->d->n; i++) {
    const fit_datum *x = &s->d->data[i];
    if (!in_play(x, out) || is_trusted(s, x)) continue;
    double leverage, e = above(s, &g, x, &leverage), w = weight_of(x);
    double kept = fmax(1 - leverage, 1e-9), without = fmax(g.rest - w * e * e / kept, 0);
    double t = without > 0 ? sqrt(w * e * e / kept / (without / dof)) : 0;
    if (t <= largest) continue;
    largest = t, found = x;
    *o = (fit_outlier){.index = x->index, .sigma = t, .departure_percent = 100 * expm1(e / kept)};
  }
  if (found) o->p_value = fmin(1, n * cb_t_p_two_sided(largest, dof));
  return found;
}

static int by_sigma(const void *a, const void *b) {
  const fit_outlier *x = a, *y = b;
  return (x->sigma < y->sigma) - (x->sigma > y->sigma);
}

/* While one outlier was judged, the next was still among those that judged it: once all are known, each
 * against the rest. */
static void judge_again(const surface *s, const bool *out, fit_outlier *list, size_t n_list) {
  fit_regress r;
  fit_regression g;
  size_t n = start_regression(s, out, &r);
  fit_regress_solve(&r, &g);
  double dof = (double)n - (double)g.rank;
  for (size_t i = 0; i < s->d->n; i++) {
    const fit_datum *x = &s->d->data[i];
    for (size_t k = 0; k < n_list; k++) {
      if (list[k].index != x->index) continue;
      double leverage, e = above(s, &g, x, &leverage), w = weight_of(x);
      double var = g.rest / dof * (1 + leverage) / w;
      list[k].sigma = var > 0 ? fmin(fabs(e) / sqrt(var), 1e6) : 1e6;
      list[k].departure_percent = 100 * expm1(e);
      list[k].p_value = fmin(1, (double)(n + n_list) * cb_t_p_two_sided(list[k].sigma, dof));
    }
  }
  qsort(list, n_list, sizeof *list, by_sigma);
}

/* Finds the extreme runs, marks them in out and lists them; returns how many. */
static size_t find_outliers(const surface *s, bool *out, fit_outlier list[FIT_MAX_OUTLIERS]) {
  size_t most = s->d->n / 8 < FIT_MAX_OUTLIERS ? s->d->n / 8 : FIT_MAX_OUTLIERS, found = 0, tried = 0;
  fit_regress r;
  double row[FIT_COLUMNS];
  size_t n = start_regression(s, out, &r);
  for (; tried < most; tried++) {
    const fit_datum *x = most_extreme(s, &r, (double)(n - tried), out, &list[tried]);
    if (!x) break;
    if (list[tried].p_value < ALARM) found = tried + 1;
    out[x->index] = true;
    row_of(s, x, row);
    fit_regress_remove(&r, row, log(x->force_N), weight_of(x));
  }
  for (size_t i = found; i < tried; i++) out[list[i].index] = false;
  return found;
}

/* Do the other runs of its load and direction, forward and backward ones alike, lie nearer to the surface
 * than to this one? All extreme runs are out: they are nobody's witness. */
static bool is_contradicted(const surface *s, const fit_outlier *o, const bool *out) {
  const fit_datum *x = s->d->data;
  double sum = 0, n = 0;
  while (x->index != o->index) x++;
  for (size_t i = 0; i < s->d->n; i++) {
    const fit_datum *other = &s->d->data[i];
    if (other->level != x->level || other->angle != x->angle || !in_play(other, out)) continue;
    sum += log(other->force_N), n++;
  }
  if (n == 0) return false;
  double mean = sum / n, here = log(x->force_N), expected = here - log1p(o->departure_percent / 100);
  return fabs(mean - expected) < fabs(mean - here);
}

/* ---- what the others expect ---- */

/* The surface through the runs in play. */
typedef struct expectation {
  fit_regression g;
  double var, dof; /* of a run of weight 1 */
} expectation;

static bool expect(const surface *s, const bool *out, expectation *e) {
  fit_regress r;
  const size_t n = start_regression(s, out, &r);
  fit_regress_solve(&r, &e->g);
  e->dof = (double)n - (double)e->g.rank;
  if (e->dof < LEAST_DOF) return false;
  e->var = e->g.rest / e->dof;
  return true;
}

/* ln F of a run as x at a load whose ln N is larger by dx, and the variance of one run about it. */
static double expected_at(const surface *s, const expectation *e, const fit_datum *x, double dx,
                          double *var) {
  double row[FIT_COLUMNS], ln_F = 0, spread = 0;
  const bool knows_loads = s->n_columns > 3 && e->g.used[3];
  row_of(s, x, row);
  row[3] += dx, row[4] = row[3] * row[3];
  for (size_t p = 0; p < s->n_columns; p++) {
    ln_F += row[p] * e->g.beta[p];
    for (size_t q = 0; q < s->n_columns; q++) spread += row[p] * e->g.inverse[p][q] * row[q];
  }
  const double bend = knows_loads ? 0.5 * FIT_TYPICAL_CURVATURE * dx * dx : FIT_TYPICAL_EXPONENT_SPREAD * dx;
  *var = e->var * (1 / weight_of(x) + spread) + bend * bend;
  return knows_loads ? ln_F : ln_F + dx;
}

/* ---- which weights explain a force ---- */

#define SAME_MASS_KG 1e-6

typedef struct guess {
  double added_kg, off; /* off: in standard deviations */
} guess;

static void try_mass(const surface *s, const expectation *e, const fit_datum *x, double ln_F, double added_kg,
                     guess *best) {
  const cb_run *run = &s->obs[x->index].run;
  const double stated_kg = run->cart_mass_kg + run->added_mass_kg, total_kg = run->cart_mass_kg + added_kg;
  if (!(stated_kg > 0) || !(total_kg > 0) || added_kg < -SAME_MASS_KG) return;
  if (fabs(added_kg - run->added_mass_kg) < SAME_MASS_KG) return;
  double var;
  const double off = fabs(ln_F - expected_at(s, e, x, log(total_kg / stated_kg), &var)) / sqrt(var);
  if (off < best->off) *best = (guess){added_kg, off};
}

/* By how much the mass was another: that of another load of the campaign, twice the run's own, or without
 * weights of the campaign. NAN: none explains the force. */
static double guess_mass(const surface *s, const expectation *e, const fit_datum *x, double ln_F) {
  guess best = {NAN, INFINITY};
  const double own_kg = s->obs[x->index].run.added_mass_kg;
  for (size_t i = 0; i < s->d->n; i++) {
    const double kg = s->obs[s->d->data[i].index].run.added_mass_kg;
    try_mass(s, e, x, ln_F, kg, &best);
    try_mass(s, e, x, ln_F, own_kg - kg, &best);
  }
  try_mass(s, e, x, ln_F, 2 * own_kg, &best);
  return best.off < cb_student_t(0.99, e->dof) ? best.added_kg - own_kg : NAN;
}

/* ---- all runs of a load ---- */

/* The runs of a direction under a load, or all of a load, that are in play. */
typedef struct group {
  size_t level, angle;
  bool whole;
  size_t n;
  const fit_datum *runs[FIT_MAX_DOUBTFUL];
} group;

/* Takes the runs out of play. False: there are none, too many, or one that counts whatever others say. */
static bool take_out(const surface *s, group *g, bool *out) {
  for (size_t i = 0; i < s->d->n; i++) {
    const fit_datum *x = &s->d->data[i];
    if (x->level != g->level || !(g->whole || x->angle == g->angle) || !in_play(x, out)) continue;
    if (is_trusted(s, x) || g->n == FIT_MAX_DOUBTFUL) return false;
    g->runs[g->n++] = x;
  }
  for (size_t i = 0; i < g->n; i++) out[g->runs[i]->index] = true;
  return g->n > 0;
}

static void put_back(const group *g, bool *out) {
  for (size_t i = 0; i < g->n; i++) out[g->runs[i]->index] = false;
}

/* An end load: the others, two loads or more, all lie on one side. Their law goes on there, with a curvature
 * as of the published tables. One load that is off bends the law of all others, too: they judge only while
 * they themselves have an exponent as pairs have. NAN: they do not. */
static double may_depart_at_end(const surface *s, const group *g, const bool *out, double near) {
  const double here = s->ln_load[g->level];
  double next = INFINITY;
  expectation e;
  for (size_t i = 0; i < s->d->n; i++) {
    const fit_datum *x = &s->d->data[i];
    const double dx = fabs(s->ln_load[x->level] - here);
    if (in_play(x, out) && x->level != g->level && dx > near + 1e-9) next = fmin(next, dx);
  }
  if (!isfinite(next) || !expect(s, out, &e)) return NAN;
  const double at = here + (here < 0 ? near : -near), exponent = e.g.beta[3] + 2 * at * e.g.beta[4];
  if (fabs(exponent - 1) > PLAUSIBLE * FIT_TYPICAL_EXPONENT_SPREAD) return NAN;
  return 0.5 * FIT_TYPICAL_CURVATURE * near * next;
}

/* What a smooth law may depart there from the surface, as a standard deviation of ln F; NAN: the others do
 * not say. */
static double may_depart(const surface *s, const group *g, const bool *out) {
  const double here = s->ln_load[g->level];
  double below = INFINITY, above = INFINITY;
  bool beside = false;
  for (size_t i = 0; i < s->d->n; i++) {
    const fit_datum *x = &s->d->data[i];
    const double dx = s->ln_load[x->level] - here;
    if (!in_play(x, out)) continue;
    beside |= x->level == g->level;
    if (x->level != g->level && (g->whole || x->angle == g->angle)) {
      if (dx < 0) below = fmin(below, -dx);
      if (dx > 0) above = fmin(above, dx);
    }
  }
  if (isfinite(below) && isfinite(above)) return 0.5 * FIT_TYPICAL_CURVATURE * below * above;
  if (beside && isfinite(fmin(below, above))) return 0.5 * FIT_TYPICAL_DRIFT * fmin(below, above);
  return g->whole && isfinite(fmin(below, above)) ? may_depart_at_end(s, g, out, fmin(below, above)) : NAN;
}

/* The runs of the group are out of play. *o: how far they are off, together. */
static bool judge_group(const surface *s, const group *g, const bool *out, const expectation *all,
                        size_t n_groups, fit_outlier *o) {
  expectation e;
  double off = 0, var;
  const double depart = may_depart(s, g, out);
  if (isnan(depart) || !expect(s, out, &e)) return false;
  for (size_t p = 0; p < s->n_columns; p++)
    if (all->g.used[p] && !e.g.used[p]) return false;
  for (size_t i = 0; i < g->n; i++)
    off += (log(g->runs[i]->force_N) - expected_at(s, &e, g->runs[i], 0, &var)) / (double)g->n;
  const double expected = expected_at(s, &e, g->runs[0], 0, &var);
  *o = (fit_outlier){.sigma = fmin(fabs(off) / sqrt(var + depart * depart), 1e6),
                     .departure_percent = 100 * expm1(off),
                     .mass_off_kg = guess_mass(s, &e, g->runs[0], expected + off),
                     .fault = FIT_FAULT_LOAD_OFF};
  o->p_value = fmin(1, (double)n_groups * cb_t_p_two_sided(o->sigma, e.dof));
  return o->p_value < ALARM && !isnan(o->mass_off_kg);
}

/* The group that is farthest off, and that other weights explain. */
static bool find_group(const surface *s, bool *out, group *found, fit_outlier *o) {
  expectation all;
  const size_t n_groups = s->d->n_cells + s->d->n_levels;
  o->sigma = 0;
  if (!expect(s, out, &all)) return false;
  for (size_t k = 0; k < n_groups; k++) {
    const bool whole = k >= s->d->n_cells;
    const fit_cell *c = &s->d->cells[whole ? s->d->levels[k - s->d->n_cells].first : k];
    group g = {.level = c->level, .angle = c->angle, .whole = whole};
    fit_outlier here;
    if (!take_out(s, &g, out)) continue;
    if (judge_group(s, &g, out, &all, n_groups, &here) && here.sigma > o->sigma) *o = here, *found = g;
    put_back(&g, out);
  }
  return o->sigma > 0;
}

/* Takes them out of play. */
static void find_wrong_loads(const surface *s, bool *out, fit_friction_law *f) {
  group g;
  fit_outlier o;
  while (find_group(s, out, &g, &o) && f->n_doubtful + g.n + FIT_MAX_OUTLIERS <= FIT_MAX_DOUBTFUL)
    for (size_t i = 0; i < g.n; i++) {
      o.index = g.runs[i]->index;
      out[o.index] = true;
      f->doubtful[f->n_doubtful++] = o;
    }
}

/* ---- all together ---- */

static void name_fault(const surface *s, const expectation *e, fit_fault otherwise, fit_outlier *o) {
  const fit_datum *x = s->d->data;
  while (x->index != o->index) x++;
  o->mass_off_kg = e->dof < LEAST_DOF ? NAN : guess_mass(s, e, x, log(x->force_N));
  o->fault = isnan(o->mass_off_kg) ? otherwise : FIT_FAULT_LOAD_OFF;
}

void fit_outliers_of(const fit_data *d, const cb_friction_obs *obs, const bool *trusted, bool *out,
                     fit_friction_law *f) {
  surface s = surface_of(d, obs, trusted);
  fit_outlier list[FIT_MAX_OUTLIERS];
  expectation e;
  const size_t n = find_outliers(&s, out, list);
  if (n > 0) judge_again(&s, out, list, n);
  f->n_outliers = f->n_doubtful = 0;
  find_wrong_loads(&s, out, f);
  (void)expect(&s, out, &e);
  for (size_t i = 0; i < n; i++) {
    const bool contradicted = is_contradicted(&s, &list[i], out);
    name_fault(&s, &e, contradicted ? FIT_FAULT_OFF_REPEATS : FIT_FAULT_OFF_NEIGHBOURS, &list[i]);
    if (contradicted)
      f->outliers[f->n_outliers++] = list[i];
    else
      f->doubtful[f->n_doubtful++] = list[i];
  }
  for (size_t i = 0; i < f->n_doubtful; i++) out[f->doubtful[i].index] = false;
}
