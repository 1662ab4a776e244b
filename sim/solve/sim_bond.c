#include "sim_bond.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_blocks.h"
#include "sim_bond_parts.h"

cb_status sim_bonds_init(int first, int n_cloth, int n_body, sim_bonds *out, cb_err *err) {
  size_t n = (size_t)n_cloth, nb = (size_t)n_body;
  *out = (sim_bonds){.first = first, .n = n_cloth, .n_body = n_body};
  double(**const body[])[3] = {&out->right, &out->x, &out->best, &out->r, &out->z, &out->p, &out->q};
  double(**const bond[])[3] = {&out->apart, &out->pull, &out->taken, &out->way};
  bool ok = (out->bond = calloc(2 * n, sizeof *out->bond)) != NULL;
  for (size_t k = 0; k < sizeof body / sizeof *body; k++) ok = (*body[k] = calloc(nb, sizeof **body[k])) != NULL && ok;
  for (size_t k = 0; k < sizeof bond / sizeof *bond; k++) ok = (*bond[k] = calloc(2 * n, sizeof **bond[k])) != NULL && ok;
  ok = (out->opening = calloc(n, sizeof *out->opening)) != NULL && ok;
  ok = (out->answer = calloc(n, sizeof *out->answer)) != NULL && ok;
  ok = (out->carry = calloc(2 * n, sizeof *out->carry)) != NULL && ok;
  ok = (out->along = calloc(n, sizeof *out->along)) != NULL && ok;
  ok = (out->inverse = calloc(nb, sizeof *out->inverse)) != NULL && ok;
  ok = (out->chunk_sum = calloc(2 * ((size_t)SIM_BOND_CHUNKS(n_cloth) + 1), sizeof *out->chunk_sum)) != NULL && ok;
  ok = (out->start = calloc(nb + 1, sizeof *out->start)) != NULL && ok;
  ok = (out->who = calloc(6 * n, sizeof *out->who)) != NULL && ok;
  ok = (out->alone = calloc(n, sizeof *out->alone)) != NULL && ok;
  return ok ? CB_OK : cb_fail(err, CB_E_NOMEM, "bonds of %zu vertices: out of memory", n);
}

void sim_bonds_clear(sim_bonds *b) {
  void *const arrays[] = {b->bond, b->right, b->x,       b->best,   b->r,     b->z,   b->p,         b->q,     b->inverse, b->apart,
                          b->pull, b->taken, b->opening, b->answer, b->carry, b->way, b->chunk_sum, b->start, b->who,     b->alone,
                          b->along};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
  *b = (sim_bonds){0};
}

/* By counting: a vertex's bonds in their order. */
void sim_bonds_begin(sim_bonds *b) {
  const int all = sim_bonds_all(b);
  memset(b->start, 0, ((size_t)b->n_body + 1) * sizeof *b->start);
  for (int i = 0; i < 3 * all; i++)
    if (b->bond[i / 3].stiffness_N_per_m > 0) b->start[b->bond[i / 3].corner[i % 3] + 1]++;
  for (int j = 0; j < b->n_body; j++) b->start[j + 1] += b->start[j];
  for (int i = 0; i < 3 * all; i++)
    if (b->bond[i / 3].stiffness_N_per_m > 0) b->who[b->start[b->bond[i / 3].corner[i % 3]]++] = i;
  memmove(b->start + 1, b->start, (size_t)b->n_body * sizeof *b->start);
  b->start[0] = 0;
  for (int i = 0; i < b->n; i++) b->alone[i] = -1;
  for (int i = sim_bonds_begin_of(b, SIM_BOND_ALONE); i < all; i++) b->alone[b->bond[i].vertex - b->first] = i;
}

/* ---- a solve's begin and end ---- */

/* The vertex's way in the step; returns how much further it is from the body at the end. */
static void way_of(int vertex, double gamma_s, const double (*x)[3], const double (*past_x)[3], const double (*v)[3], double way[3]) {
  for (int a = 0; a < 3; a++) way[a] = past_x[vertex][a] - x[vertex][a] + gamma_s * v[vertex][a];
}

/* `apart` at the end of the step. */
static void measure(sim_bonds *b, const double (*x)[3], const double (*past_x)[3], const double (*v)[3]) {
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int i = 0; i < sim_bonds_all(b); i++) {
    way_of(b->bond[i].vertex, b->gamma_s, x, past_x, v, b->apart[i]);
    sim_bond_under(&b->bond[i], -b->body.dt_s, (const double(*)[3])b->body.v_m_per_s, b->apart[i]);
  }
}

void sim_bonds_respond(sim_bonds *b) {
  const int together = b->end[SIM_BOND_TOGETHER];
  if (b->respond) {
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
    for (int i = 0; i < together; i++) b->opening[i] = sim_dot(b->bond[i].normal, b->apart[i]);
    b->respond(b->answers, b->opening, b->answer);
  }
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int i = 0; i < sim_bonds_all(b); i++) {
    const sim_bond *k = &b->bond[i];
    memset(b->pull[i], 0, sizeof b->pull[i]);
    if (b->respond && i < together)
      sim_add(b->pull[i], b->answer[i], k->normal);
    else
      sim_bond_split(k, k->stiffness_N_per_m, k->across_N_per_m, 1, b->apart[i], b->pull[i]);
  }
}

static void pull_for(sim_bonds *b, const double (*x)[3], const double (*past_x)[3], const double (*v)[3]) {
  measure(b, x, past_x, v);
  sim_bonds_respond(b);
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int i = sim_bonds_begin_of(b, SIM_BOND_ALONE); i < sim_bonds_all(b); i++)
    sim_add(b->pull[i], -b->bond[i].stiffness_N_per_m * b->bond[i].rest_m, b->bond[i].normal);
}

static void add_stiffness(const sim_bond *k, double gamma_s, float e[6]) {
  const double s = gamma_s * gamma_s * (k->stiffness_N_per_m - k->across_N_per_m), *n = k->normal;
  for (int a = 0, entry = 0; a < 3; a++)
    for (int c = a; c < 3; c++, entry++) e[entry] += (float)(s * n[a] * n[c] + (a == c ? gamma_s * gamma_s * k->across_N_per_m : 0));
}

void sim_bonds_add(sim_bonds *b, double gamma_s, const double (*x)[3], const double (*past_x)[3], const double (*v)[3],
                   double (*residual)[3], float (*extra)[6]) {
  b->gamma_s = gamma_s;
  pull_for(b, x, past_x, v);
  for (int kind = 0; kind < SIM_BOND_KINDS; kind++) {
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
    for (int i = sim_bonds_begin_of(b, kind); i < b->end[kind]; i++) {
      sim_add(residual[b->bond[i].vertex], -gamma_s, b->pull[i]);
      add_stiffness(&b->bond[i], gamma_s, extra[b->bond[i].vertex]);
    }
  }
  if (!b->body.matrix) return;
  sim_blocks_product(b->body.matrix, (const double(*)[3])b->body.v_m_per_s, b->q);
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int j = 0; j < b->n_body; j++) {
    for (int a = 0; a < 3; a++) b->right[j][a] = b->body.b[j][a] - b->q[j][a];
    sim_bonds_gather(b, j, b->body.dt_s, b->right[j]);
    memset(b->x[j], 0, sizeof b->x[j]);
    if (!sim_bonds_moves(b, j)) memset(b->right[j], 0, sizeof b->right[j]);
  }
}

void sim_bonds_take(sim_bonds *b, const double (*x)[3], const double (*past_x)[3], const double (*v)[3]) {
  for (int j = 0; b->body.matrix && j < b->n_body; j++) sim_add(b->body.v_m_per_s[j], 1, b->x[j]);
  measure(b, x, past_x, v);
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int i = sim_bonds_begin_of(b, SIM_BOND_ALONE); i < sim_bonds_all(b); i++) {
    const sim_bond *k = &b->bond[i];
    memset(b->taken[i], 0, sizeof b->taken[i]);
    sim_bond_split(k, k->stiffness_N_per_m, k->across_N_per_m, 1, b->apart[i], b->taken[i]);
    sim_add(b->taken[i], -k->stiffness_N_per_m * k->rest_m, k->normal);
    memset(b->way[i], 0, sizeof b->way[i]);
    sim_bond_split(k, 0, 1, 1, b->apart[i], b->way[i]);
  }
}

/* A chunk's friction, of what presses and slides now: by how much it was wrong, and what pressed [N]. */
static void review(sim_bonds *b, int begin, int end, double sum[2]) {
  sum[0] = sum[1] = 0;
  for (int i = begin; i < end; i++) {
    sim_bond *k = &b->bond[i];
    const double pressed = fmax(0, -sim_dot(b->taken[i], k->normal)), across = b->rub(b->surface, k, pressed, b->way[i]);
    sum[0] += fabs(across - k->across_N_per_m) * sim_norm(b->way[i]);
    sum[1] += pressed;
    k->across_N_per_m = across;
  }
}

bool sim_bonds_review(sim_bonds *b, double tolerance) {
  const int begin = sim_bonds_begin_of(b, SIM_BOND_ALONE), end = sim_bonds_all(b), chunks = SIM_BOND_CHUNKS(end - begin);
  double wrong = 0, pressed = 0;
  if (!b->rub) return true;
#pragma omp parallel for schedule(static) if (b->n > SIM_FEW)
  for (int c = 0; c < chunks; c++) {
    const int from = begin + c * SIM_CHUNK;
    review(b, from, from + SIM_CHUNK < end ? from + SIM_CHUNK : end, b->chunk_sum + 2 * c);
  }
  for (int c = 0; c < chunks; c++) {
    wrong += b->chunk_sum[2 * c];
    pressed += b->chunk_sum[2 * c + 1];
  }
  return wrong <= tolerance * pressed;
}

double sim_bonds_work_J(sim_bonds *b, const double (*x)[3], const double (*past_x)[3], const double (*v)[3]) {
  double sum = 0, way[3];
  pull_for(b, x, past_x, v);
  for (int i = 0; i < sim_bonds_all(b); i++) {
    way_of(b->bond[i].vertex, b->gamma_s, x, past_x, v, way);
    sum -= sim_dot((i < b->end[SIM_BOND_TOGETHER] ? b->pull : b->taken)[i], way);
  }
  return sum;
}
