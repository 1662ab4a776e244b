/* A T-shirt on its mannequin: the body, and how the sewn pattern comes to hang on it. */
#include <math.h>
#include <string.h>

#include "cb_num.h"
#include "sim_limit.h"
#include "sim_limit_pattern.h"
#include "sim_shape.h"

#define MEETS_M 0.002  /* from the skin, at least, where the cloth is stopped */
#define MANNEQUIN 4000 /* vertices */

/* Arms of the torso of 0.75 m, from the shoulders down and outwards. */
#define ARM_DOWN (25 * CB_DEG)
#define ARM_LENGTH_M 0.36
#define ARM_ROUND_M 0.047
#define SHOULDER_X_M 0.17
#define SHOULDER_Z_M 0.52

/* Dressing: a cloth that hardly stretches settles from where its panels were put. */
#define DRESS_N_PER_M 300
#define DRESS_DRAG_PER_S 20
#define DRESS_STEPS 80
#define DRESS_STEP_S 0.005
#define DRESS_TOLERANCE 0.01

/* The torso's own stumps point sideways. The arms stand in their place. */
static sim_shape_body make_mannequin(void) {
  sim_shape_body out = sim_shape_make(SIM_SHAPE_TORSO, 0);
  for (int side = 0; side < 2; side++) {
    const double sign = side == 0 ? 1 : -1, half_m = ARM_LENGTH_M / 2;
    out.part[out.n_parts - 1 - side] = (sim_shape_part){
        SIM_SHAPE_CAPSULE,
        {sign * (SHOULDER_X_M + half_m * cos(ARM_DOWN)), 0, SHOULDER_Z_M - half_m * sin(ARM_DOWN)},
        {0, sign * (CB_PI / 2 + ARM_DOWN), 0},
        {0, 0, half_m},
        ARM_ROUND_M};
  }
  return out;
}

static cb_status make_solid(const sim_shape_body *body, double offset_m, sim_solid **out, cb_err *err) {
  sim_shape_surface skin;
  CB_TRY(sim_shape_skin(body, offset_m, MANNEQUIN, &skin, err));
  cb_status st = sim_solid_new((const sim_vec3 *)skin.x_m, skin.n_vertices, (const int(*)[3])skin.triangle,
                               skin.n_triangles, out, err);
  sim_shape_surface_clear(&skin);
  return st;
}

/* How far from the skin vertices are stopped, so that no triangle cuts a bend as round as an arm: a diagonal
 * of a square goes below the arc above it by its own square over eight radii. */
static double meets_m(double edge_m) { return MEETS_M + 2 * edge_m * edge_m / (8 * ARM_ROUND_M); }

/* The positions in which the mesh was made become those in which it hangs. */
static cb_status dress(const sim_shirt *s, const sim_shirt_setup *setup, sim_mesh *mesh, cb_err *err) {
  const sim_material *m = setup->material;
  sim_material stiff = sim_material_isotropic(m->areal_density_kg_per_m2, DRESS_N_PER_M, 0);
  memcpy(stiff.bending_Nm, m->bending_Nm, sizeof stiff.bending_Nm);
  stiff.thickness_m = m->thickness_m;
  stiff.drag_per_s = DRESS_DRAG_PER_S;
  sim_cloth_setup cloth_setup = sim_cloth_setup_default(mesh, &stiff);
  cloth_setup.bodies = &s->body;
  cloth_setup.n_bodies = 1;
  cloth_setup.self_collision = setup->self_collision;
  cloth_setup.solve_tolerance = DRESS_TOLERANCE; /* a start, no prediction */
  cloth_setup.contact_iterations = 2;
  sim_cloth *cloth = NULL;
  CB_TRY(sim_cloth_new(&cloth_setup, &cloth, err));
  cb_status st = CB_OK;
  for (int k = 0; k < DRESS_STEPS && st == CB_OK; k++) st = sim_cloth_step(cloth, DRESS_STEP_S, NULL, err);
  if (st == CB_OK)
    memcpy(mesh->position_m, sim_cloth_position(cloth), (size_t)mesh->n_vertices * sizeof *mesh->position_m);
  sim_cloth_free(cloth);
  return st;
}

cb_status sim_shirt_make(const sim_shirt_setup *setup, sim_shirt *out, sim_mesh *mesh, cb_err *err) {
  const sim_shape_body mannequin = make_mannequin();
  const double edge_m = sqrt(sim_limit_pattern_area_m2() / setup->about_vertices);
  *out = (sim_shirt){.solid = NULL};
  CB_TRY(make_solid(&mannequin, 0, &out->skin, err));
  CB_TRY(make_solid(&mannequin, meets_m(edge_m), &out->solid, err));
  out->body =
      (sim_body){.shape = SIM_TRIANGLES, .axis = {0, 0, 1}, .solid = out->solid, .friction = setup->friction};
  CB_TRY(sim_limit_pattern(edge_m, mesh, err));
  for (int i = 0; i < mesh->n_vertices; i++)
    for (int k = 0; k < 3; k++) mesh->position_m[i][k] += setup->shift_m[k];
  return dress(out, setup, mesh, err);
}

void sim_shirt_clear(sim_shirt *s) {
  sim_solid_free(s->skin);
  sim_solid_free(s->solid);
  *s = (sim_shirt){0};
}
