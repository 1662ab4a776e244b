/* The section `conditions` of a scene: a sheet of particles with nonlinear stiffness, in a wind if there is
 * one. */
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "cb_num.h"
#include "sim_conditions.h"
#include "sim_hash.h"
#include "sim_mesh.h"
#include "sim_model.h"
#include "sim_sheet.h"
#include "sim_vec.h"

typedef struct sheet {
  sim_mesh mesh;
  bool *held;
  sim_conditions_setup setup;
  sim_conditions *conditions;
  sim_conditions_report last;
} sheet;

typedef struct sheet_text {
  double wind_Ns_per_m3, lambda_N_per_m3, damping_Ns_per_m, bend_damping_Nms;
  int iterations;
  cb_numlist wind;
} sheet_text;

#define NUMBER(name, member, low, high, to_si)                                                      \
  {                                                                                                 \
    .key = name, .kind = CB_Y_NUM, .offset = offsetof(sheet_text, member), .min = low, .max = high, \
    .scale = to_si                                                                                  \
  }

static const cb_yfield fields[] = {
    NUMBER("stretch_lambda_N_per_m3", lambda_N_per_m3, 0, 1e15, 1),
    NUMBER("stretch_damping_Ns_per_m", damping_Ns_per_m, 0, 1e6, 1),
    NUMBER("bend_damping_uN_m_s", bend_damping_Nms, 0, 1e9, 1e-6),
    {"wind_m_per_s", CB_Y_NUMLIST, offsetof(sheet_text, wind), .min = -1e3, .max = 1e3},
    NUMBER("wind_Ns_per_m3", wind_Ns_per_m3, 0, 1e6, 1),
    {"iterations", CB_Y_INT, offsetof(sheet_text, iterations), .min = 1, .max = 1000},
};

static void release(void *state) {
  sheet *s = state;
  sim_conditions_free(s->conditions);
  sim_mesh_clear(&s->mesh);
  free(s->held);
}

/* ---- laws ---- */

/* Of a law of stretch both k and lambda; of a number k, and the section's lambda. */
static cb_status set_direction(const sheet_text *t, const sim_scene *s, const sim_mesh *mesh, int direction,
                               sim_conditions_law *out, cb_err *err) {
  const sim_curve *curve = direction == 0 ? &s->material.warp : &s->material.weft;
  const cb_stretch_direction *d = s->stretch_law ? cb_stretch_find(s->stretch_law, 90 * direction) : NULL;
  *out = (sim_conditions_law){.k = sim_curve_slope(curve), .lambda = t->lambda_N_per_m3};
  if (d != NULL) CB_TRY(sim_conditions_law_of(d, mesh, out, err));
  out->damping = t->damping_Ns_per_m;
  return CB_OK;
}

/* A cloth of one stiffness has the paper's law of stretch, for warp and weft together; another one for each.
 * k of bending is the rigidity: a cylinder about warp or weft bends the edges of square cells along its axis,
 * by an angle of cell over radius, and no others. */
static cb_status set_laws(const sheet_text *t, const sim_scene *s, sheet *p, cb_err *err) {
  const sim_material *m = &s->material;
  sim_conditions_law *law = p->setup.law;
  CB_TRY(set_direction(t, s, &p->mesh, 0, &law[SIM_CONDITIONS_WARP], err));
  CB_TRY(set_direction(t, s, &p->mesh, 1, &law[SIM_CONDITIONS_WEFT], err));
  if (s->isotropic) {
    law[SIM_CONDITIONS_STRETCH] = law[SIM_CONDITIONS_WARP];
    law[SIM_CONDITIONS_WARP] = law[SIM_CONDITIONS_WEFT] = (sim_conditions_law){0};
  }
  law[SIM_CONDITIONS_SHEAR].k = sim_curve_slope(&m->shear) / 2; /* S = 2 G E_uv */
  law[SIM_CONDITIONS_BEND] = (sim_conditions_law){.k = (m->bending_Nm[0][0] + m->bending_Nm[1][1]) / 2,
                                                  .damping = t->bend_damping_Nms};
  return CB_OK;
}

static void hash_laws(uint64_t *h, const sheet *s) {
  for (int k = 0; k < SIM_CONDITIONS_KINDS; k++)
    sim_hash_doubles(h, (const double[]){s->setup.law[k].k, s->setup.law[k].lambda, s->setup.law[k].damping},
                     3);
}

static cb_status make_sheet(const sheet_text *t, cb_ynode at, sim_told *told, sheet *s, cb_err *err) {
  const sim_scene *scene = told->scene;
  CB_TRY(sim_sheet_make(&scene->sheet[0], 0, &s->mesh, err));
  CB_TRY(sim_sheet_held(scene, &s->mesh, &s->held, err));
  s->setup = sim_conditions_setup_default(&s->mesh);
  s->setup.areal_density_kg_per_m2 = scene->material.areal_density_kg_per_m2;
  s->setup.held = s->held;
  s->setup.iterations = t->iterations;
  s->setup.wind_Ns_per_m3 = t->wind_Ns_per_m3;
  CB_TRY(set_laws(t, scene, s, err));
  hash_laws(&told->hash, s);
  CB_TRY(sim_scene_triple(at, "wind_m_per_s", &t->wind, s->setup.wind_m_per_s, err));
  for (int k = 0; k < 3; k++) s->setup.gravity_m_per_s2[k] = scene->gravity_m_per_s2[k];
  return sim_conditions_new(&s->setup, &s->conditions, err);
}

static cb_status make(cb_ynode at, sim_told *told, void *state, cb_err *err) {
  sheet_text t = {.iterations = 20};
  CB_TRY(sim_section_bind(at, SIM_SCENE_FIELDS(fields), &t, told, err));
  if (told->scene->n_bodies > 0)
    return cb_yaml_fail(at, err, CB_E_RANGE, "conditions meet no bodies: none were wanted");
  if (t.lambda_N_per_m3 > 0 && told->scene->stretch_law != NULL)
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "stretch_lambda_N_per_m3: the law of stretch of '%s' gives it: none was wanted",
                        told->scene->cloth);
  return make_sheet(&t, at, told, state, err);
}

static cb_status step(void *state, double dt_s, sim_step_report *report, cb_err *err) {
  sheet *s = state;
  (void)report;
  return sim_conditions_step(s->conditions, dt_s, &s->last, err);
}

static int surfaces(void *state, sim_drawn *out) {
  sheet *s = state;
  *out = (sim_drawn){.n_vertices = s->mesh.n_vertices,
                     .n_triangles = s->mesh.n_triangles,
                     .position_m = (const sim_vec3 *)sim_conditions_position(s->conditions),
                     .velocity_m_per_s = (const sim_vec3 *)sim_conditions_velocity(s->conditions),
                     .triangle = (const int(*)[3])s->mesh.triangle,
                     .face = {0.075F, 0.20F, 0.43F},
                     .back = {0.62F, 0.25F, 0.11F}};
  return 1;
}

static const char *const *columns(const void *state) {
  static const char *const all[] = {"kinetic_J", "elastic_J",      "lowest_m", "largest_strain",
                                    "shadowed",  "linearisations", NULL};
  (void)state;
  return all;
}

static double largest_strain(const sheet *s, const double (*x)[3]) {
  double most = 0;
  for (int e = 0; e < s->mesh.n_edges; e++) {
    const int *v = s->mesh.edge[e].vertex;
    double now[3], made[3];
    sim_sub(x[v[1]], x[v[0]], now);
    sim_sub(s->mesh.position_m[v[1]], s->mesh.position_m[v[0]], made);
    most = fmax(most, sim_norm(now) / sim_norm(made) - 1);
  }
  return most;
}

static void values(void *state, double *value) {
  sheet *s = state;
  const double(*x)[3] = (const sim_vec3 *)sim_conditions_position(s->conditions),
        (*v)[3] = (const sim_vec3 *)sim_conditions_velocity(s->conditions);
  double kinetic = 0, lowest = INFINITY;
  for (int i = 0; i < s->mesh.n_vertices; i++) {
    kinetic += sim_conditions_mass(s->conditions)[i] * sim_dot(v[i], v[i]) / 2;
    lowest = fmin(lowest, x[i][2]);
  }
  const double all[] = {kinetic,          sim_conditions_elastic(s->conditions, NULL),
                        lowest,           largest_strain(s, x),
                        s->last.shadowed, s->last.linearisations};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) value[k] = all[k];
}

static cb_status archive(void *state, cb_archive *a, cb_err *err) {
  sheet *s = state;
  (void)err;
  sim_conditions_archive(s->conditions, a);
  cb_archive_int(a, &s->last.shadowed, 1, 0, INT_MAX);
  cb_archive_int(a, &s->last.linearisations, 1, 0, INT_MAX);
  return CB_OK;
}

const sim_model sim_conditions_model = {
    .takes = {.name = "conditions",
              .shapes = 1U << SIM_SCENE_RECTANGLE,
              .parts = SIM_SCENE_FLAT_PARTS | 1U << SIM_SCENE_BOX,
              .sheets_least = 1,
              .sheets_most = 1,
              .needs = {.areal_density = true, .warp = true, .weft = true, .shear = true, .bending = true}},
    .state_bytes = sizeof(sheet),
    .make = make,
    .release = release,
    .step = step,
    .surfaces = surfaces,
    .columns = columns,
    .values = values,
    .archive = archive};
