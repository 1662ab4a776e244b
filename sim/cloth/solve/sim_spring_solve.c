/* The contact springs in the conjugate gradients: vertex by vertex for the cloth, gathered from the vertices
 * for the body. */
#include <math.h>
#include <string.h>

#include "cb_threads.h"
#include "sim_blocks.h"
#include "sim_blocks_apply.h"
#include "sim_spring.h"
#include "sim_vec.h"

/* Whether the cloth's matrix has all of the springs. */
static bool in_matrix(const sim_springs *b) { return !b->any || (!b->body.matrix && !b->respond); }
static bool moves(const sim_springs *b, int vertex) { return !b->body.held || !b->body.held[vertex]; }

static double dot(const sim_springs *b, double (*u)[3], double (*v)[3]) {
  double sum = 0;
  for (int j = 0; j < b->n_body; j++) sum += sim_dot(u[j], v[j]);
  return sum;
}

static const int at[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5}; /* entries of a symmetric block */

static inline void symmetric(const float s[6], const double v[3], double out[3]) {
  out[0] = (double)s[0] * v[0] + (double)s[1] * v[1] + (double)s[2] * v[2];
  out[1] = (double)s[1] * v[0] + (double)s[3] * v[1] + (double)s[4] * v[2];
  out[2] = (double)s[2] * v[0] + (double)s[4] * v[1] + (double)s[5] * v[2];
}

static inline void under(const sim_spring_joint *j, const double (*u)[3], double out[3]) {
  const double *a = u[j->corner[0]], *b = u[j->corner[1]], *c = u[j->corner[2]];
  for (int k = 0; k < 3; k++)
    out[k] = (double)j->weight[0] * a[k] + (double)j->weight[1] * b[k] + (double)j->weight[2] * c[k];
}

void sim_springs_gather(const sim_springs *b, int vertex, double scale, double y[3]) {
  double sum[3] = {0, 0, 0};
  for (int i = b->start[vertex]; i < b->start[vertex + 1]; i++)
    sim_add(sum, (double)b->who[i].weight, b->pull[b->who[i].joint]);
  sim_add(y, scale, sum);
}

/* ---- the preconditioner ---- */

/* carry = gamma h K D^-1: the part of a push on the vertex that goes on to the body. left = h^2 (K - gamma^2
 * K D^-1 K). */
static void eliminate_joint(const sim_springs *b, int i, const double inverse[9]) {
  sim_spring_joint *j = &b->joint[i];
  const double scale = b->gamma_s * b->body.dt_s;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) {
      double sum = 0;
      for (int k = 0; k < 3; k++) sum += (double)j->stiff_N_per_m[at[3 * r + k]] * inverse[3 * k + c];
      j->carry[3 * r + c] = (float)(scale * sum);
    }
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) {
      double handed = 0;
      for (int k = 0; k < 3; k++)
        handed += (double)j->carry[3 * r + k] * (double)j->stiff_N_per_m[at[3 * k + c]];
      b->left[i][3 * r + c] =
          b->body.dt_s * (b->body.dt_s * (double)j->stiff_N_per_m[at[3 * r + c]] - b->gamma_s * handed);
    }
}

/* The inverse where a constraint leaves the vertex free: P D^-1 P. */
static void constrain_inverse(const sim_constraint *c, double inverse[9]) {
  double p[9], half[9];
  for (int k = 0; k < 9; k++) {
    const double nn = (double)c->normal[k / 3] * (double)c->normal[k % 3], one = k % 4 == 0;
    p[k] = c->fixed == SIM_FIXED_WHOLE ? 0 : c->fixed == SIM_FIXED_ALONG ? one - nn : nn;
  }
  for (size_t k = 0; k < 9; k++)
    half[k] = p[k / 3 * 3] * inverse[k % 3] + p[k / 3 * 3 + 1] * inverse[3 + k % 3] +
              p[k / 3 * 3 + 2] * inverse[6 + k % 3];
  for (size_t k = 0; k < 9; k++)
    inverse[k] =
        half[k / 3 * 3] * p[k % 3] + half[k / 3 * 3 + 1] * p[3 + k % 3] + half[k / 3 * 3 + 2] * p[6 + k % 3];
}

static void eliminate_all(sim_springs *b, const float (*inverse)[6], const sim_constraint *constraints,
                          int n_constraints) {
  double d[9];
#pragma omp parallel for schedule(static) private(d) if (b->n > CB_FEW)
  for (int i = 0; i < b->n; i++) {
    for (int k = 0; k < 9; k++) d[k] = (double)inverse[b->first + i][at[k]];
    eliminate_joint(b, i, d);
  }
  for (int c = 0; c < n_constraints; c++) {
    const int i = constraints[c].vertex - b->first;
    if (i < 0 || i >= b->n) continue;
    for (int k = 0; k < 9; k++) d[k] = (double)inverse[b->first + i][at[k]];
    constrain_inverse(&constraints[c], d);
    eliminate_joint(b, i, d);
  }
}

void sim_springs_prepare(sim_springs *b, const float (*inverse)[6], const sim_constraint *constraints,
                         int n_constraints) {
  if (!b->body.matrix) return;
  eliminate_all(b, inverse, constraints, n_constraints);
#pragma omp parallel for schedule(static) if (b->n > CB_FEW)
  for (int j = 0; j < b->n_body; j++) {
    double block[9];
    memcpy(block, b->body.matrix->block[sim_blocks_find(b->body.matrix, j, j)], sizeof block);
    for (int i = b->start[j]; i < b->start[j + 1]; i++)
      for (int a = 0; a < 9; a++) block[a] += (double)b->who[i].weight * b->left[b->who[i].joint][a];
    sim_blocks_invert(block, b->inverse[j]);
  }
}

double sim_springs_give(sim_springs *b, float (*r)[4]) {
  if (!b->body.matrix) return 0;
#pragma omp parallel for schedule(static) if (b->n > CB_FEW)
  for (int i = 0; i < b->n; i++) {
    const float *c = b->joint[i].carry, *of = r[b->first + i];
    for (size_t a = 0; a < 3; a++)
      b->pull[i][a] = (double)(c[3 * a] * of[0] + c[3 * a + 1] * of[1] + c[3 * a + 2] * of[2]);
  }
#pragma omp parallel for schedule(static) if (b->n > CB_FEW)
  for (int j = 0; j < b->n_body; j++) {
    memcpy(b->q[j], b->r[j], sizeof b->q[j]);
    sim_springs_gather(b, j, 1, b->q[j]);
    for (size_t a = 0; a < 3; a++) b->z[j][a] = moves(b, j) ? sim_dot(b->inverse[j] + 3 * a, b->q[j]) : 0;
  }
  return dot(b, b->q, b->z);
}

void sim_springs_carry(sim_springs *b, float (*z)[4]) {
  if (!b->body.matrix) return;
#pragma omp parallel for schedule(static) if (b->n > CB_FEW)
  for (int i = 0; i < b->n; i++) {
    const float *c = b->joint[i].carry;
    double u[3];
    under(&b->joint[i], (const sim_vec3 *)b->z, u);
    for (int a = 0; a < 3; a++)
      z[b->first + i][a] += (float)((double)c[a] * u[0] + (double)c[3 + a] * u[1] + (double)c[6 + a] * u[2]);
  }
}

/* ---- the iteration ---- */

/* The opening at vertex i, from its motion v and the body's u. */
static inline void find_apart(sim_springs *b, int i, double (*u)[3], float (*v)[4]) {
  double *apart = b->apart[i];
  if (u)
    under(&b->joint[i], (const sim_vec3 *)u, apart);
  else
    memset(b->apart[i], 0, sizeof b->apart[i]);
  for (int a = 0; a < 3; a++)
    apart[a] = (v ? b->gamma_s * (double)v[b->first + i][a] : 0) - b->body.dt_s * apart[a];
}

static inline void add_along(const float out[3], double scale, double pull[3]) {
  for (int a = 0; a < 3; a++) pull[a] += scale * (double)out[a];
}

/* Computes a chunk's pulls, and adds to y the part that the cloth's matrix lacks. Returns that part of
 * v.y. */
static double give_cloth(sim_springs *b, int begin, int end, double (*u)[3], float (*v)[4], double sign,
                         float (*y)[4]) {
  double sum = 0, own[3] = {0, 0, 0}, have[3];
  for (int i = begin; i < end; i++) {
    const sim_spring_joint *j = &b->joint[i];
    float *to = y[b->first + i];
    if (!b->respond) find_apart(b, i, u, v);
    symmetric(j->stiff_N_per_m, b->apart[i], b->pull[i]);
    if (b->respond) add_along(j->out, b->answer[i] - (double)j->air_N_per_m * b->opening[i], b->pull[i]);
    for (int a = 0; a < 3 && v; a++) own[a] = b->gamma_s * (double)v[b->first + i][a];
    symmetric(j->stiff_N_per_m, own, have);
    for (int a = 0; a < 3; a++) {
      const double more = b->pull[i][a] - have[a];
      to[a] += (float)(sign * b->gamma_s * more);
      sum += own[a] * more;
    }
  }
  return sum;
}

static void respond_to_opening(sim_springs *b, double (*u)[3], float (*v)[4]) {
#pragma omp parallel for schedule(static) if (b->n > CB_FEW)
  for (int i = 0; i < b->n; i++) {
    find_apart(b, i, u, v);
    const float *o = b->joint[i].out;
    const double *d = b->apart[i];
    b->opening[i] = (double)o[0] * d[0] + (double)o[1] * d[1] + (double)o[2] * d[2];
  }
  b->respond(b->answers, b->opening, b->answer);
}

/* The product's part that the cloth's matrix lacks: y_cloth += sign gamma (pull - K gamma v), y_body = A u -
 * h W^T pull. v NULL: the cloth does not move. Returns the part of (v, u).y. */
static double multiply(sim_springs *b, double (*u)[3], float (*v)[4], double sign, float (*y)[4],
                       double (*own)[3]) {
  double sum = 0;
  if (b->respond) respond_to_opening(b, u, v);
#pragma omp parallel for schedule(static) if (b->n > CB_FEW)
  for (int c = 0; c < CB_CHUNKS(b->n); c++)
    b->chunk_sum[c] =
        give_cloth(b, c * CB_CHUNK, (c + 1) * CB_CHUNK < b->n ? (c + 1) * CB_CHUNK : b->n, u, v, sign, y);
  for (int c = 0; c < CB_CHUNKS(b->n); c++) sum += b->chunk_sum[c];
  if (!u) return sum;
  sim_blocks_product(b->body.matrix, (const sim_vec3 *)u, own);
#pragma omp parallel for schedule(static) if (b->n > CB_FEW)
  for (int j = 0; j < b->n_body; j++) sim_springs_gather(b, j, -b->body.dt_s, own[j]);
  return sum + dot(b, u, own);
}

void sim_springs_residual(sim_springs *b, float (*x)[4], float (*r)[4]) {
  if (in_matrix(b)) return;
  (void)multiply(b, b->body.matrix ? b->x : NULL, x, -1, r, b->r);
  for (int j = 0; b->body.matrix && j < b->n_body; j++)
    for (int a = 0; a < 3; a++) b->r[j][a] = moves(b, j) ? b->right[j][a] - b->r[j][a] : 0;
}

double sim_springs_product(sim_springs *b, float (*p)[4], float (*q)[4]) {
  return in_matrix(b) ? 0 : multiply(b, b->body.matrix ? b->p : NULL, p, 1, q, b->q);
}

void sim_springs_start(sim_springs *b) { memcpy(b->p, b->z, (size_t)b->n_body * sizeof *b->p); }

void sim_springs_reduce(sim_springs *b, double alpha) {
  for (int j = 0; b->body.matrix && j < b->n_body; j++)
    if (moves(b, j)) sim_add(b->r[j], -alpha, b->q[j]);
}

void sim_springs_advance_and_turn(sim_springs *b, double alpha, double beta) {
  for (int j = 0; b->body.matrix && j < b->n_body; j++)
    for (int a = 0; a < 3; a++) {
      b->x[j][a] += alpha * b->p[j][a];
      b->p[j][a] = b->z[j][a] + beta * b->p[j][a];
    }
}

void sim_springs_keep(sim_springs *b) { memcpy(b->best, b->x, (size_t)b->n_body * sizeof *b->best); }
void sim_springs_restore(sim_springs *b) { memcpy(b->x, b->best, (size_t)b->n_body * sizeof *b->x); }
