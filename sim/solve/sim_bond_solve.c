/* The bonds' part of the conjugate gradients. */
#include <math.h>
#include <string.h>

#include "sim_blocks.h"
#include "sim_bond_parts.h"

static double dot(const sim_bonds *b, double (*u)[3], double (*v)[3]) {
  double sum = 0;
  for (int j = 0; j < b->n_body; j++) sum += sim_dot(u[j], v[j]);
  return sum;
}

static inline void add_to(const double w[3], double scale, float v[4]) {
  for (int a = 0; a < 3; a++) v[a] += (float)(scale * w[a]);
}

static inline void scaled(const float v[4], double scale, double out[3]) {
  for (int a = 0; a < 3; a++) out[a] = scale * v[a];
}

/* ---- the preconditioner ---- */

/* What a constraint leaves of a push along the normal, and of one across it (on the average of the directions). */
static sim_bond_share left_by(const sim_constraint *c, const double normal[3]) {
  double cosine = c->normal[0] * normal[0] + c->normal[1] * normal[1] + c->normal[2] * normal[2], square = cosine * cosine;
  if (c->fixed == SIM_FIXED_WHOLE) return (sim_bond_share){0, 0};
  return c->fixed == SIM_FIXED_ALONG ? (sim_bond_share){1 - square, (1 + square) / 2} : (sim_bond_share){square, (1 - square) / 2};
}

static void weigh(sim_bonds *b, const sim_matrix *a) {
  const double step2 = b->gamma_s * b->body.dt_s;
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int i = 0; i < sim_bonds_all(b); i++) {
    const sim_bond *k = &b->bond[i];
    const float *d = a->diagonal[k->vertex];
    const double *n = k->normal;
    double along =
        d[0] * n[0] * n[0] + d[3] * n[1] * n[1] + d[5] * n[2] * n[2] + 2 * (d[1] * n[0] * n[1] + d[2] * n[0] * n[2] + d[4] * n[1] * n[2]);
    double across = ((double)d[0] + (double)d[3] + (double)d[5] - along) / 2;
    b->carry[i].along = along > 0 ? fmin(step2 * k->stiffness_N_per_m / along, 1) : 0;
    b->carry[i].across = across > 0 ? fmin(step2 * k->across_N_per_m / across, 1) : 0;
  }
}

static void hold_bond(sim_bonds *b, int i, const sim_constraint *c) {
  sim_bond_share left = left_by(c, b->bond[i].normal);
  b->carry[i].along *= left.along;
  b->carry[i].across *= left.across;
}

/* The more a vertex is held, the more it is a wall to the body. */
static void hold(sim_bonds *b, const sim_constraint *constraints, int n_constraints) {
  for (int c = 0; c < n_constraints; c++) {
    int i = constraints[c].vertex - b->first;
    if (i < 0 || i >= b->n) continue;
    if (i < b->end[SIM_BOND_TOGETHER]) hold_bond(b, i, &constraints[c]);
    if (b->alone[i] >= 0) hold_bond(b, b->alone[i], &constraints[c]);
  }
}

/* A vertex with two bonds, next to along each other, goes along by the sum. */
static void add_up(sim_bonds *b) {
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int i = 0; i < b->n; i++) {
    double sum = (i < b->end[SIM_BOND_TOGETHER] ? b->carry[i].along : 0) + (b->alone[i] >= 0 ? b->carry[b->alone[i]].along : 0);
    b->along[i] = fmin(sum, 1);
  }
}

static void invert_blocks(sim_bonds *b) {
  const double h2 = b->body.dt_s * b->body.dt_s;
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int j = 0; j < b->n_body; j++) {
    double block[9];
    memcpy(block, b->body.matrix->block[sim_blocks_find(b->body.matrix, j, j)], sizeof block);
    for (int i = b->start[j]; i < b->start[j + 1]; i++) {
      const sim_bond *k = &b->bond[b->who[i] / 3];
      const double w = h2 * k->weight[b->who[i] % 3];
      double along = w * k->stiffness_N_per_m * (1 - b->along[k->vertex - b->first]);
      double across = w * k->across_N_per_m * (1 - b->carry[b->who[i] / 3].across);
      for (int a = 0; a < 9; a++) block[a] += (along - across) * k->normal[a / 3] * k->normal[a % 3] + (a % 4 == 0 ? across : 0);
    }
    sim_blocks_invert(block, b->inverse[j]);
  }
}

void sim_bonds_prepare(sim_bonds *b, const sim_matrix *a, const sim_constraint *constraints, int n_constraints) {
  if (!b->body.matrix) return;
  weigh(b, a);
  hold(b, constraints, n_constraints);
  add_up(b);
  invert_blocks(b);
}

double sim_bonds_give(sim_bonds *b, float (*r)[4]) {
  if (!b->body.matrix) return 0;
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int i = 0; i < sim_bonds_all(b); i++) {
    double of[3];
    scaled(r[b->bond[i].vertex], 1, of);
    memset(b->pull[i], 0, sizeof b->pull[i]);
    sim_bond_split(&b->bond[i], b->carry[i].along, b->carry[i].across, 1, of, b->pull[i]);
  }
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int j = 0; j < b->n_body; j++) {
    memcpy(b->q[j], b->r[j], sizeof b->q[j]);
    sim_bonds_gather(b, j, 1, b->q[j]);
    for (int a = 0; a < 3; a++) b->z[j][a] = sim_bonds_moves(b, j) ? sim_dot(b->inverse[j] + 3 * a, b->q[j]) : 0;
  }
  return dot(b, b->q, b->z);
}

void sim_bonds_carry(sim_bonds *b, float (*z)[4]) {
  if (!b->body.matrix) return;
  for (int kind = 0; kind < SIM_BOND_KINDS; kind++) {
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
    for (int i = sim_bonds_begin_of(b, kind); i < b->end[kind]; i++) {
      double under[3] = {0, 0, 0}, share[3] = {0, 0, 0};
      sim_bond_under(&b->bond[i], 1, (const double(*)[3])b->z, under);
      sim_bond_split(&b->bond[i], b->carry[i].along, b->carry[i].across, 1, under, share);
      add_to(share, 1, z[b->bond[i].vertex]);
    }
  }
}

/* ---- the iteration ---- */

/* What a chunk of bonds gives to the cloth beyond what its matrix has; its part of v.y. */
static double give_cloth(const sim_bonds *b, int begin, int end, double sign, float (*v)[4], float (*y)[4]) {
  double sum = 0;
  for (int i = begin; i < end; i++) {
    const sim_bond *k = &b->bond[i];
    double own[3] = {0, 0, 0}, more[3];
    memcpy(more, b->pull[i], sizeof more);
    if (v) scaled(v[k->vertex], b->gamma_s, own);
    sim_bond_split(k, k->stiffness_N_per_m, k->across_N_per_m, -1, own, more);
    add_to(more, sign * b->gamma_s, y[k->vertex]);
    sum += sim_dot(own, more);
  }
  return sum;
}

/* Rows of what the matrix has not: y_cloth += sign gamma (pull - K gamma v), y_body = A u - h W^T pull. v NULL: the cloth does not
 * move. Returns the part of (v, u).y. */
static double multiply(sim_bonds *b, double (*u)[3], float (*v)[4], double sign, float (*y)[4], double (*own)[3]) {
  const double h = b->body.dt_s;
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int i = 0; i < sim_bonds_all(b); i++) {
    memset(b->apart[i], 0, sizeof b->apart[i]);
    if (v) scaled(v[b->bond[i].vertex], b->gamma_s, b->apart[i]);
    if (u) sim_bond_under(&b->bond[i], -h, (const double(*)[3])u, b->apart[i]);
  }
  sim_bonds_respond(b);
  double sum = 0;
  for (int kind = 0; kind < SIM_BOND_KINDS; kind++) {
    const int begin = sim_bonds_begin_of(b, kind), end = b->end[kind];
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
    for (int c = 0; c < SIM_BOND_CHUNKS(end - begin); c++) {
      const int from = begin + c * SIM_CHUNK;
      b->chunk_sum[c] = give_cloth(b, from, from + SIM_CHUNK < end ? from + SIM_CHUNK : end, sign, v, y);
    }
    for (int c = 0; c < SIM_BOND_CHUNKS(end - begin); c++) sum += b->chunk_sum[c];
  }
  if (!u) return sum;
  sim_blocks_product(b->body.matrix, (const double(*)[3])u, own);
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int j = 0; j < b->n_body; j++) sim_bonds_gather(b, j, -h, own[j]);
  return sum + dot(b, u, own);
}

/* The matrix has all of it. */
static bool in_matrix(const sim_bonds *b) { return !b->body.matrix && !b->respond; }

void sim_bonds_residual(sim_bonds *b, float (*x)[4], float (*r)[4]) {
  if (in_matrix(b)) return;
  (void)multiply(b, b->body.matrix ? b->x : NULL, x, -1, r, b->r);
  for (int j = 0; b->body.matrix && j < b->n_body; j++)
    for (int a = 0; a < 3; a++) b->r[j][a] = sim_bonds_moves(b, j) ? b->right[j][a] - b->r[j][a] : 0;
}

double sim_bonds_product(sim_bonds *b, float (*p)[4], float (*q)[4]) {
  return in_matrix(b) ? 0 : multiply(b, b->body.matrix ? b->p : NULL, p, 1, q, b->q);
}

void sim_bonds_start(sim_bonds *b) { memcpy(b->p, b->z, (size_t)b->n_body * sizeof *b->p); }

void sim_bonds_reduce(sim_bonds *b, double alpha) {
  for (int j = 0; b->body.matrix && j < b->n_body; j++)
    if (sim_bonds_moves(b, j)) sim_add(b->r[j], -alpha, b->q[j]);
}

void sim_bonds_advance_and_turn(sim_bonds *b, double alpha, double beta) {
  for (int j = 0; b->body.matrix && j < b->n_body; j++)
    for (int a = 0; a < 3; a++) {
      b->x[j][a] += alpha * b->p[j][a];
      b->p[j][a] = b->z[j][a] + beta * b->p[j][a];
    }
}

void sim_bonds_keep(sim_bonds *b) { memcpy(b->best, b->x, (size_t)b->n_body * sizeof *b->best); }
void sim_bonds_restore(sim_bonds *b) { memcpy(b->x, b->best, (size_t)b->n_body * sizeof *b->x); }
