#include "sim_pcg.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim_lanes.h"

cb_status sim_pcg_init(int n_vertices, sim_pcg *out, cb_err *err) {
  const size_t n = (size_t)n_vertices;
  *out = (sim_pcg){.n = n_vertices};
  out->r = calloc(n, sizeof *out->r);
  out->z = calloc(n, sizeof *out->z);
  out->p = calloc(n, sizeof *out->p);
  out->q = calloc(n, sizeof *out->q);
  out->best = calloc(n, sizeof *out->best);
  out->held = calloc(n, sizeof *out->held);
  out->chunk_sum = calloc((size_t)SIM_ROW_CHUNKS(n_vertices), sizeof *out->chunk_sum);
  if (!out->r || !out->z || !out->p || !out->q || !out->best || !out->held || !out->chunk_sum)
    return cb_no_memory(err, "conjugate gradients of %d vertices", n_vertices);
  return CB_OK;
}

void sim_pcg_clear(sim_pcg *s) {
  free(s->r);
  free(s->z);
  free(s->p);
  free(s->q);
  free(s->best);
  free(s->held);
  free(s->chunk_sum);
  *s = (sim_pcg){0};
}

/* With fewer constraints a loop is not worth waking the threads. */
#define FEW_CONSTRAINTS 2048

static void copy_vectors(int n, float (*to)[4], float (*from)[4]) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++)
    for (int a = 0; a < 4; a++) to[i][a] = from[i][a];
}

static void filter(const sim_constraint *c, float *w) {
  const float *normal = c->normal, along = w[0] * normal[0] + w[1] * normal[1] + w[2] * normal[2];
  for (int a = 0; a < 3; a++)
    w[a] = c->fixed == SIM_FIXED_ALONG   ? w[a] - along * normal[a]
           : c->fixed == SIM_FIXED_WHOLE ? 0
                                         : along * normal[a];
}

void sim_pcg_filter(const sim_constraint *constraints, int n, float (*v)[4]) {
#pragma omp parallel for schedule(static) if (n > FEW_CONSTRAINTS)
  for (int c = 0; c < n; c++) filter(&constraints[c], v[constraints[c].vertex]);
}

/* Filters v, and adds scale * the removed part to held. */
static void filter_off(sim_pcg *s, const sim_constraint *constraints, int n, float scale, float (*v)[4]) {
#pragma omp parallel for schedule(static) if (n > FEW_CONSTRAINTS)
  for (int c = 0; c < n; c++) {
    float *w = v[constraints[c].vertex], before[3] = {w[0], w[1], w[2]};
    filter(&constraints[c], w);
    for (int a = 0; a < 3; a++) s->held[c][a] += scale * (before[a] - w[a]);
  }
}

/* r -= alpha q */
static void reduce_residual(sim_pcg *s, double alpha) {
  const float step = (float)alpha;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < s->n; i++)
    for (int a = 0; a < 4; a++) s->r[i][a] -= step * s->q[i][a];
  for (int k = 0; k < s->n_springs; k++) sim_springs_reduce(s->springs[k], alpha);
}

/* x += alpha p, p = z + beta p: p is read once for both. */
static void advance_and_turn(sim_pcg *s, double alpha, double beta, float (*x)[4]) {
  const float step = (float)alpha, keep = (float)beta;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < s->n; i++)
    for (int a = 0; a < 4; a++) {
      x[i][a] += step * s->p[i][a];
      s->p[i][a] = s->z[i][a] + keep * s->p[i][a];
    }
  for (int k = 0; k < s->n_springs; k++) sim_springs_advance_and_turn(s->springs[k], alpha, beta);
}

/* r := b - A x, filtered; x NULL: zero */
static void residual(sim_pcg *s, sim_matrix *a, float (*b)[4], float (*x)[4],
                     const sim_constraint *constraints, int n_constraints) {
  if (x) {
    sim_matrix_product(a, x, s->q, s->chunk_sum);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < s->n; i++)
      for (int c = 0; c < 4; c++) s->r[i][c] = b[i][c] - s->q[i][c];
  } else {
    copy_vectors(s->n, s->r, b);
  }
  for (int k = 0; k < s->n_springs; k++) sim_springs_residual(s->springs[k], x, s->r);
  memset(s->held, 0, (size_t)n_constraints * sizeof *s->held);
  filter_off(s, constraints, n_constraints, 1, s->r);
}

/* q = A p; returns p.q. */
static double multiply_matrix(sim_pcg *s, sim_matrix *a) {
  double pq = sim_matrix_product(a, s->p, s->q, s->chunk_sum);
  for (int k = 0; k < s->n_springs; k++) pq += sim_springs_product(s->springs[k], s->p, s->q);
  return pq;
}

/* z = M^-1 r. Returns the sizes r.z before z is filtered: r is filtered, so they are the same. */
static sim_pcg_size precondition(sim_pcg *s, sim_multilevel *m, const sim_constraint *constraints,
                                 int n_constraints) {
  double given = 0;
  for (int k = 0; k < s->n_springs; k++) given += sim_springs_give(s->springs[k], s->r);
  const double cloth = sim_multilevel_apply(m, s->r, s->z, s->chunk_sum);
  for (int k = 0; k < s->n_springs; k++) sim_springs_carry(s->springs[k], s->z);
  sim_pcg_filter(constraints, n_constraints, s->z);
  return (sim_pcg_size){given + cloth, cloth};
}

/* A cloth that is carried along has almost no residual of its own as a reference. */
#define CLOTH_LEAST 1e-4 /* of all */

static sim_pcg_size reference_of(sim_pcg_size own, sim_pcg_size least) {
  const double all = fmax(own.all, least.all);
  return (sim_pcg_size){all, fmax(fmax(own.cloth, least.cloth), CLOTH_LEAST * all)};
}

/* The residual's size over the reference; a square. */
static double share_of(sim_pcg_size r, sim_pcg_size reference) {
  return reference.all > 0 ? fmax(fabs(r.all) / reference.all, fabs(r.cloth) / reference.cloth) : 0;
}

/* Copies the constrained part of x into p. Returns whether it is not 0. */
static bool keep_held(sim_pcg *s, const sim_constraint *constraints, int n_constraints, float (*x)[4]) {
  bool any = false;
  memset(s->p, 0, (size_t)s->n * sizeof *s->p);
  for (int c = 0; c < n_constraints; c++) {
    const float *v = x[constraints[c].vertex];
    const float *n = constraints[c].normal, along = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
    for (int k = 0; k < 3; k++) {
      const float part = along * n[k];
      s->p[constraints[c].vertex][k] = constraints[c].fixed == SIM_FIXED_ALONG   ? part
                                       : constraints[c].fixed == SIM_FIXED_WHOLE ? v[k]
                                                                                 : v[k] - part;
      any = any || s->p[constraints[c].vertex][k] != 0;
    }
  }
  return any;
}

/* Completes r to b - A x, with the forces of the constraints. */
static void give_back_held(sim_pcg *s, const sim_constraint *constraints, int n_constraints) {
  for (int c = 0; c < n_constraints; c++)
    for (int a = 0; a < 3; a++) s->r[constraints[c].vertex][a] += s->held[c][a];
}

static bool same(const sim_pcg *s, float (*u)[4], float (*v)[4]) {
  return memcmp(u, v, (size_t)s->n * sizeof *u) == 0;
}

/* Thresholds for the preconditioned residual, squared. x is stored when it has fallen to KEEP_AT of the last
 * stored one. GROWN times as much is no fluctuation: rounding has taken over (a direction with almost no
 * stiffness gets a step without bound). */
#define KEEP_AT 0.25
#define GROWN 1e6

/* Stores x if it is enough better than the stored one. Returns true if rounding has taken over. */
static bool watch_residual(sim_pcg *s, float (*x)[4], double rz, double *kept) {
  if (rz <= KEEP_AT * *kept && rz >= 0) {
    copy_vectors(s->n, s->best, x);
    for (int k = 0; k < s->n_springs; k++) sim_springs_keep(s->springs[k]);
    *kept = rz;
  }
  return rz > GROWN * *kept;
}

static double dot(const sim_pcg *s, float (*u)[4], float (*v)[4]) {
  const int n_chunks = SIM_ROW_CHUNKS(s->n);
  double sum = 0;
#pragma omp parallel for schedule(static)
  for (int c = 0; c < n_chunks; c++) {
    const int last = (c + 1) * SIM_ROWS < s->n ? (c + 1) * SIM_ROWS : s->n;
    s->chunk_sum[c] = 0;
    for (int i = c * SIM_ROWS; i < last; i++)
      for (int k = 0; k < 3; k++) s->chunk_sum[c] += (double)u[i][k] * (double)v[i][k];
  }
  for (int c = 0; c < n_chunks; c++) sum += s->chunk_sum[c];
  return sum;
}

/* Makes the free part x of a start `share` of itself, and gives the cloth as a whole as much more of its
 * mean, up to all of it, as its momentum asks for. r is the residual of the constrained part. A motion as a
 * whole meets no stiffness, so the matrix is local for it. */
static void share_start(sim_pcg *s, const sim_matrix *a, const sim_constraint *constraints, int n_constraints,
                        float (*x)[4]) {
  const float share = (float)s->share;
  double mean[3] = {0};
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < 3; k++) mean[k] += (double)x[i][k] / s->n;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < 4; k++) s->z[i][k] = k < 3 ? (float)mean[k] : 0;
  sim_pcg_filter(constraints, n_constraints, s->z);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < s->n; i++) {
    const sim_quad mine = share * sim_quad_load(x[i]);
    sim_quad_store(mine, x[i]);
    sim_quad_store(sim_quad_load(s->r[i]) - sim_quad_multiply(a->local[i], mine), s->q[i]);
  }
  const double missing = dot(s, s->z, s->q);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < s->n; i++)
    sim_quad_store(sim_quad_multiply(a->local[i], sim_quad_load(s->z[i])), s->q[i]);
  const double inertia = dot(s, s->z, s->q);
  const float more = inertia > 0 ? (float)fmin(fmax(missing / inertia, 0), 1 - s->share) : 0;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < 3; k++) x[i][k] += more * s->z[i][k];
}

/* Scales the free part of the start x: as share_start does, or, where no share is set, so that its error is
 * least in the energy norm (Fischer, Comput. Methods Appl. Mech. Eng. 163:193, 1998, with one vector). r is
 * the residual of the constrained part, p; it becomes that of x. */
static void scale_start(sim_pcg *s, sim_matrix *a, const sim_constraint *constraints, int n_constraints,
                        float (*x)[4]) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < 4; k++) x[i][k] -= s->p[i][k];
  if (s->share > 0) share_start(s, a, constraints, n_constraints, x);
  const double xq = sim_matrix_product(a, x, s->q, s->chunk_sum);
  const double alpha = s->share > 0 ? 1 : xq > 0 ? dot(s, x, s->r) / xq : 0;
  filter_off(s, constraints, n_constraints, -(float)alpha, s->q);
  reduce_residual(s, alpha);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < 4; k++) x[i][k] = s->p[i][k] + (float)alpha * x[i][k];
}

/* From r, p and the residual's size rz on. */
static sim_pcg_result iterate(sim_pcg *s, sim_matrix *a, sim_multilevel *preconditioner,
                              const sim_constraint *constraints, int n_constraints, float (*b)[4],
                              float (*x)[4], double tolerance, sim_pcg_size reference, int max_iterations,
                              sim_pcg_size rz) {
  sim_pcg_result result = {.outcome = SIM_PCG_MAX_ITERATIONS};
  double kept = INFINITY;
  for (;;) {
    if (!isfinite(rz.all) || !isfinite(reference.all)) {
      result.outcome = SIM_PCG_NOT_FINITE;
      break;
    }
    if (rz.all < 0) result.outcome = SIM_PCG_INDEFINITE;
    if (share_of(rz, reference) <= tolerance * tolerance && rz.all >= 0) result.outcome = SIM_PCG_CONVERGED;
    if (watch_residual(s, x, rz.all, &kept)) result.outcome = SIM_PCG_ROUNDING;
    if (result.outcome != SIM_PCG_MAX_ITERATIONS || result.iterations == max_iterations) break;
    const double pq = multiply_matrix(s, a);
    if (!(pq > 0)) {
      result.outcome = isfinite(pq) ? SIM_PCG_INDEFINITE : SIM_PCG_NOT_FINITE;
      break;
    }
    const double before = rz.all, alpha = before / pq;
    filter_off(s, constraints, n_constraints, -(float)alpha, s->q);
    reduce_residual(s, alpha);
    rz = precondition(s, preconditioner, constraints, n_constraints);
    advance_and_turn(s, alpha, rz.all / before, x);
    result.iterations++;
  }
  if (result.outcome != SIM_PCG_CONVERGED && rz.all > kept) {
    copy_vectors(s->n, x, s->best);
    for (int k = 0; k < s->n_springs; k++) sim_springs_restore(s->springs[k]);
    residual(s, a, b, x, constraints, n_constraints);
    rz = precondition(s, preconditioner, constraints, n_constraints);
  }
  give_back_held(s, constraints, n_constraints);
  s->size = rz;
  result.reference = reference;
  result.residual = sqrt(share_of(rz, reference));
  return result;
}

sim_pcg_result sim_pcg_solve(sim_pcg *s, sim_matrix *a, sim_multilevel *preconditioner,
                             const sim_constraint *constraints, int n_constraints, float (*b)[4],
                             float (*x)[4], double tolerance, sim_pcg_size least, int max_iterations) {
  const bool moved = keep_held(s, constraints, n_constraints, x);
  residual(s, a, b, moved ? s->p : NULL, constraints, n_constraints);
  sim_pcg_size rz = precondition(s, preconditioner, constraints, n_constraints);
  const sim_pcg_size reference = reference_of(rz, least);
  if (!same(s, x, s->p)) { /* x begins with more than its constrained part */
    if (s->n_springs == 0)
      scale_start(s, a, constraints, n_constraints, x);
    else
      residual(s, a, b, x, constraints, n_constraints);
    rz = precondition(s, preconditioner, constraints, n_constraints);
  }
  copy_vectors(s->n, s->p, s->z);
  for (int k = 0; k < s->n_springs; k++) sim_springs_start(s->springs[k]);
  return iterate(s, a, preconditioner, constraints, n_constraints, b, x, tolerance, reference, max_iterations,
                 rz);
}

sim_pcg_result sim_pcg_go_on(sim_pcg *s, sim_matrix *a, sim_multilevel *preconditioner,
                             const sim_constraint *constraints, int n_constraints, float (*b)[4],
                             float (*x)[4], double tolerance, sim_pcg_size reference, int max_iterations) {
  copy_vectors(s->n, b, s->r);
  memset(x, 0, (size_t)s->n * sizeof *x);
  memset(s->held, 0, (size_t)n_constraints * sizeof *s->held);
  filter_off(s, constraints, n_constraints, 1, s->r);
  for (int k = 0; k < s->n_springs; k++) sim_springs_go_on(s->springs[k]);
  return iterate(s, a, preconditioner, constraints, n_constraints, b, x, tolerance, reference, max_iterations,
                 s->size);
}

double sim_pcg_measure(sim_pcg *s, sim_multilevel *preconditioner, const sim_constraint *constraints,
                       int n_constraints, sim_pcg_size reference) {
  sim_pcg_filter(constraints, n_constraints, s->r);
  return sqrt(share_of(precondition(s, preconditioner, constraints, n_constraints), reference));
}
