#include "sim_spring.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_threads.h"
#include "sim_blocks_apply.h"
#include "sim_vec.h"

cb_status sim_springs_init(int first, int n_cloth, int n_body, sim_springs *out, cb_err *err) {
  size_t n = (size_t)n_cloth, nb = (size_t)n_body;
  *out = (sim_springs){.first = first, .n = n_cloth, .n_body = n_body};
  double(**const body[])[3] = {&out->marked, &out->right, &out->x, &out->best,
                               &out->r,      &out->z,     &out->p, &out->q};
  double(**const cloth[])[3] = {&out->apart, &out->pull, &out->taken, &out->way};
  bool ok = (out->spring = calloc(n, sizeof *out->spring)) != NULL;
  for (size_t k = 0; k < sizeof body / sizeof *body; k++)
    ok = (*body[k] = calloc(nb, sizeof **body[k])) && ok;
  for (size_t k = 0; k < sizeof cloth / sizeof *cloth; k++)
    ok = (*cloth[k] = calloc(n, sizeof **cloth[k])) && ok;
  ok = (out->push = calloc(n, sizeof *out->push)) && ok;
  ok = (out->under = calloc(nb, sizeof *out->under)) && ok;
  ok = (out->joint = calloc(n, sizeof *out->joint)) && ok;
  ok = (out->opening = calloc(n, sizeof *out->opening)) && ok;
  ok = (out->answer = calloc(n, sizeof *out->answer)) && ok;
  ok = (out->added = calloc(nb, sizeof *out->added)) && ok;
  ok = (out->chunk_sum =
            calloc(2 * (size_t)(CB_CHUNKS(n_cloth) + CB_CHUNKS(n_body)), sizeof *out->chunk_sum)) &&
       ok;
  ok = (out->left = calloc(n, sizeof *out->left)) && ok;
  ok = (out->start = calloc(nb + 1, sizeof *out->start)) && ok;
  ok = (out->who = calloc(3 * n, sizeof *out->who)) && ok;
  return ok ? CB_OK : cb_no_memory(err, "contact springs of %zu vertices", n);
}

void sim_springs_clear(sim_springs *b) {
  void *const arrays[] = {b->spring, b->joint, b->marked, b->right,   b->x,      b->best,
                          b->r,      b->z,     b->p,      b->q,       b->added,  b->apart,
                          b->pull,   b->taken, b->way,    b->opening, b->answer, b->chunk_sum,
                          b->start,  b->who,   b->left,   b->push,    b->under};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
  *b = (sim_springs){0};
}

static bool is_tied(const sim_spring *k) { return k->air_N_per_m > 0 || k->stiffness_N_per_m > 0; }

/* Lists the springs at each vertex of a body that moves along, by counting. */
void sim_springs_begin(sim_springs *b) {
  if (!b->any || !b->body.matrix) return;
  memset(b->start, 0, ((size_t)b->n_body + 1) * sizeof *b->start);
  for (int i = 0; i < b->n; i++)
    for (int j = 0; is_tied(&b->spring[i]) && j < 3; j++) b->start[b->spring[i].corner[j] + 1]++;
  for (int j = 0; j < b->n_body; j++) b->start[j + 1] += b->start[j];
  for (int i = 0; i < b->n; i++) {
    const sim_spring *k = &b->spring[i];
    for (int j = 0; is_tied(k) && j < 3; j++)
      b->who[b->start[k->corner[j]]++] = (sim_spring_end){i, (float)k->weight[j]};
  }
  memmove(b->start + 1, b->start, (size_t)b->n_body * sizeof *b->start);
  b->start[0] = 0;
}

/* ---- a solve's begin and end ---- */

/* Motion of a vertex in the step. */
static void way_of(const sim_springs *b, int i, const double (*x)[3], const double (*past_x)[3],
                   const double (*v)[3], double way[3]) {
  const int k = b->first + i;
  for (int a = 0; a < 3; a++) way[a] = past_x[k][a] - x[k][a] + b->gamma_s * v[k][a];
}

/* How much further the vertex is from the body at the end of the step. */
static void apart_of(const sim_springs *b, int i, const double (*x)[3], const double (*past_x)[3],
                     const double (*v)[3], double apart[3]) {
  const sim_spring *k = &b->spring[i];
  way_of(b, i, x, past_x, v, apart);
  for (int j = 0; j < 3; j++) sim_add(apart, -b->body.dt_s * k->weight[j], b->body.v_m_per_s[k->corner[j]]);
}

/* Computes `apart`, and the air's pull for it. */
static void measure_springs(sim_springs *b, const double (*x)[3], const double (*past_x)[3],
                            const double (*v)[3]) {
#pragma omp parallel for schedule(static) if (b->n > CB_FEW)
  for (int i = 0; i < b->n; i++) {
    const sim_spring *k = &b->spring[i];
    apart_of(b, i, x, past_x, v, b->apart[i]);
    b->opening[i] = sim_dot(k->out, b->apart[i]);
    b->answer[i] = k->air_N_per_m * b->opening[i];
  }
  if (b->respond) b->respond(b->answers, b->opening, b->answer);
}

static void friction_of(const sim_spring_friction *r, const double slip_m[3], double out_N[3]) {
  const double along_m = sim_dot(r->along, slip_m);
  for (int a = 0; a < 3; a++)
    out_N[a] = r->held_N[a] + r->across_N_per_m * (slip_m[a] - along_m * r->along[a]);
}

/* Normal force and friction of a spring for its opening. */
static void press_spring(const sim_spring *k, const double apart[3], double pull[3]) {
  const double opening = sim_dot(k->normal, apart), out = k->stiffness_N_per_m * (opening - k->rest_m);
  double slip[3] = {apart[0], apart[1], apart[2]};
  sim_add(slip, -opening, k->normal);
  friction_of(&k->friction, slip, pull);
  sim_add(pull, out, k->normal);
}

static void make_joint(const sim_spring *k, sim_spring_joint *j) {
  const sim_spring_friction *f = &k->friction;
  for (int a = 0; a < 3; a++) {
    j->corner[a] = k->corner[a];
    j->weight[a] = (float)k->weight[a];
    j->out[a] = (float)k->out[a];
  }
  j->air_N_per_m = (float)k->air_N_per_m;
  for (int a = 0, entry = 0; a < 3; a++)
    for (int c = a; c < 3; c++, entry++)
      j->stiff_N_per_m[entry] =
          (float)(k->air_N_per_m * k->out[a] * k->out[c] +
                  (k->stiffness_N_per_m - f->across_N_per_m) * k->normal[a] * k->normal[c] +
                  f->across_N_per_m * ((a == c) - f->along[a] * f->along[c]));
}

/* y += scale * the sum of `pull`, by weight, at a vertex of the body. */
static void gather_pull(const sim_springs *b, int vertex, double scale, double y[3]) {
  double sum[3] = {0, 0, 0};
  for (int i = b->start[vertex]; i < b->start[vertex + 1]; i++)
    sim_add(sum, (double)b->who[i].weight, b->pull[b->who[i].joint]);
  sim_add(y, scale, sum);
}

void sim_springs_add(sim_springs *b, double gamma_s, const double (*x)[3], const double (*past_x)[3],
                     const double (*v)[3], double (*residual)[3], float (*extra)[6]) {
  b->gamma_s = gamma_s;
  if (!b->any) return;
  measure_springs(b, x, past_x, v);
#pragma omp parallel for schedule(static) if (b->n > CB_FEW)
  for (int i = 0; i < b->n; i++) {
    press_spring(&b->spring[i], b->apart[i], b->pull[i]);
    sim_add(b->pull[i], b->answer[i], b->spring[i].out);
    sim_add(residual[b->first + i], -gamma_s, b->pull[i]);
    make_joint(&b->spring[i], &b->joint[i]);
    for (int e = 0; e < 6; e++)
      extra[b->first + i][e] += (float)(gamma_s * gamma_s) * b->joint[i].stiff_N_per_m[e];
  }
  if (!b->body.matrix) return;
  sim_blocks_product(b->body.matrix, (const sim_vec3 *)b->body.v_m_per_s, b->q);
#pragma omp parallel for schedule(static) if (b->n > CB_FEW)
  for (int j = 0; j < b->n_body; j++) {
    for (int a = 0; a < 3; a++) b->right[j][a] = b->body.b[j][a] - b->q[j][a];
    gather_pull(b, j, b->body.dt_s, b->right[j]);
    memset(b->x[j], 0, sizeof b->x[j]);
    if (b->body.held && b->body.held[j]) memset(b->right[j], 0, sizeof b->right[j]);
  }
}

void sim_springs_take(sim_springs *b, const double (*x)[3], const double (*past_x)[3], const double (*v)[3]) {
  for (int j = 0; b->body.matrix && j < b->n_body; j++) sim_add(b->body.v_m_per_s[j], 1, b->x[j]);
  if (!b->any) return;
#pragma omp parallel for schedule(static) if (b->n > CB_FEW)
  for (int i = 0; i < b->n; i++) {
    const sim_spring *k = &b->spring[i];
    if (!(k->stiffness_N_per_m > 0)) continue;
    apart_of(b, i, x, past_x, v, b->way[i]);
    press_spring(k, b->way[i], b->taken[i]);
    sim_add(b->way[i], -sim_dot(k->normal, b->way[i]), k->normal);
  }
}

void sim_springs_mark(sim_springs *b) {
  if (b->body.matrix) memcpy(b->marked, b->body.v_m_per_s, (size_t)b->n_body * sizeof *b->marked);
}

void sim_springs_return(sim_springs *b, double share) {
  for (int j = 0; b->body.matrix && j < b->n_body; j++)
    for (int a = 0; a < 3; a++) b->x[j][a] = share * (b->marked[j][a] - b->body.v_m_per_s[j][a]);
}

/* Updates a chunk's friction, if there is an r. sum: change of friction, and friction itself [N]. */
static void review_friction(sim_springs *b, int begin, int end, float (*r)[4], double sum[2]) {
  sum[0] = sum[1] = 0;
  for (int i = begin; i < end; i++) {
    sim_spring *k = &b->spring[i];
    double was[3], is[3];
    if (!(k->stiffness_N_per_m > 0)) continue;
    friction_of(&k->friction, b->way[i], was);
    const double pressed_N = fmax(0, -sim_dot(b->taken[i], k->normal));
    const sim_spring_friction now = b->friction(b->surface, i, &k->friction, pressed_N, b->way[i]);
    friction_of(&now, b->way[i], is);
    sum[1] += sim_norm(is);
    sim_add(is, -1, was);
    sum[0] += sim_norm(is);
    if (!r) continue;
    k->friction = now;
    for (int a = 0; a < 3; a++) r[b->first + i][a] -= (float)(b->gamma_s * is[a]);
  }
}

bool sim_springs_review(sim_springs *b, double tolerance, float (*r)[4]) {
  double wrong = 0, friction = 0;
  if (!b->friction || !b->any) return true;
#pragma omp parallel for schedule(static) if (b->n > CB_FEW)
  for (int c = 0; c < CB_CHUNKS(b->n); c++)
    review_friction(b, c * CB_CHUNK, cb_chunk_end(c, b->n), r, b->chunk_sum + 2 * (size_t)c);
  for (int c = 0; c < CB_CHUNKS(b->n); c++) {
    wrong += b->chunk_sum[2 * (size_t)c];
    friction += b->chunk_sum[2 * (size_t)c + 1];
  }
  return wrong <= tolerance * friction;
}

static double work_of_chunk(const sim_springs *b, int begin, int end, const double (*x)[3],
                            const double (*past_x)[3], const double (*v)[3]) {
  double sum = 0, way[3];
  for (int i = begin; i < end; i++) {
    way_of(b, i, x, past_x, v, way);
    sum -= b->answer[i] * sim_dot(b->spring[i].out, way);
    if (b->spring[i].stiffness_N_per_m > 0) sum -= sim_dot(b->taken[i], way);
  }
  return sum;
}

double sim_springs_work_J(sim_springs *b, const double (*x)[3], const double (*past_x)[3],
                          const double (*v)[3]) {
  double sum = 0;
  if (!b->any) return 0;
  measure_springs(b, x, past_x, v);
#pragma omp parallel for schedule(static) if (b->n > CB_FEW)
  for (int c = 0; c < CB_CHUNKS(b->n); c++)
    b->chunk_sum[c] = work_of_chunk(b, c * CB_CHUNK, cb_chunk_end(c, b->n), x, past_x, v);
  for (int c = 0; c < CB_CHUNKS(b->n); c++) sum += b->chunk_sum[c];
  return sum;
}
