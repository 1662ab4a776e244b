/* Experiments in this program's own simulator. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conf_engine_impl.h"
#include "conf_own.h"

#define STEP_S 0.002
#define TOLERANCE 1e-8
#define MOST_ITERATIONS 400
#define THICK_M 0.0005 /* of contact between layers or pads; less if the cloth is thinner */

/* Squares in two triangles, whose diagonals alternate: no direction is preferred. */
static cb_status make_mesh(const conf_case *c, sim_mesh *out, cb_err *err) {
  int n = 0;
  const double *first = c->vertex[0];
  int(*triangle)[3] = calloc(2 * (size_t)c->n_faces, sizeof *triangle);
  double(*corner)[3][2] = calloc(2 * (size_t)c->n_faces, sizeof *corner);
  cb_status st = triangle && corner ? CB_OK : cb_no_memory(err, "an experiment");
  for (int k = 0; st == CB_OK && k < c->n_faces; k++) {
    const int *q = c->face[k];
    const double *a = c->vertex[q[0]];
    const int turn =
                  q[3] < 0
                      ? 0
                      : (int)(lround((a[0] - first[0]) / c->edge_m) + lround((a[1] - first[1]) / c->edge_m)) %
                            2,
              half[2][3] = {{0, 1, 2}, {0, 2, 3}};
    for (int h = 0; h < (q[3] < 0 ? 1 : 2); h++, n++)
      for (int v = 0; v < 3; v++) triangle[n][v] = q[(half[h][v] + turn) % 4];
  }
  for (int k = 0; st == CB_OK && k < n; k++)
    for (int v = 0; v < 3; v++) memcpy(corner[k][v], c->vertex[triangle[k][v]], sizeof corner[k][v]);
  if (st == CB_OK)
    st = sim_mesh_build((const double(*)[3])c->vertex, c->n_vertices, (const int(*)[3])triangle,
                        (const double(*)[3][2])corner, n, out, err);
  free(triangle);
  free(corner);
  return st;
}

static double known(exch_value v, double otherwise) { return v.value > 0 ? v.value : otherwise; }

/* A property that is not known does not matter to the experiment; a common one stands for it. */
static sim_material material_of(const exch_cloth *s) {
  const double warp = known(s->stretch_warp_N_per_m, 1000), weft = known(s->stretch_weft_N_per_m, warp),
               b1 = known(s->bending_warp_N_m, 1e-5), b2 = known(s->bending_weft_N_m, b1);
  sim_material m = sim_material_isotropic(s->areal_density_kg_per_m2.value, warp, b1);
  m.warp = sim_curve_linear(warp);
  m.weft = sim_curve_linear(weft);
  m.shear = sim_curve_linear(2 * known(s->shear_N_per_m, warp / 20));
  m.bending_Nm[1][1] = b2;
  m.bending_Nm[2][2] = (b1 + b2) / 4;
  return m;
}

/* ---- the state of rest ---- */

static cb_status settle(sim_cloth *cloth, const conf_case *c, double (*position)[3], cb_err *err) {
  sim_settle_report report;
  CB_TRY(sim_cloth_settle(cloth, TOLERANCE, MOST_ITERATIONS, &report, err));
  if (report.outcome != SIM_SETTLED)
    return cb_fail(err, CB_E_NUM, "%s at level %g: the cloth did not come to rest", conf_kind_names[c->kind],
                   c->level);
  for (int k = 0; k < CONF_TIMES; k++)
    memcpy(position + (size_t)k * (size_t)c->n_vertices, sim_cloth_position(cloth),
           (size_t)c->n_vertices * sizeof *position);
  return CB_OK;
}

/* ---- motion ---- */

static void pull(const conf_case *c, sim_cloth *cloth, double time_s) {
  for (int i = 0; i < c->n_vertices; i++)
    if (c->pinned[i]) sim_cloth_velocity(cloth)[i][0] = conf_pull_speed(&c->pull, time_s);
}

/* Before gravity begins, nothing happens that matters. */
static cb_status step(sim_cloth *cloth, const conf_case *c, const sim_material *material,
                      double (*position)[3], cb_err *err) {
  for (int k = 0; k < CONF_TIMES; k++) {
    const double begin = k > 0 ? c->time_s[k - 1] : c->gravity_from_s, span = c->time_s[k] - begin;
    const int n = (int)ceil(span / STEP_S);
    for (int i = 0; i < n; i++) {
      conf_solids_press(c, material, cloth);
      pull(c, cloth, begin + (i + 0.5) * span / n);
      CB_TRY(sim_cloth_step(cloth, span / n, NULL, err));
    }
    memcpy(position + (size_t)k * (size_t)c->n_vertices, sim_cloth_position(cloth),
           (size_t)c->n_vertices * sizeof *position);
  }
  return CB_OK;
}

cb_status conf_own_play(const conf_case *c, double (*position)[3], cb_err *err) {
  sim_material material = material_of(&c->cloth);
  sim_mesh mesh;
  conf_solids solids;
  sim_cloth *cloth = NULL;
  CB_TRY(make_mesh(c, &mesh, err));
  cb_status st = conf_solids_make(c, &solids, err);
  sim_cloth_setup setup = sim_cloth_setup_default(&mesh, &material);
  memcpy(setup.gravity_m_per_s2, c->gravity_m_per_s2, sizeof setup.gravity_m_per_s2);
  setup.gripped = c->pinned;
  /* Of second order, but for friction: what stops at once cannot be extrapolated, and would creep. */
  setup.scheme = solids.n > 0 || c->self ? SIM_BACKWARD_EULER : SIM_BDF2;
  setup.solve_tolerance = 1e-6;
  setup.contact_tolerance = 1e-5;
  setup.contact_iterations = 20;
  setup.bodies = solids.body;
  setup.n_bodies = solids.n;
  if (c->self || solids.pad) {
    material.thickness_m = fmin(THICK_M, known(c->cloth.thickness_m, THICK_M));
    material.compression_Pa = SIM_COMPRESSION_PA;
  }
  setup.self_collision = c->self;
  if (c->self)
    setup.self_friction = (sim_friction){c->cloth.friction.value, c->cloth.friction.value, NULL, NULL};
  if (st == CB_OK) st = sim_cloth_new(&setup, &cloth, err);
  if (st == CB_OK && c->start)
    memcpy(sim_cloth_position(cloth), c->start, (size_t)c->n_vertices * sizeof *c->start);
  if (st == CB_OK) st = c->rest ? settle(cloth, c, position, err) : step(cloth, c, &material, position, err);
  sim_cloth_free(cloth);
  sim_solid_free(solids.pad);
  sim_mesh_clear(&mesh);
  return st;
}
