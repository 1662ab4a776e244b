/* The contact springs in the conjugate gradients: vertex by vertex for the cloth, gathered from the vertices
 * for the body. */
#include <math.h>
#include <string.h>

#include "cb_threads.h"
#include "sim_blocks_apply.h"
#include "sim_lanes.h"
#include "sim_spring.h"
#include "sim_vec.h"

/* Whether the cloth's matrix has all of the springs. */
static bool in_matrix(const sim_springs *b) { return !b->any || (!b->body.matrix && !b->respond); }
static bool moves(const sim_springs *b, int vertex) { return !b->body.held || !b->body.held[vertex]; }

static const int at[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5}; /* entries of a symmetric block */

/* The motions of the body's vertices, in single precision for the joints. */
static void lay_under(sim_springs *b, const double (*u)[3]) {
#pragma omp parallel for schedule(static) if (b->n_body > CB_FEW)
  for (int j = 0; j < b->n_body; j++)
    for (int k = 0; k < 3; k++) b->under[j][k] = (float)u[j][k];
}

/* The motion of the body under a joint. */
static inline sim_quad under_joint(const sim_springs *b, const sim_spring_joint *j) {
  return sim_quad_load(b->under[j->corner[0]]) * j->weight[0] +
         sim_quad_load(b->under[j->corner[1]]) * j->weight[1] +
         sim_quad_load(b->under[j->corner[2]]) * j->weight[2];
}

/* The sum of `push` at a vertex of the body, by weight. */
static inline void gather_push(const sim_springs *b, int vertex, double out[3]) {
  sim_four sum = {0};
  for (int i = b->start[vertex]; i < b->start[vertex + 1]; i++)
    sum += __builtin_convertvector(sim_quad_load(b->push[b->who[i].joint]) * b->who[i].weight, sim_four);
  for (int a = 0; a < 3; a++) out[a] = sum[a];
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
    memset(b->added[j], 0, sizeof b->added[j]);
    for (int i = b->start[j]; i < b->start[j + 1]; i++)
      for (int a = 0; a < 9; a++) b->added[j][a] += (double)b->who[i].weight * b->left[b->who[i].joint][a];
  }
  sim_blocks_polynomial_prepare(b->body.matrix, (const double(*)[9])b->added, b->body.held);
}

/* push = carry r */
CB_WIDE static void hand_on(sim_springs *b, int begin, int end, float (*r)[4]) {
  for (int i = begin; i < end; i++) {
    const float *c = b->joint[i].carry;
    const sim_quad of = sim_quad_three(sim_quad_load(r[b->first + i]));
    sim_quad_store(
        sim_quad_sums(sim_quad_three(sim_quad_load(c)) * of, sim_quad_three(sim_quad_load(c + 3)) * of,
                      sim_quad_three(sim_quad_load(c + 6)) * of),
        b->push[i]);
  }
}

/* q = r + the push from the joints */
CB_WIDE static void take_push(sim_springs *b, int begin, int end) {
  for (int j = begin; j < end; j++) {
    double push[3];
    gather_push(b, j, push);
    for (int a = 0; a < 3; a++) b->q[j][a] = b->r[j][a] + push[a];
  }
}

static double in_order(const sim_springs *b, int n) {
  double sum = 0;
  for (int c = 0; c < CB_CHUNKS(n); c++) sum += b->chunk_sum[c];
  return sum;
}

double sim_springs_give(sim_springs *b, float (*r)[4]) {
  if (!b->body.matrix) return 0;
#pragma omp parallel for schedule(static) if (b->n > CB_FEW)
  for (int c = 0; c < CB_CHUNKS(b->n); c++) hand_on(b, c * CB_CHUNK, cb_chunk_end(c, b->n), r);
#pragma omp parallel for schedule(static) if (b->n > CB_FEW)
  for (int c = 0; c < CB_CHUNKS(b->n_body); c++) take_push(b, c * CB_CHUNK, cb_chunk_end(c, b->n_body));
  return sim_blocks_polynomial(b->body.matrix, (const sim_vec3 *)b->q, b->z);
}

/* z += carry^T under */
CB_WIDE static void carry_along(const sim_springs *b, int begin, int end, float (*z)[4]) {
  for (int i = begin; i < end; i++) {
    const sim_spring_joint *j = &b->joint[i];
    const sim_quad u = under_joint(b, j);
    const sim_quad more = sim_quad_load(j->carry) * u[0] + sim_quad_load(j->carry + 3) * u[1] +
                          sim_quad_load(j->carry + 6) * u[2];
    float *to = z[b->first + i];
    sim_quad_store(sim_quad_load(to) + sim_quad_three(more), to);
  }
}

void sim_springs_carry(sim_springs *b, float (*z)[4]) {
  if (!b->body.matrix) return;
  lay_under(b, (const sim_vec3 *)b->z);
#pragma omp parallel for schedule(static) if (b->n > CB_FEW)
  for (int c = 0; c < CB_CHUNKS(b->n); c++) carry_along(b, c * CB_CHUNK, cb_chunk_end(c, b->n), z);
}

/* ---- the iteration ---- */

/* The motion of the cloth at a joint in the step; v NULL: none. */
static inline sim_quad own_way(const sim_springs *b, int i, float (*v)[4]) {
  const sim_quad none = {0};
  if (!v) return none;
  return sim_quad_three(sim_quad_load(v[b->first + i])) * (float)b->gamma_s;
}

/* That of the body under it; any: it moves. */
static inline sim_quad body_way(const sim_springs *b, const sim_spring_joint *j, bool any) {
  const sim_quad none = {0};
  if (!any) return none;
  return under_joint(b, j) * (float)b->body.dt_s;
}

/* The opening along `out`, for the air. */
CB_WIDE static void open_up(sim_springs *b, int begin, int end, bool any, float (*v)[4]) {
  for (int i = begin; i < end; i++) {
    const sim_spring_joint *j = &b->joint[i];
    b->opening[i] = sim_quad_dot(sim_quad_load(j->out), own_way(b, i, v) - body_way(b, j, any));
  }
}

/* push = the joint's pull. Adds to y the part of it that the cloth's matrix lacks. Returns that part of v.y.
 */
CB_WIDE static double give_cloth(sim_springs *b, int begin, int end, bool any, float (*v)[4], double sign,
                                 float (*y)[4]) {
  const float scale = (float)(sign * b->gamma_s);
  double sum = 0;
  for (int i = begin; i < end; i++) {
    const sim_spring_joint *j = &b->joint[i];
    const sim_quad own = own_way(b, i, v);
    sim_quad more = -sim_quad_multiply(j->stiff_N_per_m, body_way(b, j, any));
    if (b->respond)
      more += sim_quad_load(j->out) * (float)(b->answer[i] - (double)j->air_N_per_m * b->opening[i]);
    more = sim_quad_three(more);
    sim_quad_store(sim_quad_three(sim_quad_multiply(j->stiff_N_per_m, own)) + more, b->push[i]);
    float *to = y[b->first + i];
    sim_quad_store(sim_quad_load(to) + more * scale, to);
    sum += sim_quad_dot(own, more);
  }
  return sum;
}

/* own -= h W^T push. Returns u.own. */
CB_WIDE static double give_body(sim_springs *b, int begin, int end, double (*u)[3], double (*own)[3]) {
  double sum = 0;
  for (int j = begin; j < end; j++) {
    double push[3];
    gather_push(b, j, push);
    for (int a = 0; a < 3; a++) own[j][a] -= b->body.dt_s * push[a];
    sum += sim_dot(u[j], own[j]);
  }
  return sum;
}

/* The product's part that the cloth's matrix lacks: y_cloth += sign gamma (pull - K gamma v), y_body = A u -
 * h W^T pull. v NULL: the cloth does not move. Returns the part of (v, u).y. */
static double multiply(sim_springs *b, double (*u)[3], float (*v)[4], double sign, float (*y)[4],
                       double (*own)[3]) {
  if (u) lay_under(b, (const sim_vec3 *)u);
  if (b->respond) {
#pragma omp parallel for schedule(static) if (b->n > CB_FEW)
    for (int c = 0; c < CB_CHUNKS(b->n); c++) open_up(b, c * CB_CHUNK, cb_chunk_end(c, b->n), u != NULL, v);
    b->respond(b->answers, b->opening, b->answer);
  }
#pragma omp parallel for schedule(static) if (b->n > CB_FEW)
  for (int c = 0; c < CB_CHUNKS(b->n); c++)
    b->chunk_sum[c] = give_cloth(b, c * CB_CHUNK, cb_chunk_end(c, b->n), u != NULL, v, sign, y);
  const double sum = in_order(b, b->n);
  if (!u) return sum;
  sim_blocks_product(b->body.matrix, (const sim_vec3 *)u, own);
#pragma omp parallel for schedule(static) if (b->n > CB_FEW)
  for (int c = 0; c < CB_CHUNKS(b->n_body); c++)
    b->chunk_sum[c] = give_body(b, c * CB_CHUNK, cb_chunk_end(c, b->n_body), u, own);
  return sum + in_order(b, b->n_body);
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

void sim_springs_go_on(sim_springs *b) {
  memcpy(b->right, b->r, (size_t)b->n_body * sizeof *b->right);
  memset(b->x, 0, (size_t)b->n_body * sizeof *b->x);
}

void sim_springs_keep(sim_springs *b) { memcpy(b->best, b->x, (size_t)b->n_body * sizeof *b->best); }
void sim_springs_restore(sim_springs *b) { memcpy(b->x, b->best, (size_t)b->n_body * sizeof *b->x); }
