#include "sim_membrane.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "cb_threads.h"
#include "sim_membrane_pack.h"

#define PACKS_PER_CHUNK (CB_CHUNK / SIM_LANES)

static sim_ramps ramps_of(const sim_curve *c) {
  sim_ramps r = {.slope = c->stress_N_per_m[1] / c->strain[1]};
  double slope = r.slope;
  for (int i = 1; i < c->n - 1; i++) {
    const double next = (c->stress_N_per_m[i + 1] - c->stress_N_per_m[i]) / (c->strain[i + 1] - c->strain[i]);
    if (next == slope) continue;
    r.knot[r.n] = c->strain[i];
    r.change[r.n++] = next - slope;
    slope = next;
  }
  return r;
}

static void pack_triangle(const sim_mesh *mesh, int t, sim_membrane_pack *p, int lane) {
  double(*c)[2] = mesh->corner_m[t];
  const double u1 = c[1][0] - c[0][0], v1 = c[1][1] - c[0][1], u2 = c[2][0] - c[0][0], v2 = c[2][1] - c[0][1],
               det = u1 * v2 - u2 * v1;
  for (int k = 0; k < 3; k++) p->corner[k][lane] = mesh->triangle[t][k];
  p->bu[0][lane] = v2 / det;
  p->bu[1][lane] = -v1 / det;
  p->bv[0][lane] = -u2 / det;
  p->bv[1][lane] = u1 / det;
  p->area[lane] = mesh->area_m2[t];
}

/* An edge runs from vertex[0] to vertex[1] as its triangle[0] turns. */
static void find_sides(const sim_mesh *mesh, int (*side)[2]) {
  for (int e = 0; e < mesh->n_edges; e++) {
    const sim_edge *g = &mesh->edge[e];
    const int along = g->vertex[0] < g->vertex[1] ? 0 : 1;
    for (int k = 0; k < 2; k++)
      side[e][k == along ? 0 : 1] = g->triangle[k] < 0 ? -1 : 3 * g->triangle[k] + g->opposite[k];
  }
}

cb_status sim_membrane_init(const sim_mesh *mesh, const sim_material *material, sim_membrane *out,
                            cb_err *err) {
  *out = (sim_membrane){.mesh = mesh};
  CB_TRY(sim_material_check(material, err));
  out->warp = ramps_of(&material->warp);
  out->weft = ramps_of(&material->weft);
  out->shear = ramps_of(&material->shear);
  out->cross_N_per_m = material->cross_N_per_m;
  out->n_packs = (mesh->n_triangles + SIM_LANES - 1) / SIM_LANES;
  const size_t packs = (size_t)out->n_packs, edges = (size_t)mesh->n_edges;
  out->pack = calloc(packs, sizeof *out->pack);
  out->pack_force = calloc(packs, sizeof *out->pack_force);
  out->pack_block = calloc(packs, sizeof *out->pack_block);
  out->pack_energy = calloc(packs, sizeof *out->pack_energy);
  out->side = calloc(edges, sizeof *out->side);
  out->block = calloc(edges, sizeof *out->block);
  if (!out->pack || !out->pack_force || !out->pack_block || !out->pack_energy || !out->side || !out->block)
    return cb_no_memory(err, "membrane of %d triangles", mesh->n_triangles);
  for (int t = 0; t < mesh->n_triangles; t++)
    pack_triangle(mesh, t, &out->pack[t / SIM_LANES], t % SIM_LANES);
  find_sides(mesh, out->side);
  return CB_OK;
}

void sim_membrane_clear(sim_membrane *m) {
  free(m->pack);
  free(m->pack_force);
  free(m->pack_block);
  free(m->pack_energy);
  free(m->side);
  free(m->block);
  *m = (sim_membrane){0};
}

static void gather_forces(const sim_membrane *m, double (*force)[3]) {
  const sim_mesh *mesh = m->mesh;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < mesh->n_vertices; i++) {
    double f[3] = {0};
    for (int k = mesh->fan_start[i]; k < mesh->fan_start[i + 1]; k++) {
      const int t = mesh->fan[k] / 3, corner = mesh->fan[k] % 3;
      for (int a = 0; a < 3; a++) f[a] += m->pack_force[t / SIM_LANES][3 * corner + a][t % SIM_LANES];
    }
    for (int a = 0; a < 3; a++) force[i][a] += f[a];
  }
}

static void gather_blocks(sim_membrane *m) {
#pragma omp parallel for schedule(static)
  for (int e = 0; e < m->mesh->n_edges; e++) {
    float sum[9] = {0};
    const int along = m->side[e][0], against = m->side[e][1];
    if (along >= 0) {
      float(*from)[SIM_LANES] = m->pack_block[along / 3 / SIM_LANES] + 9 * (ptrdiff_t)(along % 3);
      const int lane = along / 3 % SIM_LANES;
      for (int k = 0; k < 9; k++) sum[k] = from[k][lane];
    }
    if (against >= 0) {
      float(*from)[SIM_LANES] = m->pack_block[against / 3 / SIM_LANES] + 9 * (ptrdiff_t)(against % 3);
      const int lane = against / 3 % SIM_LANES;
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) sum[3 * a + b] += from[3 * b + a][lane];
    }
    for (int k = 0; k < 9; k++) m->block[e][k] = sum[k];
  }
}

double sim_membrane_evaluate(sim_membrane *m, const double (*x)[3], sim_tangent tangent, double (*force)[3]) {
  const int n_chunks = (m->n_packs + PACKS_PER_CHUNK - 1) / PACKS_PER_CHUNK;
#pragma omp parallel for schedule(static)
  for (int c = 0; c < n_chunks; c++) {
    const int first = c * PACKS_PER_CHUNK, rest = m->n_packs - first;
    sim_membrane_packs(m, x, tangent, first, first + (rest < PACKS_PER_CHUNK ? rest : PACKS_PER_CHUNK));
  }
  if (force) gather_forces(m, force);
  if (tangent != SIM_TANGENT_NONE) gather_blocks(m);
  double energy = 0;
  for (int i = 0; i < m->n_packs; i++) energy += m->pack_energy[i];
  return energy;
}

void sim_membrane_strain(const sim_membrane *m, const double (*x)[3], double (*strain)[3]) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < m->n_packs; i++) sim_membrane_pack_strains(m, x, i, i + 1, strain);
}

/* From the triangles' own blocks, the two sides at every corner of the fan: differences of v, so that a rigid
 * shift costs exactly nothing.
 */
void sim_membrane_product(const sim_membrane *m, double scale, const double (*v)[3], double (*y)[3]) {
  const sim_mesh *mesh = m->mesh;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < mesh->n_vertices; i++) {
    double sum[3] = {0};
    for (int k = mesh->fan_start[i]; k < mesh->fan_start[i + 1]; k++) {
      const int t = mesh->fan[k] / 3, c = mesh->fan[k] % 3, next = (c + 1) % 3, last = (c + 2) % 3,
                lane = t % SIM_LANES;
      float(*to_next)[SIM_LANES] = m->pack_block[t / SIM_LANES] + 9 * (ptrdiff_t)last; /* from c to next */
      float(*to_last)[SIM_LANES] = m->pack_block[t / SIM_LANES] + 9 * (ptrdiff_t)next; /* from last to c */
      const double *p = v[mesh->triangle[t][next]], *q = v[mesh->triangle[t][last]];
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
          sum[a] += to_next[3 * a + b][lane] * (p[b] - v[i][b]) + to_last[3 * b + a][lane] * (q[b] - v[i][b]);
    }
    for (int a = 0; a < 3; a++) y[i][a] += scale * sum[a];
  }
}

static double steepest(const sim_curve *c) {
  double most = 0;
  for (int i = 1; i < c->n; i++)
    most = fmax(most, (c->stress_N_per_m[i] - c->stress_N_per_m[i - 1]) / (c->strain[i] - c->strain[i - 1]));
  return most;
}

double sim_material_steepest_N_per_m(const sim_material *m) {
  return fmax(steepest(&m->warp), fmax(steepest(&m->weft), steepest(&m->shear)));
}
