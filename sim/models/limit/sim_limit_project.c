/* The projection. For fixed multipliers lambda and penalty rho, both per area,
 *   L(x) = 1/2 sum m |x - x*|^2 + sum_t A_t sum_i rho/2 dist(q_i + lambda_i / rho, [low, high] - 1)^2
 * is minimised by Newton's method: what a value pulls with is p = rho (t - nearest of the range to t), t = q
 * + lambda / rho; second derivatives are in sim_limit_curvature.c. Then lambda = p. Where that changes no
 * lambda by more than rho times the tolerance, the values are within it and those that pull are at their
 * limits. Where a round does not bring that down well, rho grows. It begins anew in every projection: a small
 * one leads a cloth that has far to go around what a large one runs it into. */
#include "sim_limit_project.h"

#include <math.h>
#include <string.h>

#include "sim_limit_impl.h"
#include "sim_vec.h"

#define CHUNK 256 /* triangles or vertices that a thread takes at once */
#define CHUNKS(n) (((n) + CHUNK - 1) / CHUNK)
#define DESCENT 1e-4   /* of what the slope promises, at least */
#define ROUNDING 1e-13 /* of the value: no difference below that says anything */
#define HALVINGS 30
#define NEWTON 30   /* linear systems per round, at most */
#define WAIT 5      /* systems until L may be convex again */
#define ENOUGH 0.01 /* of L: a step that lowers it by less need not be followed by another */
#define SETTLED 0.1 /* of the tolerance: no vertex moves by more of a triangle's side */
#define PENALTY_FIRST                                                                   \
  1 /* times mass per area and area of the whole cloth: what it resists as a whole with \
       \ */
#define PENALTY_MOST 4096
#define PENALTY_KEPT                                                                                       \
  16 /* multipliers of a larger one are known too roughly: the next projection, with the first, would leap \
      */
#define GROW 4
#define GOOD 0.3 /* a round that leaves less of what was missed needs no larger penalty */

static bool is_held(const sim_limit *l, int i) { return l->setup.held && l->setup.held[i]; }

static int end_of(int chunk, int n) { return (chunk + 1) * CHUNK < n ? (chunk + 1) * CHUNK : n; }

/* What value i pulls with; > 0: together. */
static double pull_of(const sim_limit *l, int t, const sim_limit_gauges *g, int i) {
  const sim_limit_range r = sim_limit_range_of(&l->setup, g->range[i]);
  const double aim = g->value[i] + l->multiplier[t][i] / l->penalty_kg;
  return l->penalty_kg * (aim - fmin(fmax(aim, r.low - 1), r.high - 1));
}

static void gauges_at(const sim_limit *l, int t, const double (*x)[3], bool slopes, double w[2][3],
                      sim_limit_gauges *g) {
  sim_limit_derivative((const sim_vec3 *)l->slope[t], l->setup.mesh->triangle[t], x, w);
  sim_limit_gauges_of(l->setup.kind, l->blur, (const sim_vec3 *)w, slopes, g);
}

/* ---- the value ---- */

static double penalties(const sim_limit *l, const double (*x)[3], int chunk) {
  double sum = 0;
  for (int t = chunk * CHUNK; t < end_of(chunk, l->n_triangles); t++) {
    double w[2][3];
    sim_limit_gauges g;
    gauges_at(l, t, x, false, w, &g);
    for (int i = 0; i < g.n; i++) {
      const double pull = pull_of(l, t, &g, i);
      sum += l->setup.mesh->area_m2[t] * pull * pull / (2 * l->penalty_kg);
    }
  }
  return sum;
}

static double distances(const sim_limit *l, const double (*x)[3], int chunk) {
  double sum = 0;
  for (int i = chunk * CHUNK; i < end_of(chunk, l->n); i++) {
    double d[3];
    sim_sub(x[i], l->target[i], d);
    sum += l->mass_kg[i] * sim_dot(d, d) / 2 + sim_limit_wall_value(l, i, x[i]);
  }
  return sum;
}

static double value_at(const sim_limit *l, const double (*x)[3]) {
  double sum = 0;
#pragma omp parallel for schedule(static)
  for (int c = 0; c < CHUNKS(l->n_triangles); c++) l->sum[c][0] = penalties(l, x, c);
  for (int c = 0; c < CHUNKS(l->n_triangles); c++) sum += l->sum[c][0];
#pragma omp parallel for schedule(static)
  for (int c = 0; c < CHUNKS(l->n); c++) l->sum[c][0] = distances(l, x, c);
  for (int c = 0; c < CHUNKS(l->n); c++) sum += l->sum[c][0];
  return sum;
}

/* ---- its derivatives ---- */

/* From W to the corners: dW = sum slope dx. */
static void to_corners(double area_m2, double slope[2][3], double k[6][6], double block[9][9]) {
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
          double sum = 0;
          for (int p = 0; p < 4; p++)
            sum += slope[p / 2][a] * slope[p % 2][b] * k[3 * (p / 2) + r][3 * (p % 2) + c];
          block[3 * a + b][3 * c + r] = area_m2 * sum;
        }
}

static void linearise_triangle(sim_limit *l, int t) {
  double w[2][3], k[6][6], pull[SIM_LIMIT_GAUGES] = {0};
  const double area_m2 = l->setup.mesh->area_m2[t];
  sim_limit_gauges g;
  gauges_at(l, t, (const sim_vec3 *)l->x, true, w, &g);
  l->pulls[t] = false;
  memset(l->corner[t], 0, sizeof l->corner[t]);
  for (int i = 0; i < g.n; i++) {
    pull[i] = pull_of(l, t, &g, i);
    if (pull[i] == 0) continue;
    l->pulls[t] = true;
    for (int p = 0; p < 2; p++)
      for (int a = 0; a < 3; a++)
        sim_add(l->corner[t][a], area_m2 * pull[i] * l->slope[t][p][a], g.slope[i][p]);
  }
  if (!l->pulls[t]) return;
  sim_limit_curvature(l->setup.kind, l->blur, (const sim_vec3 *)w, &g, pull, l->penalty_kg, l->exact, k);
  to_corners(area_m2, l->slope[t], k, l->block[t]);
}

/* Row i of the matrix, and b = - derivative: each vertex gathers from the triangles around it. */
static void gather_row(sim_limit *l, int i) {
  const sim_mesh *m = l->setup.mesh;
  sim_blocks *a = &l->matrix;
  memset(a->block[a->start[i]], 0, (size_t)(a->start[i + 1] - a->start[i]) * sizeof *a->block);
  for (int k = 0; k < 3; k++) l->b[i][k] = l->mass_kg[i] * (l->target[i][k] - l->x[i][k]);
  for (int f = m->fan_start[i]; f < m->fan_start[i + 1]; f++) {
    const int t = m->fan[f] / 3, c = m->fan[f] % 3;
    if (!l->pulls[t]) continue;
    sim_add(l->b[i], -1, l->corner[t][c]);
    for (int b = 3 * c; b < 3 * c + 3; b++)
      for (int k = 0; k < 9; k++) a->block[l->slot[t][b]][k] += l->block[t][b][k];
  }
  double *diagonal = a->block[sim_blocks_find(a, i, i)];
  for (int k = 0; k < 9; k += 4) diagonal[k] += l->mass_kg[i];
  sim_limit_wall_linearise(l, i, l->x[i], l->b[i], diagonal);
}

static void linearise_all(sim_limit *l) {
#pragma omp parallel for schedule(static, CHUNK)
  for (int t = 0; t < l->n_triangles; t++) linearise_triangle(l, t);
#pragma omp parallel for schedule(static, CHUNK)
  for (int i = 0; i < l->n; i++) gather_row(l, i);
}

/* ---- Newton's method ---- */

static void try_share(sim_limit *l, double share) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < l->n; i++)
    for (int k = 0; k < 3; k++) l->trial[i][k] = l->x[i][k] + share * l->change[i][k];
}

/* Along the change as far as the value falls by its share; false where it does not. */
static bool descend_line(sim_limit *l, double *from, double *share) {
  double slope = 0;
  for (int i = 0; i < l->n; i++) slope -= is_held(l, i) ? 0 : sim_dot(l->b[i], l->change[i]);
  *share = 1;
  for (int k = 0; k < HALVINGS; k++, *share /= 2) {
    try_share(l, *share);
    const double now = value_at(l, (const sim_vec3 *)l->trial);
    if (now <= *from + DESCENT * *share * slope + ROUNDING * *from) {
      *from = now;
      return true;
    }
  }
  return false;
}

static double most_moved(const sim_limit *l, double share) {
  double most = 0;
  for (int i = 0; i < l->n; i++) most = fmax(most, share * sim_norm(l->change[i]));
  return most;
}

static cb_status solve_now(sim_limit *l, bool exact, sim_limit_report *r, bool *positive, cb_err *err) {
  l->exact = exact;
  linearise_all(l);
  r->systems++;
  return sim_limit_factor_solve(&l->factor, l->setup.held, (const sim_vec3 *)l->b, l->change, positive, err);
}

/* Newton's change where L is convex; else that of the sizes of the curvatures, for a while. */
static cb_status find_change(sim_limit *l, int k, int *exact_from, sim_limit_report *r, bool *positive,
                             cb_err *err) {
  if (k >= *exact_from) {
    CB_TRY(solve_now(l, true, r, positive, err));
    if (*positive) return CB_OK;
    *exact_from = k + WAIT;
  }
  return solve_now(l, false, r, positive, err);
}

/* ---- multipliers ---- */

typedef struct missed {
  double excess, change; /* strain; of multipliers, by the penalty */
  bool pulls;
} missed;

static missed look_at(sim_limit *l, int t, bool update) {
  missed out = {0, 0, false};
  double w[2][3];
  sim_limit_gauges g;
  gauges_at(l, t, (const sim_vec3 *)l->x, false, w, &g);
  for (int i = 0; i < g.n; i++) {
    const double pull = pull_of(l, t, &g, i);
    out.excess = fmax(out.excess, fabs(sim_limit_outside(&l->setup, &g, i)));
    out.change = fmax(out.change, fabs(pull - l->multiplier[t][i]) / l->penalty_kg);
    if (update) l->multiplier[t][i] = pull;
    out.pulls = out.pulls || l->multiplier[t][i] != 0;
  }
  return out;
}

/* The worst of all triangles. update: multipliers become what pulls now. */
static missed find_worst(sim_limit *l, bool update) {
  missed out = {0, 0, false};
#pragma omp parallel for schedule(static)
  for (int c = 0; c < CHUNKS(l->n_triangles); c++) {
    missed worst = {0, 0, false};
    for (int t = c * CHUNK; t < end_of(c, l->n_triangles); t++) {
      const missed one = look_at(l, t, update);
      worst =
          (missed){fmax(worst.excess, one.excess), fmax(worst.change, one.change), worst.pulls || one.pulls};
    }
    l->sum[c][0] = worst.excess, l->sum[c][1] = worst.change, l->sum[c][2] = worst.pulls;
  }
  for (int c = 0; c < CHUNKS(l->n_triangles); c++)
    out = (missed){fmax(out.excess, l->sum[c][0]), fmax(out.change, l->sum[c][1]),
                   out.pulls || l->sum[c][2] > 0};
  for (int i = 0; i < l->n; i++) out.change = fmax(out.change, sim_limit_wall_look(l, i, l->x[i], update));
  return out;
}

static bool is_within(const sim_limit *l, missed m) { return fmax(m.excess, m.change) <= l->setup.tolerance; }

/* The least L for the present multipliers; or a place near it where all that is wanted holds already. */
static cb_status minimise(sim_limit *l, sim_limit_report *r, cb_err *err) {
  double now = value_at(l, (const sim_vec3 *)l->x), before, share;
  bool positive;
  int exact_from = 0;
  for (int k = 0; k < NEWTON; k++) {
    CB_TRY(find_change(l, k, &exact_from, r, &positive, err));
    before = now;
    if (!positive || !descend_line(l, &now, &share)) break;
    memcpy(l->x, l->trial, (size_t)l->n * sizeof *l->x);
    if (most_moved(l, share) <= SETTLED * l->setup.tolerance * l->side_m) break;
    if (before - now <= ENOUGH * now && is_within(l, find_worst(l, false))) break;
  }
  return CB_OK;
}

static cb_status iterate_projection(sim_limit *l, sim_limit_report *r, cb_err *err) {
  double before = INFINITY;
  while (r->rounds < l->setup.rounds && !r->within) {
    CB_TRY(minimise(l, r, err));
    const missed m = find_worst(l, true);
    r->rounds++;
    r->excess = m.excess;
    r->within = is_within(l, m);
    if (m.change > GOOD * before) l->penalty_kg = fmin(l->penalty_kg * GROW, PENALTY_MOST * l->whole_kg);
    before = m.change;
    l->warm = m.pulls;
  }
  return CB_OK;
}

static cb_status check_finite(const sim_limit *l, const double (*x)[3], const char *when, cb_err *err) {
  for (int i = 0; i < l->n; i++)
    for (int k = 0; k < 3; k++)
      if (!isfinite(x[i][k]))
        return cb_fail(err, CB_E_NUM, "limit: vertex %d is nowhere %s: its place must be finite", i, when);
  return CB_OK;
}

/* x is where L is less: there, or where the step led to. */
static void choose_start(sim_limit *l, const double (*start)[3]) {
  for (int i = 0; i < l->n; i++) memcpy(l->trial[i], is_held(l, i) ? l->x[i] : start[i], sizeof *l->trial);
  if (value_at(l, (const sim_vec3 *)l->trial) < value_at(l, (const sim_vec3 *)l->x))
    memcpy(l->x, l->trial, (size_t)l->n * sizeof *l->x);
}

/* From `target`, or from `start` where that is better (NULL: it is not). The result is in x. */
static cb_status project(sim_limit *l, const double (*start)[3], sim_limit_report *r, cb_err *err) {
  *r = (sim_limit_report){0};
  l->penalty_kg = PENALTY_FIRST * l->whole_kg;
  memcpy(l->x, l->target, (size_t)l->n * sizeof *l->x);
  r->excess = r->excess_before = find_worst(l, false).excess;
  if (start != NULL) choose_start(l, start);
  r->within = r->excess <= l->setup.tolerance && !l->warm;
  if (!r->within) CB_TRY(iterate_projection(l, r, err));
  r->penalty_kg = l->penalty_kg;
  if (l->penalty_kg > PENALTY_KEPT * l->whole_kg) sim_limit_forget(l);
  return check_finite(l, (const sim_vec3 *)l->x, "after", err);
}

cb_status sim_limit_project(sim_limit *l, double (*x_m)[3], sim_limit_report *report, cb_err *err) {
  sim_limit_report r;
  CB_TRY(check_finite(l, (const sim_vec3 *)x_m, "before", err));
  memcpy(l->target, x_m, (size_t)l->n * sizeof *x_m);
  CB_TRY(project(l, NULL, &r, err));
  if (report) *report = r;
  memcpy(x_m, l->x, (size_t)l->n * sizeof *x_m);
  return CB_OK;
}

/* x is the place before, held vertices apart, if that is less beyond the limits. */
static void stay_before(sim_limit *l, sim_limit_report *r) {
  memcpy(l->trial, l->x, (size_t)l->n * sizeof *l->x);
  for (int i = 0; i < l->n; i++) memcpy(l->x[i], is_held(l, i) ? l->target[i] : l->before[i], sizeof *l->x);
  sim_limit_forget(l);
  const double excess = find_worst(l, false).excess;
  if (excess < r->excess)
    r->excess = excess;
  else
    memcpy(l->x, l->trial, (size_t)l->n * sizeof *l->x);
}

cb_status sim_limit_project_surely(sim_limit *l, sim_limit_report *report, cb_err *err) {
  sim_limit_report r, again;
  CB_TRY(check_finite(l, (const sim_vec3 *)l->target, "before", err));
  CB_TRY(project(l, (const sim_vec3 *)l->start, &r, err));
  if (!r.within) {
    sim_limit_forget(l);
    CB_TRY(project(l, (const sim_vec3 *)l->before, &again, err));
    again.rounds += r.rounds;
    again.systems += r.systems;
    r = again;
    if (!r.within) stay_before(l, &r);
  }
  *report = r;
  return CB_OK;
}

double sim_limit_excess(sim_limit *l) { return find_worst(l, false).excess; }

void sim_limit_forget(sim_limit *l) {
  memset(l->multiplier, 0, (size_t)l->n_triangles * sizeof *l->multiplier);
  for (int i = 0; i < l->n; i++)
    for (int k = 0; k < SIM_LIMIT_WALLS; k++) l->wall[i][k].multiplier = 0;
  l->warm = false;
}
