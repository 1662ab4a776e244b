#include "val_bounce.h"

#include <math.h>

#include "cb_num.h"
#include "cb_time.h"
#include "sim_mesh.h"
#include "sim_layered.h"
#include "val_layers.h"

#define BLOCK_KG_PER_M3 800.0
#define HALF_M 0.08 /* of the pillow, upwards */
#define LOW_M \
  0.035 /* how far its core, a stiff plate, lies below its middle: the block does not come to it */

val_bounce val_bounce_default(void) {
  return (val_bounce){.speed_m_per_s = 1, .dt_s = 5e-4, .duration_s = 0.15};
}

typedef struct scene {
  sim_mesh mesh;
  sim_tets core, block;
  sim_material material;
  sim_body ground;
  sim_layered_body body[2];
  sim_layered_setup setup;
  sim_layered *layered;
} scene;

static void clear_scene(scene *s) {
  sim_layered_free(s->layered);
  sim_mesh_clear(&s->mesh);
  sim_tets_clear(&s->core);
  sim_tets_clear(&s->block);
}

static cb_status make_bodies(const val_bounce *e, scene *s, cb_err *err) {
  const sim_cushion core = {{0.08, 0.08, 0.015}, {2, 2}, {8, 8, 2}};
  CB_TRY(sim_tets_cushion(&core, &s->core, err));
  for (int k = 0; k < 2; k++) s->body[k] = sim_layered_body_default(&s->mesh);
  double bottom = HALF_M + 1.2 * s->body[0].offset.thickness_m;
  const sim_block block = {{-0.04, -0.04, bottom}, {0.04, 0.04, bottom + 0.04}, {4, 4, 2}};
  CB_TRY(sim_tets_block(&block, &s->block, err));
  for (int i = 0; i < s->core.n_vertices; i++) s->core.position_m[i][2] -= LOW_M;
  val_layers_skin(&s->body[0], &s->core);
  s->body[0].has_air = true;
  s->body[0].air.kappa_m_per_s = e->kappa_m_per_s;
  s->body[0].air.flow_m_per_s = 100;
  s->body[1].elastic.tets = &s->block;
  s->body[1].elastic.density_kg_per_m3 = BLOCK_KG_PER_M3;
  s->body[1].elastic.young_Pa = 1e6;
  s->body[1].elastic.damping_s = 2e-3;
  return CB_OK;
}

static cb_status make_scene(const val_bounce *e, scene *s, cb_err *err) {
  const sim_case cover = {{0.13, 0.13, HALF_M}, {2, 2}, {18, 18}};
  *s = (scene){.material = sim_material_isotropic(0.25, 500, 1e-5)};
  s->material.damping_s = 1e-3;
  s->ground = (sim_body){.shape = SIM_PLANE,
                         .origin_m = {0, 0, -HALF_M - 1e-4},
                         .axis = {0, 0, 1},
                         .friction = {.mu_kinetic = 0.5, .mu_static = 0.5}};
  CB_TRY(sim_mesh_case(&cover, &s->mesh, err));
  CB_TRY(make_bodies(e, s, err));
  s->setup = sim_layered_setup_default(&s->mesh, &s->material);
  s->setup.bodies = s->body;
  s->setup.n_bodies = 2;
  s->setup.cloth.bodies = &s->ground;
  s->setup.cloth.n_bodies = 1;
  CB_TRY(sim_layered_new(&s->setup, &s->layered, err));
  for (int i = 0; i < s->block.n_vertices; i++)
    sim_layered_body_velocity(s->layered, 1)[i][2] = -e->speed_m_per_s;
  return CB_OK;
}

/* The work that the air could still do while it stays as warm as it is. */
static double air_J(const scene *s, double *over_Pa) {
  const double *q = sim_air_amount_J(sim_layered_air(s->layered, 0)),
               *p = sim_air_pressure_Pa(sim_layered_air(s->layered, 0));
  double sum = 0, volume = 0, amount = 0, ambient = s->body[0].air.ambient_Pa;
  for (int i = 0; i < s->mesh.n_vertices; i++) {
    volume += q[i] / p[i];
    amount += q[i];
    sum += q[i] / p[i] * (p[i] * log(p[i] / ambient) - p[i] + ambient);
  }
  *over_Pa = amount / volume - ambient;
  return sum;
}

static double energy_J(scene *s, double *over_Pa) {
  sim_cloth_energies cloth;
  sim_cloth_energy(sim_layered_cloth(s->layered), &cloth);
  double sum = cloth.kinetic + cloth.stretch + cloth.bending + cloth.gravity + air_J(s, over_Pa);
  sim_elastic_energy block = sim_elastic_energy_of(sim_layered_elastic(s->layered, 1));
  return sum + block.kinetic + block.elastic + block.gravity;
}

static double block_speed(const scene *s) {
  double sum = 0, mass = 0;
  for (int i = 0; i < s->block.n_vertices; i++) {
    double m = sim_elastic_mass(sim_layered_elastic(s->layered, 1))[i];
    sum += m * sim_layered_body_velocity(s->layered, 1)[i][2];
    mass += m;
  }
  return sum / mass;
}

static cb_status play_scene(const val_bounce *e, scene *s, val_bounce_result *out, cb_err *err) {
  int steps = (int)lround(e->duration_s / e->dt_s);
  double over, fastest = 0,
               came = BLOCK_KG_PER_M3 * 0.08 * 0.08 * 0.04 * e->speed_m_per_s * e->speed_m_per_s / 2;
  double before = out->energy_J[0] = energy_J(s, &over);
  for (int k = 0; k < steps; k++) {
    sim_layered_report r;
    CB_TRY(sim_layered_step(s->layered, e->dt_s, &r, err));
    out->energy_J[1] = energy_J(s, &over);
    out->growth = fmax(out->growth, (out->energy_J[1] - before) / came);
    before = out->energy_J[1];
    out->peak_Pa = fmax(out->peak_Pa, over);
    fastest = fmax(fastest, block_speed(s));
  }
  out->height_m = fastest * fastest / (2 * CB_STANDARD_GRAVITY_M_PER_S2);
  return CB_OK;
}

cb_status val_bounce_run(const val_bounce *e, val_bounce_result *out, cb_err *err) {
  *out = (val_bounce_result){0};
  CB_TRY(cb_check_range(e->kappa_m_per_s, 0, 1e3, "bounce: permeability", "m/s", err));
  CB_TRY(cb_check_range(e->speed_m_per_s, 0, 10, "bounce: speed", "m/s", err));
  CB_TRY(cb_check_range(e->dt_s, 1e-6, 0.01, "bounce: step", "s", err));
  CB_TRY(cb_check_range(e->duration_s, e->dt_s, 10, "bounce: duration", "s", err));
  double begin_s = cb_now_monotonic_s();
  scene s;
  cb_status st = make_scene(e, &s, err);
  if (st == CB_OK) st = play_scene(e, &s, out, err);
  out->vertices = s.mesh.n_vertices;
  clear_scene(&s);
  out->seconds = cb_now_monotonic_s() - begin_s;
  return st;
}
