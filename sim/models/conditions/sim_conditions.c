#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "sim_conditions_impl.h"

#define EVEN 1e-6 /* areas of triangles that differ by no more are the same */

sim_conditions_setup sim_conditions_setup_default(const sim_mesh *mesh) {
  return (sim_conditions_setup){.mesh = mesh,
                                .areal_density_kg_per_m2 = 0.15,
                                .rest = {1, 1},
                                .gravity_m_per_s2 = {0, 0, -CB_STANDARD_GRAVITY_M_PER_S2},
                                .iterations = 20,
                                .settle_m_per_s = 1e-6,
                                .solve_tolerance = 1e-6,
                                .solve_iterations = 1000};
}

static cb_status check_setup(const sim_conditions_setup *s, cb_err *err) {
  CB_TRY(cb_check_range(s->areal_density_kg_per_m2, 1e-4, 1e2, "conditions: areal density", "kg/m2", err));
  for (int k = 0; k < SIM_CONDITIONS_KINDS; k++) {
    const sim_conditions_law *l = &s->law[k];
    char what[64];
    const struct {
      const char *name;
      double value;
    } numbers[] = {{"k", l->k}, {"lambda", l->lambda}, {"damping", l->damping}};
    for (int i = 0; i < 3; i++) {
      (void)snprintf(what, sizeof what, "conditions: %s of %s", numbers[i].name,
                     sim_conditions_kind_names[k]);
      CB_TRY(cb_check_range(numbers[i].value, 0, 1e15, what, "", err));
    }
  }
  for (int k = 0; k < 2; k++)
    CB_TRY(cb_check_range(s->rest[k], 0.01, 100, "conditions: length at rest", "", err));
  for (int k = 0; k < 3; k++) {
    CB_TRY(cb_check_range(s->gravity_m_per_s2[k], -1e4, 1e4, "conditions: gravity", "m/s2", err));
    CB_TRY(cb_check_range(s->wind_m_per_s[k], -1e3, 1e3, "conditions: wind", "m/s", err));
  }
  CB_TRY(cb_check_range(s->wind_Ns_per_m3, 0, 1e6, "conditions: coefficient of wind", "N s/m3", err));
  CB_TRY(cb_check_range(s->iterations, 1, 1000, "conditions: iterations", "", err));
  CB_TRY(cb_check_range(s->settle_m_per_s, 0, 1, "conditions: settle", "m/s", err));
  CB_TRY(cb_check_range(s->solve_tolerance, 1e-14, 0.1, "conditions: tolerance of the solver", "", err));
  return cb_check_range(s->solve_iterations, 1, 1e6, "conditions: iterations of the solver", "", err);
}

cb_status sim_conditions_law_of(const cb_stretch_direction *d, const sim_mesh *mesh, sim_conditions_law *out,
                                cb_err *err) {
  double low = INFINITY, high = 0;
  for (int t = 0; t < mesh->n_triangles; t++) {
    low = fmin(low, mesh->area_m2[t]);
    high = fmax(high, mesh->area_m2[t]);
  }
  *out = (sim_conditions_law){0};
  if (!(high <= low * (1 + EVEN)))
    return cb_fail(err, CB_E_RANGE,
                   "conditions: triangles of %g to %g m2: one lambda is for triangles of one size", low,
                   high);
  cb_stretch_k_lambda(d, low, sqrt(low), &out->k, &out->lambda);
  return CB_OK;
}

/* ---- making ---- */

/* Triangles are cliques of four too: the last corner counts twice. */
static void make_patches(sim_conditions *p, int (*member)[4]) {
  const sim_mesh *m = p->setup.mesh;
  for (int t = 0; t < m->n_triangles; t++) {
    sim_patch *s = &p->patch[p->n_patches++];
    s->n = 3;
    s->a = sqrt(m->area_m2[t]);
    for (int i = 0; i < 4; i++) s->vertex[i] = m->triangle[t][i < 3 ? i : 2];
    sim_mesh_slopes((const double(*)[2])m->corner_m[t], s->slope);
  }
  for (int e = 0; e < m->n_edges; e++) {
    const sim_edge *edge = &m->edge[e];
    if (edge->triangle[1] < 0) continue;
    sim_patch *s = &p->patch[p->n_patches++];
    s->n = 4;
    for (int k = 0; k < 2; k++) {
      s->vertex[k] = edge->vertex[k];
      s->vertex[2 + k] = m->triangle[edge->triangle[k]][edge->opposite[k]];
    }
  }
  for (int i = 0; i < p->n_patches; i++) memcpy(member[i], p->patch[i].vertex, sizeof *member);
}

static void find_slots(sim_conditions *p) {
  for (int i = 0; i < p->n_patches; i++)
    for (int k = 0; k < 16; k++)
      p->slot[i][k] = sim_blocks_find(&p->matrix, p->patch[i].vertex[k / 4], p->patch[i].vertex[k % 4]);
}

static bool take_memory(sim_conditions *p) {
  const size_t n = (size_t)p->n + 1,
               patches = (size_t)(p->setup.mesh->n_triangles + p->setup.mesh->n_edges) + 1;
  double(**const vectors[])[3] = {&p->x, &p->v, &p->x0, &p->force, &p->b, &p->change, &p->pull};
  bool ok = true;
  for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
    ok = (*vectors[k] = calloc(n, sizeof **vectors[k])) && ok;
  p->mass = calloc(n, sizeof *p->mass);
  p->inertia = calloc(n, sizeof *p->inertia);
  p->patch = calloc(patches, sizeof *p->patch);
  p->slot = calloc(patches, sizeof *p->slot);
  p->was = calloc(patches, sizeof *p->was);
  return ok && p->mass && p->inertia && p->patch && p->slot && p->was;
}

static cb_status make_cloth(sim_conditions *p, cb_err *err) {
  const sim_mesh *m = p->setup.mesh;
  cb_status st = CB_OK;
  int(*member)[4] = calloc((size_t)(m->n_triangles + m->n_edges) + 1, sizeof *member);
  if (!member || !take_memory(p)) CB_GOTO(cb_no_memory(err, "%d vertices", p->n));
  make_patches(p, member);
  CB_GOTO(sim_blocks_init(p->n, &member[0][0], p->n_patches, 4, &p->matrix, err));
  CB_GOTO(sim_wind_shadow_init(p->n, &p->wind_shadow, err));
  find_slots(p);
  memcpy(p->x, m->position_m, (size_t)p->n * sizeof *p->x);
  for (int i = 0; i < p->n; i++) p->mass[i] = p->setup.areal_density_kg_per_m2 * m->vertex_area_m2[i];
done:
  free(member);
  return st;
}

cb_status sim_conditions_new(const sim_conditions_setup *setup, sim_conditions **out, cb_err *err) {
  *out = NULL;
  CB_TRY(check_setup(setup, err));
  if (setup->mesh->n_vertices == 0) return cb_fail(err, CB_E_RANGE, "conditions: a mesh without vertices");
  sim_conditions *p = calloc(1, sizeof *p);
  if (!p) return cb_no_memory(err, "%d vertices", setup->mesh->n_vertices);
  p->setup = *setup;
  p->n = setup->mesh->n_vertices;
  cb_status st = make_cloth(p, err);
  if (st == CB_OK)
    *out = p;
  else
    sim_conditions_free(p);
  return st;
}

void sim_conditions_free(sim_conditions *p) {
  if (!p) return;
  free(p->x);
  free(p->v);
  free(p->x0);
  free(p->force);
  free(p->b);
  free(p->change);
  free(p->pull);
  free(p->mass);
  free(p->inertia);
  free(p->patch);
  free(p->slot);
  free(p->was);
  sim_blocks_clear(&p->matrix);
  sim_wind_shadow_clear(&p->wind_shadow);
  free(p);
}

/* ---- the state ---- */

double (*sim_conditions_position(sim_conditions *p))[3] { return p->x; }
double (*sim_conditions_velocity(sim_conditions *p))[3] { return p->v; }
const double *sim_conditions_mass(const sim_conditions *p) { return p->mass; }
