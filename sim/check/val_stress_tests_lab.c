#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_plural.h"
#include "cb_time.h"
#include "val_stress_tests_impl.h"

#define CROSSINGS_EVERY 10

cb_status hard_lab_init(hard_lab *lab, double side_m, double z_m, int vertices, cb_err *err) {
  const sim_rectangle r = {.length_m = side_m,
                           .width_m = side_m,
                           .pattern = SIM_PATTERN_IRREGULAR,
                           .about_vertices = vertices,
                           .seed = 3};
  *lab = (hard_lab){0};
  CB_TRY(sim_mesh_rectangle(&r, &lab->mesh, err));
  for (int i = 0; i < lab->mesh.n_vertices; i++) {
    double *x = lab->mesh.position_m[i];
    x[0] -= side_m / 2;
    x[1] -= side_m / 2;
    x[2] = z_m;
  }
  lab->material = sim_material_isotropic(0.15, 500, 5e-6);
  lab->material.thickness_m = 1e-3;
  lab->material.drag_per_s = 1;
  lab->gripped = calloc((size_t)lab->mesh.n_vertices, sizeof *lab->gripped);
  if (!lab->gripped) return cb_no_memory(err, "stress-tests");
  lab->setup = sim_cloth_setup_default(&lab->mesh, &lab->material);
  lab->setup.bodies = lab->body;
  lab->setup.gripped = lab->gripped;
  lab->setup.self_collision = true;
  lab->setup.self_friction = (sim_friction){.mu_kinetic = 0.2, .mu_static = 0.2};
  return CB_OK;
}

cb_status hard_lab_start(hard_lab *lab, cb_err *err) {
  const sim_mesh *mesh = &lab->mesh;
  const sim_self_options options = {.thickness_m = lab->material.thickness_m, .rounds = 1};
  CB_TRY(sim_self_new(&mesh, NULL, 1, &options, &lab->self, err));
  return sim_cloth_new(&lab->setup, &lab->cloth, err);
}

void hard_lab_clear(hard_lab *lab) {
  sim_cloth_free(lab->cloth);
  sim_self_free(lab->self);
  sim_mesh_clear(&lab->mesh);
  sim_solid_free(lab->solid);
  free(lab->gripped);
}

static void look_at_bodies(hard_lab *lab, val_stress_test *row) {
  double(*x)[3] = sim_cloth_position(lab->cloth);
  for (int i = 0; i < lab->mesh.n_vertices; i++)
    for (int b = 0; b < lab->setup.n_bodies && !lab->gripped[i]; b++) {
      sim_touch touch;
      sim_body_touch(&sim_cloth_bodies(lab->cloth)[b], x[i], &touch);
      row->penetration_m = fmax(row->penetration_m, -touch.distance_m);
      row->nearest = fmin(row->nearest, touch.distance_m / (lab->material.thickness_m / 2));
    }
}

static void look_at_numbers(hard_lab *lab, val_stress_test *row) {
  double(*const state[])[3] = {sim_cloth_position(lab->cloth), sim_cloth_velocity(lab->cloth)};
  for (int s = 0; s < 2; s++)
    for (int i = 0; i < lab->mesh.n_vertices; i++)
      for (int d = 0; d < 3; d++) row->not_finite += !isfinite(state[s][i][d]);
}

cb_status hard_run(hard_lab *lab, double dt_s, int steps, hard_motion *move, val_stress_test *row,
                   cb_err *err) {
  const double start = cb_now_monotonic_s();
  int unsettled = 0;
  cb_err why = {""};
  cb_status st = CB_OK;
  row->vertices = lab->mesh.n_vertices;
  row->nearest = INFINITY;
  while (row->steps < steps && st == CB_OK) {
    sim_step_report r;
    if (move) move(lab, sim_cloth_time(lab->cloth));
    st = sim_cloth_step(lab->cloth, dt_s, &r, &why);
    if (st != CB_OK) break;
    row->steps++;
    unsettled += !r.contacts_agree;
    look_at_bodies(lab, row);
    if (row->steps % CROSSINGS_EVERY != 0 && row->steps != steps) continue;
    const int crossings = sim_self_crossings(lab->self, (const sim_vec3 *)sim_cloth_position(lab->cloth));
    row->crossings = crossings > row->crossings ? crossings : row->crossings;
  }
  look_at_numbers(lab, row);
  row->seconds = cb_now_monotonic_s() - start;
  if (st == CB_E_NOMEM) return cb_fail(err, st, "%s", why.msg);
  const bool refused = st == CB_E_RANGE && row->steps == 0;
  if (st != CB_OK)
    (void)snprintf(row->outcome, sizeof row->outcome, "%s: %.300s", refused ? "refused" : "ended", why.msg);
  else
    (void)snprintf(row->outcome, sizeof row->outcome, "%.1f s went by, contacts disagreed in %d of %d step%s",
                   dt_s * steps, unsettled, steps, CB_S(steps));
  row->pass =
      (st == CB_OK || refused) && row->not_finite == 0 && row->crossings == 0 && row->penetration_m <= 0;
  return CB_OK;
}
