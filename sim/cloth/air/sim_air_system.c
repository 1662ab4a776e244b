#include "sim_air_system.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cb_threads.h"

void sim_air_system_clear(sim_air_system *s) {
  double *const vectors[] = {s->flow_m3, s->volume_m3, s->diagonal_m3, s->b_J, s->r,        s->z,
                             s->p,       s->q,         s->s,           s->t,   s->chunk_sum};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) free(vectors[i]);
  free(s->near_m3);
  free(s->whole_per_m3);
  free(s->own_per_m3);
  free(s->start);
  free(s->edge);
  free(s->other);
  *s = (sim_air_system){0};
}

static void connect_rows(const sim_mesh *m, sim_air_system *s) {
  for (int e = 0; e < m->n_edges; e++)
    for (int k = 0; k < 2; k++) s->start[m->edge[e].vertex[k] + 1]++;
  for (int i = 0; i < s->n; i++) s->start[i + 1] += s->start[i];
  for (int e = 0; e < m->n_edges; e++)
    for (int k = 0; k < 2; k++) {
      int at = s->start[m->edge[e].vertex[k]]++;
      s->edge[at] = e;
      s->other[at] = m->edge[e].vertex[1 - k];
    }
  memmove(s->start + 1, s->start, (size_t)s->n * sizeof *s->start);
  s->start[0] = 0;
}

cb_status sim_air_system_init(const sim_mesh *m, sim_air_system *out, cb_err *err) {
  size_t n = (size_t)m->n_vertices, n_edges = (size_t)m->n_edges;
  *out = (sim_air_system){.n = m->n_vertices, .n_edges = m->n_edges};
  out->start = calloc(n + 1, sizeof *out->start);
  out->edge = malloc(2 * n_edges * sizeof *out->edge);
  out->other = malloc(2 * n_edges * sizeof *out->other);
  out->flow_m3 = calloc(n_edges, sizeof *out->flow_m3);
  out->chunk_sum = calloc((size_t)CB_CHUNKS(m->n_vertices), sizeof *out->chunk_sum);
  double **const vectors[] = {&out->volume_m3, &out->diagonal_m3, &out->b_J, &out->r, &out->z,
                              &out->p,         &out->q,           &out->s,   &out->t};
  out->near_m3 = calloc(2 * n_edges, sizeof *out->near_m3);
  out->whole_per_m3 = calloc(n, sizeof *out->whole_per_m3);
  out->own_per_m3 = calloc(n, sizeof *out->own_per_m3);
  bool ok = out->near_m3 && out->whole_per_m3 && out->own_per_m3 && out->start && out->edge && out->other &&
            out->flow_m3 && out->chunk_sum;
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    ok = (*vectors[i] = calloc(n, sizeof(double))) && ok;
  if (!ok) return cb_no_memory(err, "air of %zu vertices", n);
  connect_rows(m, out);
  return CB_OK;
}

/* y = A x */
static void multiply_system(const sim_air_system *s, const double *x, double *y) {
#pragma omp parallel for schedule(static) if (s->n > CB_FEW)
  for (int i = 0; i < s->n; i++) {
    double sum = s->diagonal_m3[i] * x[i];
    for (int k = s->start[i]; k < s->start[i + 1]; k++) sum -= s->flow_m3[s->edge[k]] * x[s->other[k]];
    y[i] = sum;
  }
}

static double dot(const sim_air_system *s, const double *a, const double *b) {
#pragma omp parallel for schedule(static) if (s->n > CB_FEW)
  for (int c = 0; c < CB_CHUNKS(s->n); c++) {
    double sum = 0;
    for (int i = c * CB_CHUNK; i < s->n && i < (c + 1) * CB_CHUNK; i++) sum += a[i] * b[i];
    s->chunk_sum[c] = sum;
  }
  double sum = 0;
  for (int c = 0; c < CB_CHUNKS(s->n); c++) sum += s->chunk_sum[c];
  return sum;
}

/* y = x + a y */
static void turn_direction(const sim_air_system *s, const double *x, double a, double *y) {
#pragma omp parallel for schedule(static) if (s->n > CB_FEW)
  for (int i = 0; i < s->n; i++) y[i] = x[i] + a * y[i];
}
/* y += a x */
static void add_scaled(const sim_air_system *s, double a, const double *x, double *y) {
#pragma omp parallel for schedule(static) if (s->n > CB_FEW)
  for (int i = 0; i < s->n; i++) y[i] += a * x[i];
}
static void precondition(const sim_air_system *s, const double *r, double *z) {
#pragma omp parallel for schedule(static) if (s->n > CB_FEW)
  for (int i = 0; i < s->n; i++) z[i] = r[i] / s->diagonal_m3[i];
}

static void residual(const sim_air_system *s, const double *x, double *r) {
  multiply_system(s, x, r);
#pragma omp parallel for schedule(static) if (s->n > CB_FEW)
  for (int i = 0; i < s->n; i++) r[i] = s->b_J[i] - r[i];
}

/* Whether every vertex is balanced. False also for numbers that are not finite or not positive. */
static bool arrived(const sim_air_system *s, const double *r, const double *x, double tolerance) {
  bool all = true;
#pragma omp parallel for schedule(static) reduction(&& : all) if (s->n > CB_FEW)
  for (int i = 0; i < s->n; i++) all = all && fabs(r[i]) <= tolerance * s->volume_m3[i] * x[i];
  return all;
}

int sim_air_solve_cg(sim_air_system *s, double tolerance, int max_iterations, double *x) {
  residual(s, x, s->r);
  precondition(s, s->r, s->p);
  double rz = dot(s, s->r, s->p);
  for (int k = 0; k <= max_iterations; k++) {
    if (arrived(s, s->r, x, tolerance)) return k;
    multiply_system(s, s->p, s->q);
    double pq = dot(s, s->p, s->q);
    if (!(pq > 0)) return -1;
    add_scaled(s, rz / pq, s->p, x);
    add_scaled(s, -rz / pq, s->q, s->r);
    precondition(s, s->r, s->z);
    double now = dot(s, s->r, s->z);
    turn_direction(s, s->z, now / rz, s->p);
    rz = now;
  }
  return -1;
}

/* A division by zero ends the method: it arrived, or it broke down. */
static double ratio(double a, double b) { return b != 0 ? a / b : INFINITY; }

/* H. A. van der Vorst, SIAM J. Sci. Stat. Comput. 13:631 (1992), preconditioned from the right. The unknowns
 * Q = V P enter as P = Q / V: the preconditioner is (diagonal / V)^-1, and Q / V of a preconditioned vector
 * is that vector over the diagonal. */
int sim_air_solve_bicgstab(sim_air_system *s, double tolerance, int max_iterations, double *x) {
  double *shadow = s->z, *v = s->q, *hat = s->s, *t = s->t;
  residual(s, x, s->r);
  memcpy(shadow, s->r, (size_t)s->n * sizeof *shadow);
  memcpy(s->p, s->r, (size_t)s->n * sizeof *s->p);
  double rho = dot(s, shadow, s->r);
  for (int k = 0; k <= max_iterations; k++) {
    if (arrived(s, s->r, x, tolerance)) return k;
    precondition(s, s->p, hat);
    multiply_system(s, hat, v);
    double alpha = ratio(rho, dot(s, shadow, v));
    if (!isfinite(alpha)) return -1;
    add_scaled(s, alpha, hat, x);
    add_scaled(s, -alpha, v, s->r);
    precondition(s, s->r, hat);
    multiply_system(s, hat, t);
    double tt = dot(s, t, t), omega = tt > 0 ? dot(s, t, s->r) / tt : 0;
    add_scaled(s, omega, hat, x);
    add_scaled(s, -omega, t, s->r);
    double now = dot(s, shadow, s->r), beta = ratio(now, rho) * ratio(alpha, omega);
    if (!isfinite(beta)) return arrived(s, s->r, x, tolerance) ? k + 1 : -1;
    add_scaled(s, -omega, v, s->p);
    turn_direction(s, s->r, beta, s->p);
    rho = now;
  }
  return -1;
}

#define LARGEST 2.0 /* no eigenvalue of diagonal^-1 A is larger: A is diagonally dominant */

void sim_air_system_prepare(sim_air_system *s, const double *own_m3) {
#pragma omp parallel for schedule(static) if (s->n > CB_FEW)
  for (int i = 0; i < s->n; i++) {
    for (int k = s->start[i]; k < s->start[i + 1]; k++) s->near_m3[k] = (float)s->flow_m3[s->edge[k]];
    s->whole_per_m3[i] = (float)(1 / s->diagonal_m3[i]);
    s->own_per_m3[i] = (float)(1 / own_m3[i]);
  }
}

/* b - A x */
static inline double residual_at(const sim_air_system *s, const double *x, int i) {
  double sum = s->b_J[i] - s->diagonal_m3[i] * x[i];
  for (int k = s->start[i]; k < s->start[i + 1]; k++) sum += (double)s->near_m3[k] * x[s->other[k]];
  return sum;
}

/* way = keep way + share / diagonal (b - A x), y = x + way. */
static void relax(const sim_air_system *s, double keep, double share, const double *x, double *y) {
  double *way = s->z;
#pragma omp parallel for schedule(static) if (s->n > CB_FEW)
  for (int i = 0; i < s->n; i++) {
    way[i] = keep * way[i] + share * (double)s->whole_per_m3[i] * residual_at(s, x, i);
    y[i] = x[i] + way[i];
  }
}

/* The first relaxation from x = 0. */
static void relax_none(const sim_air_system *s, double share, double *y) {
#pragma omp parallel for schedule(static) if (s->n > CB_FEW)
  for (int i = 0; i < s->n; i++) y[i] = s->z[i] = share * (double)s->whole_per_m3[i] * s->b_J[i];
}

/* y = x + 1/own (b - A x) */
static void answer_alone(const sim_air_system *s, const double *x, double *y) {
#pragma omp parallel for schedule(static) if (s->n > CB_FEW)
  for (int i = 0; i < s->n; i++) y[i] = x[i] + (double)s->own_per_m3[i] * residual_at(s, x, i);
}

static void swap(double **x, double **y) {
  double *last = *x;
  *x = *y;
  *y = last;
}

/* p(diagonal^-1 A) on the error of *x, p the polynomial of degree `relaxations` with the least max of lambda
 * p^2 up to LARGEST: Chebyshev's of the fourth kind. none: *x is 0, whatever it holds. */
static void smooth(const sim_air_system *s, int relaxations, bool none, double **x, double **y) {
  for (int k = 1; k <= relaxations; k++) {
    const double scale = 2 * k + 1, share = (8 * k - 4) / (scale * LARGEST);
    if (none && k == 1)
      relax_none(s, share, *y);
    else
      relax(s, k == 1 ? 0 : (2 * k - 3) / scale, share, *x, *y);
    swap(x, y);
  }
}

/* I - B A = p (I - C A) p, C = 1/own >= 1/A: B - 1/A = p (C - 1/A) p^T. */
const double *sim_air_system_smooth(const sim_air_system *s, int relaxations) {
  double *x = s->s, *y = s->t;
  smooth(s, relaxations, true, &x, &y);
  answer_alone(s, x, y);
  swap(&x, &y);
  smooth(s, relaxations, false, &x, &y);
  return x;
}
