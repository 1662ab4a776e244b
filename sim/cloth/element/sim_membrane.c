#include "sim_membrane.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "sim_membrane_pack.h"

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
  out->pack_energy = calloc(packs, sizeof *out->pack_energy);
  out->block = calloc(edges + 1, sizeof *out->block);
  if (!out->pack || !out->pack_energy || !out->block)
    return cb_no_memory(err, "membrane of %d triangles", mesh->n_triangles);
  for (int t = 0; t < mesh->n_triangles; t++)
    pack_triangle(mesh, t, &out->pack[t / SIM_LANES], t % SIM_LANES);
  for (int t = SIM_LANES * (mesh->n_triangles / SIM_LANES); t < mesh->n_triangles; t++)
    out->last_area_m2[t % SIM_LANES] = mesh->area_m2[t];
  return sim_membrane_bands_make(out, err);
}

void sim_membrane_clear(sim_membrane *m) {
  free(m->pack);
  free(m->pack_energy);
  free(m->band);
  free(m->window);
  free(m->block);
  *m = (sim_membrane){0};
}

void sim_membrane_strain(const sim_membrane *m, const double (*x)[3], double (*strain)[3]) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < m->n_packs; i++) sim_membrane_pack_strains(m, x, i, i + 1, strain);
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
