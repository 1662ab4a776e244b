#include "sim_bond.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_blocks.h"
#include "sim_threads.h"
#include "sim_vec.h"

#define CHUNKS(n) (((n) + SIM_CHUNK - 1) / SIM_CHUNK)

cb_status sim_bonds_init(int first, int n_cloth, int n_body, sim_bonds *out, cb_err *err) {
  size_t n = (size_t)n_cloth, nb = (size_t)n_body;
  *out = (sim_bonds){.first = first, .n = n_cloth, .n_body = n_body};
  double(**const triples[])[3] = {&out->right, &out->x, &out->best, &out->r, &out->z, &out->p, &out->q};
  double **const scalars[] = {&out->opening, &out->out, &out->pull, &out->carry, &out->taken, &out->along};
  bool ok = (out->bond = calloc(2 * n, sizeof *out->bond)) != NULL;
  for (size_t k = 0; k < sizeof triples / sizeof *triples; k++) ok = (*triples[k] = calloc(nb, sizeof **triples[k])) != NULL && ok;
  for (size_t k = 0; k < sizeof scalars / sizeof *scalars; k++) ok = (*scalars[k] = calloc(2 * n, sizeof **scalars[k])) != NULL && ok;
  ok = (out->inverse = calloc(nb, sizeof *out->inverse)) != NULL && ok;
  ok = (out->chunk_sum = calloc((size_t)CHUNKS(n_cloth), sizeof *out->chunk_sum)) != NULL && ok;
  ok = (out->start = calloc(nb + 1, sizeof *out->start)) != NULL && ok;
  ok = (out->who = calloc(6 * n, sizeof *out->who)) != NULL && ok;
  ok = (out->alone = calloc(n, sizeof *out->alone)) != NULL && ok;
  return ok ? CB_OK : cb_fail(err, CB_E_NOMEM, "bonds of %zu vertices: out of memory", n);
}

void sim_bonds_clear(sim_bonds *b) {
  void *const arrays[] = {b->bond, b->right, b->x,     b->best,  b->r,         b->z,     b->p,   b->q,     b->inverse, b->opening,
                          b->out,  b->pull,  b->carry, b->taken, b->chunk_sum, b->start, b->who, b->alone, b->along};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
  *b = (sim_bonds){0};
}

/* Bonds of a kind are of a vertex each: who writes to the cloth goes by kinds, so that no two threads meet. */
static int begin_of(const sim_bonds *b, int kind) { return kind == 0 ? 0 : b->end[kind - 1]; }
static int all(const sim_bonds *b) { return b->end[SIM_BOND_ALONE]; }

/* By counting: a vertex's bonds in their order. */
void sim_bonds_begin(sim_bonds *b) {
  memset(b->start, 0, ((size_t)b->n_body + 1) * sizeof *b->start);
  for (int i = 0; i < 3 * all(b); i++)
    if (b->bond[i / 3].stiffness_N_per_m > 0) b->start[b->bond[i / 3].corner[i % 3] + 1]++;
  for (int j = 0; j < b->n_body; j++) b->start[j + 1] += b->start[j];
  for (int i = 0; i < 3 * all(b); i++)
    if (b->bond[i / 3].stiffness_N_per_m > 0) b->who[b->start[b->bond[i / 3].corner[i % 3]]++] = i;
  memmove(b->start + 1, b->start, (size_t)b->n_body * sizeof *b->start);
  b->start[0] = 0;
  for (int i = 0; i < b->n; i++) b->alone[i] = -1;
  for (int i = begin_of(b, SIM_BOND_ALONE); i < all(b); i++) b->alone[b->bond[i].vertex - b->first] = i;
}

static double under(const sim_bond *k, const double (*v)[3]) {
  double sum = 0;
  for (int j = 0; j < 3; j++) sum += k->weight[j] * sim_dot(k->normal, v[k->corner[j]]);
  return sum;
}

static inline double along(const sim_bond *k, const float v[4]) { return k->normal[0] * v[0] + k->normal[1] * v[1] + k->normal[2] * v[2]; }

static inline void add_along(const sim_bond *k, double s, float v[4]) {
  for (int a = 0; a < 3; a++) v[a] += (float)(s * k->normal[a]);
}

/* y += scale * what pulls at the body's vertex. */
static inline void gather(const sim_bonds *b, int vertex, double scale, double y[3]) {
  for (int i = b->start[vertex]; i < b->start[vertex + 1]; i++) {
    const sim_bond *k = &b->bond[b->who[i] / 3];
    sim_add(y, scale * k->weight[b->who[i] % 3] * b->pull[b->who[i] / 3], k->normal);
  }
}

static bool moves(const sim_bonds *b, int vertex) { return !b->body.held || !b->body.held[vertex]; }

static double dot(const sim_bonds *b, double (*u)[3], double (*v)[3]) {
  double sum = 0;
  for (int j = 0; j < b->n_body; j++) sum += sim_dot(u[j], v[j]);
  return sum;
}

/* ---- a solve's begin and end ---- */

static void way_of(int vertex, double gamma_s, const double (*x)[3], const double (*past_x)[3], const double (*v)[3], double way[3]) {
  for (int a = 0; a < 3; a++) way[a] = past_x[vertex][a] - x[vertex][a] + gamma_s * v[vertex][a];
}

/* How much further apart the two are at the end of the step. */
static double opens(const sim_bonds *b, int i, double gamma_s, const double (*x)[3], const double (*past_x)[3], const double (*v)[3]) {
  double way[3];
  way_of(b->bond[i].vertex, gamma_s, x, past_x, v, way);
  return sim_dot(b->bond[i].normal, way) - b->body.dt_s * under(&b->bond[i], (const double(*)[3])b->body.v_m_per_s);
}

static void add_stiffness(const sim_bond *k, double gamma_s, float e[6]) {
  const double s = gamma_s * gamma_s * k->stiffness_N_per_m, *n = k->normal;
  for (int a = 0, entry = 0; a < 3; a++)
    for (int c = a; c < 3; c++, entry++) e[entry] += (float)(s * n[a] * n[c]);
}

/* What pulls each bond together, of how much further they are apart. */
static void respond(sim_bonds *b) {
  if (b->respond) b->respond(b->answers, b->opening, b->pull);
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int i = b->respond ? begin_of(b, SIM_BOND_ALONE) : 0; i < all(b); i++) b->pull[i] = b->bond[i].stiffness_N_per_m * b->opening[i];
}

static void pull_for(sim_bonds *b, const double (*x)[3], const double (*past_x)[3], const double (*v)[3]) {
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int i = 0; i < all(b); i++) b->opening[i] = opens(b, i, b->gamma_s, x, past_x, v) - b->bond[i].rest_m;
  respond(b);
}

void sim_bonds_add(sim_bonds *b, double gamma_s, const double (*x)[3], const double (*past_x)[3], const double (*v)[3],
                   double (*residual)[3], float (*extra)[6]) {
  b->gamma_s = gamma_s;
  pull_for(b, x, past_x, v);
  for (int kind = 0; kind < SIM_BOND_KINDS; kind++) {
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
    for (int i = begin_of(b, kind); i < b->end[kind]; i++) {
      sim_add(residual[b->bond[i].vertex], -gamma_s * b->pull[i], b->bond[i].normal);
      add_stiffness(&b->bond[i], gamma_s, extra[b->bond[i].vertex]);
    }
  }
  if (!b->body.matrix) return;
  sim_blocks_product(b->body.matrix, (const double(*)[3])b->body.v_m_per_s, b->q);
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int j = 0; j < b->n_body; j++) {
    for (int a = 0; a < 3; a++) b->right[j][a] = b->body.b[j][a] - b->q[j][a];
    gather(b, j, b->body.dt_s, b->right[j]);
    memset(b->x[j], 0, sizeof b->x[j]);
    if (!moves(b, j)) memset(b->right[j], 0, sizeof b->right[j]);
  }
}

void sim_bonds_take(sim_bonds *b, const double (*x)[3], const double (*past_x)[3], const double (*v)[3]) {
  for (int j = 0; b->body.matrix && j < b->n_body; j++) sim_add(b->body.v_m_per_s[j], 1, b->x[j]);
  for (int i = begin_of(b, SIM_BOND_ALONE); i < all(b); i++)
    b->taken[i] = b->bond[i].stiffness_N_per_m * (opens(b, i, b->gamma_s, x, past_x, v) - b->bond[i].rest_m);
}

double sim_bonds_work_J(sim_bonds *b, const double (*x)[3], const double (*past_x)[3], const double (*v)[3]) {
  double sum = 0, way[3];
  pull_for(b, x, past_x, v);
  for (int i = 0; i < all(b); i++) {
    way_of(b->bond[i].vertex, b->gamma_s, x, past_x, v, way);
    sum -= (i < b->end[SIM_BOND_TOGETHER] ? b->pull : b->taken)[i] * sim_dot(b->bond[i].normal, way);
  }
  return sum;
}

/* ---- the preconditioner ---- */

/* What a constraint leaves of a push along the normal. */
static double left_by(const sim_constraint *c, const double normal[3]) {
  double cosine = c->normal[0] * normal[0] + c->normal[1] * normal[1] + c->normal[2] * normal[2];
  return c->fixed == SIM_FIXED_WHOLE ? 0 : c->fixed == SIM_FIXED_ALONG ? 1 - cosine * cosine : cosine * cosine;
}

static void weigh(sim_bonds *b, const sim_matrix *a) {
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int i = 0; i < all(b); i++) {
    const float *d = a->diagonal[b->bond[i].vertex];
    const double *n = b->bond[i].normal;
    double whole =
        d[0] * n[0] * n[0] + d[3] * n[1] * n[1] + d[5] * n[2] * n[2] + 2 * (d[1] * n[0] * n[1] + d[2] * n[0] * n[2] + d[4] * n[1] * n[2]);
    b->carry[i] = whole > 0 ? fmin(b->gamma_s * b->body.dt_s * b->bond[i].stiffness_N_per_m / whole, 1) : 0;
  }
}

/* The more a vertex is held, the more it is a wall to the body. */
static void hold(sim_bonds *b, const sim_constraint *constraints, int n_constraints) {
  for (int c = 0; c < n_constraints; c++) {
    int i = constraints[c].vertex - b->first;
    if (i < 0 || i >= b->n) continue;
    if (i < b->end[SIM_BOND_TOGETHER]) b->carry[i] *= left_by(&constraints[c], b->bond[i].normal);
    if (b->alone[i] >= 0) b->carry[b->alone[i]] *= left_by(&constraints[c], b->bond[b->alone[i]].normal);
  }
}

/* A vertex with two bonds, next to along each other, goes along by the sum. */
static void add_up(sim_bonds *b) {
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int i = 0; i < b->n; i++) {
    double sum = (i < b->end[SIM_BOND_TOGETHER] ? b->carry[i] : 0) + (b->alone[i] >= 0 ? b->carry[b->alone[i]] : 0);
    b->along[i] = fmin(sum, 1);
  }
}

static void invert_blocks(sim_bonds *b) {
  const double h = b->body.dt_s;
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int j = 0; j < b->n_body; j++) {
    double block[9];
    memcpy(block, b->body.matrix->block[sim_blocks_find(b->body.matrix, j, j)], sizeof block);
    for (int i = b->start[j]; i < b->start[j + 1]; i++) {
      const sim_bond *k = &b->bond[b->who[i] / 3];
      double s = h * h * k->stiffness_N_per_m * (1 - b->along[k->vertex - b->first]) * k->weight[b->who[i] % 3];
      for (int a = 0; a < 9; a++) block[a] += s * k->normal[a / 3] * k->normal[a % 3];
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
  for (int i = 0; i < all(b); i++) b->pull[i] = b->carry[i] * along(&b->bond[i], r[b->bond[i].vertex]);
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int j = 0; j < b->n_body; j++) {
    memcpy(b->q[j], b->r[j], sizeof b->q[j]);
    gather(b, j, 1, b->q[j]);
    for (int a = 0; a < 3; a++) b->z[j][a] = moves(b, j) ? sim_dot(b->inverse[j] + 3 * a, b->q[j]) : 0;
  }
  return dot(b, b->q, b->z);
}

void sim_bonds_carry(sim_bonds *b, float (*z)[4]) {
  if (!b->body.matrix) return;
  for (int kind = 0; kind < SIM_BOND_KINDS; kind++) {
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
    for (int i = begin_of(b, kind); i < b->end[kind]; i++)
      add_along(&b->bond[i], b->carry[i] * under(&b->bond[i], (const double(*)[3])b->z), z[b->bond[i].vertex]);
  }
}

/* ---- the iteration ---- */

/* What a chunk of bonds gives to the cloth beyond what its matrix has; its part of v.y. */
static double give_cloth(const sim_bonds *b, int begin, int end, double scale, float (*y)[4]) {
  double sum = 0;
  for (int i = begin; i < end; i++) {
    double more = b->pull[i] - b->bond[i].stiffness_N_per_m * b->out[i];
    add_along(&b->bond[i], scale * more, y[b->bond[i].vertex]);
    sum += b->out[i] * more;
  }
  return sum;
}

/* Rows of what the matrix has not: y_cloth += sign gamma n (pull - k gamma n.v), y_body = A u - h W^T n pull. v NULL: the cloth does not
 * move. Returns the part of (v, u).y. */
static double multiply(sim_bonds *b, double (*u)[3], float (*v)[4], double sign, float (*y)[4], double (*own)[3]) {
  const double h = b->body.dt_s, gamma = b->gamma_s;
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int i = 0; i < all(b); i++) {
    const sim_bond *k = &b->bond[i];
    b->out[i] = v ? gamma * along(k, v[k->vertex]) : 0;
    b->opening[i] = b->out[i] - (u ? h * under(k, (const double(*)[3])u) : 0);
  }
  respond(b);
  double sum = 0;
  for (int kind = 0; kind < SIM_BOND_KINDS; kind++) {
    const int begin = begin_of(b, kind), end = b->end[kind];
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
    for (int c = 0; c < CHUNKS(end - begin); c++) {
      const int from = begin + c * SIM_CHUNK;
      b->chunk_sum[c] = give_cloth(b, from, from + SIM_CHUNK < end ? from + SIM_CHUNK : end, sign * gamma, y);
    }
    for (int c = 0; c < CHUNKS(end - begin); c++) sum += b->chunk_sum[c];
  }
  if (!u) return sum;
  sim_blocks_product(b->body.matrix, (const double(*)[3])u, own);
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int j = 0; j < b->n_body; j++) gather(b, j, -h, own[j]);
  return sum + dot(b, u, own);
}

/* The matrix has all of it. */
static bool in_matrix(const sim_bonds *b) { return !b->body.matrix && !b->respond; }

void sim_bonds_residual(sim_bonds *b, float (*x)[4], float (*r)[4]) {
  if (in_matrix(b)) return;
  (void)multiply(b, b->body.matrix ? b->x : NULL, x, -1, r, b->r);
  for (int j = 0; b->body.matrix && j < b->n_body; j++)
    for (int a = 0; a < 3; a++) b->r[j][a] = moves(b, j) ? b->right[j][a] - b->r[j][a] : 0;
}

double sim_bonds_product(sim_bonds *b, float (*p)[4], float (*q)[4]) {
  return in_matrix(b) ? 0 : multiply(b, b->body.matrix ? b->p : NULL, p, 1, q, b->q);
}

void sim_bonds_start(sim_bonds *b) { memcpy(b->p, b->z, (size_t)b->n_body * sizeof *b->p); }

void sim_bonds_reduce(sim_bonds *b, double alpha) {
  for (int j = 0; b->body.matrix && j < b->n_body; j++)
    if (moves(b, j)) sim_add(b->r[j], -alpha, b->q[j]);
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
