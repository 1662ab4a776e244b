/* The section `conditions` of a scene: a sheet that hangs by its upper corners or by its whole upper edge, in
 * a wind if there is one. */
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "cb_num.h"
#include "sim_mesh.h"
#include "sim_model.h"
#include "sim_conditions.h"
#include "sim_scene_impl.h"
#include "sim_vec.h"

#define ON_EDGE 1e-9 /* of the sheet's height */

typedef struct sheet {
  sim_mesh mesh;
  bool *held;
  sim_conditions_setup setup;
  sim_conditions *conditions;
  sim_conditions_report last;
} sheet;

typedef enum hold { HOLD_CORNERS, HOLD_EDGE } hold;
static const char *const hold_names[] = {"corners", "edge", NULL};

typedef struct sheet_text {
  double width_m, height_m, areal_density_kg_per_m2, wind_Ns_per_m3;
  int cells, iterations, hold;
  sim_conditions_law stretch, shear, bend;
  cb_numlist wind;
} sheet_text;

#define NUMBER(name, member, low, high, to_si)                                                      \
  {                                                                                                 \
    .key = name, .kind = CB_Y_NUM, .offset = offsetof(sheet_text, member), .min = low, .max = high, \
    .scale = to_si                                                                                  \
  }

static const cb_yfield fields[] = {
    NUMBER("width_mm", width_m, 1, 1e5, 1e-3),
    NUMBER("height_mm", height_m, 1, 1e5, 1e-3),
    {"cells", CB_Y_INT, offsetof(sheet_text, cells), .min = 1, .max = 300},
    NUMBER("areal_density_g_per_m2", areal_density_kg_per_m2, 0.1, 1e5, 1e-3),
    NUMBER("stretch_N_per_m", stretch.k, 0, 1e9, 1),
    NUMBER("stretch_lambda_N_per_m3", stretch.lambda, 0, 1e15, 1),
    NUMBER("stretch_damping_Ns_per_m", stretch.damping, 0, 1e6, 1),
    NUMBER("shear_N_per_m", shear.k, 0, 1e9, 1),
    NUMBER("bend_uN_m", bend.k, 0, 1e9, 1e-6),
    NUMBER("bend_damping_uN_m_s", bend.damping, 0, 1e9, 1e-6),
    {"held", CB_Y_ENUM, offsetof(sheet_text, hold), .choices = hold_names},
    {"wind_m_per_s", CB_Y_NUMLIST, offsetof(sheet_text, wind), .min = -1e3, .max = 1e3},
    NUMBER("wind_Ns_per_m3", wind_Ns_per_m3, 0, 1e6, 1),
    {"iterations", CB_Y_INT, offsetof(sheet_text, iterations), .min = 1, .max = 1000},
};

/* In the plane y = 0, its upper edge at z = 0. */
static cb_status make_mesh(const sheet_text *t, sim_mesh *out, cb_err *err) {
  const sim_rectangle r = {.length_m = t->width_m,
                           .width_m = t->height_m,
                           .pattern = SIM_PATTERN_ALTERNATING,
                           .cells_across = t->cells};
  const double upright[3] = {CB_PI / 2, 0, 0}, moved[3] = {-t->width_m / 2, 0, -t->height_m};
  CB_TRY(sim_mesh_rectangle(&r, out, err));
  sim_mesh_place(out, upright, moved);
  return CB_OK;
}

static void hold_upper(const sheet_text *t, sheet *s) {
  const double near = ON_EDGE * t->height_m;
  for (int i = 0; i < s->mesh.n_vertices; i++) {
    const double *x = s->mesh.position_m[i];
    const bool corner = fabs(x[0]) > t->width_m / 2 - near;
    s->held[i] = x[2] > -near && (t->hold == HOLD_EDGE || corner);
  }
}

static void release(void *state) {
  sheet *s = state;
  sim_conditions_free(s->conditions);
  sim_mesh_clear(&s->mesh);
  free(s->held);
}

static cb_status fill(const sheet_text *t, cb_ynode at, sim_told *told, sheet *s, cb_err *err) {
  CB_TRY(make_mesh(t, &s->mesh, err));
  s->held = calloc((size_t)s->mesh.n_vertices, sizeof *s->held);
  if (s->held == NULL) return cb_no_memory(err, "%s", told->scene->name);
  hold_upper(t, s);
  s->setup = sim_conditions_setup_default(&s->mesh);
  s->setup.areal_density_kg_per_m2 = t->areal_density_kg_per_m2;
  s->setup.law[SIM_CONDITIONS_STRETCH] = t->stretch;
  s->setup.law[SIM_CONDITIONS_SHEAR] = t->shear;
  s->setup.law[SIM_CONDITIONS_BEND] = t->bend;
  s->setup.held = s->held;
  s->setup.iterations = t->iterations;
  s->setup.wind_Ns_per_m3 = t->wind_Ns_per_m3;
  CB_TRY(sim_scene_triple(at, "wind_m_per_s", &t->wind, s->setup.wind_m_per_s, err));
  for (int k = 0; k < 3; k++) s->setup.gravity_m_per_s2[k] = told->scene->gravity_m_per_s2[k];
  return sim_conditions_new(&s->setup, &s->conditions, err);
}

static cb_status make(cb_ynode at, sim_told *told, void *state, cb_err *err) {
  sheet_text t = {.width_m = 0.6,
                  .height_m = 0.8,
                  .areal_density_kg_per_m2 = 0.15,
                  .cells = 20,
                  .iterations = 20,
                  .stretch = {20, 0, 0.02},
                  .shear = {5, 0, 0},
                  .bend = {1e-5, 0, 1e-6}};
  CB_TRY(sim_section_bind(at, SIM_SCENE_FIELDS(fields), &t, told, err));
  if (told->scene->n_bodies > 0)
    return cb_yaml_fail(at, err, CB_E_RANGE, "conditions meet no bodies: none were wanted");
  return fill(&t, at, told, state, err);
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
                     .position_m = (const double(*)[3])sim_conditions_position(s->conditions),
                     .velocity_m_per_s = (const double(*)[3])sim_conditions_velocity(s->conditions),
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
  const double(*x)[3] = (const double(*)[3])sim_conditions_position(s->conditions),
        (*v)[3] = (const double(*)[3])sim_conditions_velocity(s->conditions);
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

const sim_model sim_conditions_model = {.name = "conditions",
                                        .state_bytes = sizeof(sheet),
                                        .make = make,
                                        .release = release,
                                        .step = step,
                                        .surfaces = surfaces,
                                        .columns = columns,
                                        .values = values,
                                        .archive = archive};
