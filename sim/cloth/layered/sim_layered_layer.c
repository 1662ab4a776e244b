#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "sim_layered_impl.h"
#include "sim_vec.h"

double (*sim_layered_layer_x(const sim_layered_layer *l))[3] {
  return l->elastic ? sim_elastic_position(l->elastic) : l->prescribed_x;
}
double (*sim_layered_layer_v(const sim_layered_layer *l))[3] {
  return l->elastic ? sim_elastic_velocity(l->elastic) : l->prescribed_v;
}

void sim_layered_layer_clear(sim_layered_layer *l) {
  sim_hull_clear(&l->hull);
  sim_elastic_free(l->elastic);
  sim_traverse_free(l->traverse);
  sim_offset_free(l->offset);
  sim_air_free(l->air);
  sim_springs_clear(&l->springs);
  sim_core_clear(&l->core);
  void *const arrays[] = {l->prescribed_x,
                          l->prescribed_v,
                          l->ground_m2,
                          l->closest,
                          l->out,
                          l->area,
                          l->gap,
                          l->outside_Pa,
                          l->answer.pressure_Pa,
                          l->answer.stiffness_Pa_per_m3,
                          l->reach_m2,
                          l->growth_m3,
                          l->at_closest,
                          l->end,
                          l->swept_m3,
                          l->tied,
                          l->core_from,
                          l->stitch};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
}

/* ---- making ---- */

static cb_status init_told(sim_layered_layer *l, cb_err *err) {
  const sim_layered_body *b = l->given;
  size_t n = (size_t)b->surface_vertices;
  CB_TRY(sim_hull_build(b->surface_triangle, b->surface_triangles, b->surface_vertices, &l->hull, err));
  l->prescribed_x = malloc(n * sizeof *l->prescribed_x);
  l->prescribed_v = calloc(n, sizeof *l->prescribed_v);
  if (!l->prescribed_x || !l->prescribed_v) return cb_no_memory(err, "%zu vertices", n);
  memcpy(l->prescribed_x, b->surface_m, n * sizeof *l->prescribed_x);
  return CB_OK;
}

static cb_status init_elastic(sim_layered_layer *l, cb_err *err) {
  const sim_tets *tets = l->given->elastic.tets;
  CB_TRY(sim_friction_check(&l->given->friction, err));
  CB_TRY(sim_elastic_new(&l->given->elastic, &l->elastic, err));
  CB_TRY(sim_hull_build((const int(*)[3])tets->surface, tets->n_surface, tets->n_vertices, &l->hull, err));
  l->ground_m2 = calloc((size_t)tets->n_vertices, sizeof *l->ground_m2);
  if (!l->ground_m2) return cb_no_memory(err, "%d vertices", tets->n_vertices);
  for (int i = 0; i < tets->n_surface; i++) {
    const int *v = tets->surface[i];
    double a[3], b[3], n[3];
    sim_sub(tets->position_m[v[1]], tets->position_m[v[0]], a);
    sim_sub(tets->position_m[v[2]], tets->position_m[v[0]], b);
    sim_cross(a, b, n);
    for (int k = 0; k < 3; k++) l->ground_m2[v[k]] += sim_norm(n) / 6;
  }
  return CB_OK;
}

static cb_status init_arrays(sim_layered_layer *l, cb_err *err) {
  size_t n = (size_t)l->n;
  bool ok = (l->closest = calloc(n, sizeof *l->closest)) != NULL;
  if (l->given->has_air) {
    double **const scalars[] = {
        &l->area,     &l->gap,      &l->outside_Pa, &l->answer.pressure_Pa, &l->answer.stiffness_Pa_per_m3,
        &l->reach_m2, &l->growth_m3};
    for (size_t k = 0; k < sizeof scalars / sizeof *scalars; k++)
      ok = (*scalars[k] = calloc(n, sizeof(double))) && ok;
    ok = (l->out = calloc(n, sizeof *l->out)) && ok;
    ok = (l->end = calloc(n, sizeof *l->end)) && ok;
    ok = (l->swept_m3 = calloc((size_t)l->given->air.mesh->n_triangles, sizeof *l->swept_m3)) && ok;
    ok = (l->at_closest = calloc(n, sizeof *l->at_closest)) && ok;
  }
  return ok ? CB_OK : cb_no_memory(err, "%zu vertices of cloth", n);
}

static cb_status expect_outside(const sim_layered_layer *l, cb_err *err) {
  double least = l->given->offset.thickness_m;
  for (int i = 0; i < l->n; i++)
    if (!(l->closest[i].distance_m >= least))
      return cb_fail(err, CB_E_RANGE,
                     "vertex %d of the cloth starts %g mm %s it: at least %g mm outside, two thirds of the "
                     "longest edge, was wanted",
                     l->first + i, 1e3 * fabs(l->closest[i].distance_m),
                     l->closest[i].distance_m < 0 ? "inside of" : "from", 1e3 * least);
  return CB_OK;
}

static cb_status init_air(sim_layered *t, sim_layered_layer *l, cb_err *err) {
  if (!l->given->has_air) return CB_OK;
  if (l->given->air.mesh->n_vertices != l->n)
    return cb_fail(err, CB_E_RANGE, "its air lies under %d vertices: the %d that meet it were wanted",
                   l->given->air.mesh->n_vertices, l->n);
  CB_TRY(cb_check_range(l->given->air_Pa, 1, 1e9, "pressure of the air", "Pa", err));
  CB_TRY(sim_air_new(&l->given->air, &l->air, err));
  sim_air_place place;
  sim_layered_breath_place(t, l, &place);
  sim_air_fill(l->air, &place, l->given->air_Pa);
  return CB_OK;
}

cb_status sim_layered_layer_init(sim_layered *t, int body, cb_err *err) {
  sim_layered_layer *l = &t->layer[body];
  const sim_layered_body *b = l->given = &t->setup.bodies[body];
  int all = t->setup.cloth.mesh->n_vertices;
  l->first = b->n_vertices > 0 ? b->first_vertex : 0;
  l->n = b->n_vertices > 0 ? b->n_vertices : all;
  if (l->first < 0 || l->n > all - l->first)
    return cb_fail(err, CB_E_RANGE, "vertices %d to %d of the cloth meet it: it has %d", l->first,
                   l->first + l->n - 1, all);
  CB_TRY(b->elastic.tets ? init_elastic(l, err) : init_told(l, err));
  CB_TRY(init_arrays(l, err));
  CB_TRY(sim_layered_core_init(l, err));
  CB_TRY(sim_offset_new(&b->offset, l->n, l->hull.n_vertices, &l->offset, err));
  CB_TRY(sim_springs_init(l->first, l->n, l->hull.n_vertices, &l->springs, err));
  CB_TRY(sim_traverse_new(&l->hull, &l->traverse, err));
  CB_TRY(sim_layered_layer_surface(t, l, 0, err));
  const double(*x)[3] = (const sim_vec3 *)sim_cloth_position(t->cloth);
  CB_TRY(sim_traverse_start(l->traverse, x + l->first, l->n, l->closest, err));
  CB_TRY(expect_outside(l, err));
  CB_TRY(sim_layered_stitch_init(l, err));
  return init_air(t, l, err);
}

/* ---- moving ---- */

void sim_layered_layer_begin(sim_layered_layer *l, double dt_s, sim_elastic_report *report) {
  l->springs.body = (sim_spring_body){.v_m_per_s = sim_layered_layer_v(l), .dt_s = dt_s};
  if (l->elastic && l->springs.any) {
    sim_elastic_system s = sim_elastic_begin(l->elastic, dt_s, report);
    l->springs.body.matrix = s.matrix;
    l->springs.body.held = s.held;
    l->springs.body.b = s.b;
  }
  sim_springs_begin(&l->springs);
}

cb_status sim_layered_layer_move(sim_layered_layer *l, double dt_s, sim_elastic_report *report, cb_err *err) {
  if (l->springs.body.matrix) return sim_elastic_end(l->elastic, dt_s, err);
  if (l->elastic) return sim_elastic_step(l->elastic, dt_s, report, err);
  for (int i = 0; i < l->hull.n_vertices; i++) sim_add(l->prescribed_x[i], dt_s, l->prescribed_v[i]);
  return CB_OK;
}

static double fastest(const double (*v)[3], int n) {
  double most2 = 0;
#pragma omp parallel for schedule(static) reduction(max : most2)
  for (int i = 0; i < n; i++) most2 = fmax(most2, sim_dot(v[i], v[i]));
  return sqrt(most2);
}

/* Tells the traversal where the surface is. The reach is the contact offset plus the largest motion of a
 * point against the surface in the step. */
cb_status sim_layered_layer_surface(const sim_layered *t, sim_layered_layer *l, double dt_s, cb_err *err) {
  double reach = l->given->offset.thickness_m + l->given->offset.skin_m;
  const double(*v)[3] = (const sim_vec3 *)sim_cloth_velocity(t->cloth);
  reach += dt_s * (fastest(v + l->first, l->n) +
                   fastest((const sim_vec3 *)sim_layered_layer_v(l), l->hull.n_vertices));
  return sim_traverse_surface(l->traverse, (const sim_vec3 *)sim_layered_layer_x(l), reach, err);
}
