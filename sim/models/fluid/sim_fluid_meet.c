/* Who is near whom, and what follows from the distances alone: densities and the diagonal of A. */
#include <math.h>
#include <string.h>

#include "cb_array.h"
#include "sim_fluid_impl.h"

#define LANES 8 /* neighbours that are summed at once */

static inline void look_around(const sim_fluid *f, int i, sim_fluid_sift *sift, sim_near *out) {
  const sim_cells *c = &f->cells;
  const float *const at[3] = {f->at[0], f->at[1], f->at[2]};
  const float limit = (float)(f->support * f->support);
  out->n = 0;
  for (int layer = -1; layer <= 1; layer++)
    for (int row = -1; row <= 1; row++) {
      const int middle = c->home[i] + (layer * c->n[1] + row) * c->n[0];
      sift(at, i, c->start[middle - 1], c->start[middle + 2], limit, out);
    }
}

/* Sums over the neighbours, and their slopes. W d^3 = 1/pi (2 (1-q)^3 - 8 (1/2-q)_+^3), since h = 2 d; V W'/r
 * = 1/(pi h^2) (-6 (1-q)^2 + 24 (1/2-q)_+^2)/q, and grad W . grad W = slope^2 r2. The list is filled up to
 * whole lanes with what is out of reach. */
static inline float weigh_neighbours(float h, sim_near *list, float slope[SIM_FLUID_NEAR + SIM_FLUID_TILE],
                                     float *square) {
  const float per_pi = 0.31830988618f, per_h = 1 / h, per_h2 = per_h * per_h;
  float density[LANES] = {0}, squares[LANES] = {0};
  for (int k = list->n; k % LANES != 0; k++) list->r2[k] = h * h;
  for (int begin = 0; begin < list->n; begin += LANES)
    for (int k = 0; k < LANES; k++) {
      const float r2 = list->r2[begin + k] + 1e-12f * h * h, q = sqrtf(r2) * per_h, s = q < 1 ? 1 - q : 0,
                  a = q < 0.5f ? 0.5f - q : 0;
      const float g = per_pi * per_h2 * (24 * a * a - 6 * s * s) / q;
      slope[begin + k] = g;
      density[k] += per_pi * (2 * s * s * s - 8 * a * a * a);
      squares[k] += g * g * r2;
    }
  float whole = 0;
  *square = 0;
  for (int k = 0; k < LANES; k++) whole += density[k], *square += squares[k];
  return whole;
}

static inline void keep_neighbours(sim_fluid *f, int i, const sim_near *list, const float *slope,
                                   float density, float square) {
  sim_neighbour *out = f->pool[i / CB_CHUNK].pair + f->first[i];
  const sim_v4 at = f->place[i];
  sim_v4 gradient, sum = {0};
  for (int k = 0; k < list->n; k++) {
    out[k] = (sim_neighbour){list->j[k], slope[k]};
    sum += (at - f->place[list->j[k]]) * sim_v4_all(slope[k]);
  }
  f->density[i] = density + sim_fluid_wall(f, at, &gradient);
  f->wall[i] = gradient;
  sum += gradient;
  const float diagonal = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + square;
  f->per_diagonal[i] = diagonal > 0 ? 1 / diagonal : 0;
}

static bool make_room(sim_pool *pool, int wanted) {
  if ((size_t)wanted <= pool->capacity) return true;
  sim_neighbour *grown = cb_array_grow(pool->pair, &pool->capacity, (size_t)wanted, sizeof *grown);
  if (grown) pool->pair = grown;
  return grown != NULL;
}

CB_WIDE static cb_status meet_chunk(sim_fluid *f, int chunk) {
  const int from = chunk * CB_CHUNK, to = from + CB_CHUNK < f->n ? from + CB_CHUNK : f->n;
  sim_fluid_sift *const sift = sim_fluid_sift_best();
  sim_near list;
  float slope[SIM_FLUID_NEAR + SIM_FLUID_TILE], square;
  int used = 0;
  for (int i = from; i < to; i++) {
    look_around(f, i, sift, &list);
    if (list.n >= SIM_FLUID_NEAR) return CB_E_NUM;
    if (!make_room(&f->pool[chunk], used + list.n)) return CB_E_NOMEM;
    const float density = weigh_neighbours((float)f->support, &list, slope, &square);
    f->first[i] = used;
    f->count[i] = list.n;
    used += list.n;
    keep_neighbours(f, i, &list, slope, density, square);
  }
  return CB_OK;
}

cb_status sim_fluid_meet(sim_fluid *f, cb_err *err) {
  bool crowded = false, full = false;
#pragma omp parallel for schedule(dynamic, 1) reduction(|| : crowded, full)
  for (int c = 0; c < CB_CHUNKS(f->n); c++) {
    const cb_status st = meet_chunk(f, c);
    crowded = crowded || st == CB_E_NUM;
    full = full || st == CB_E_NOMEM;
  }
  if (full) return cb_no_memory(err, "fluid of %d particles: neighbours", f->n);
  if (crowded)
    return cb_fail(err, CB_E_NUM,
                   "fluid at %g s: a particle with %d neighbours or more: the step is too long", f->time_s,
                   SIM_FLUID_NEAR);
  return CB_OK;
}
