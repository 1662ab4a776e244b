/* The section `limited` of a scene: a cloth that steps as sim_cloth.h has it and then goes where its limits
 * of strain allow; a sheet that hangs, or a shirt on a mannequin. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sim_mesh.h"
#include "sim_scene_limits.h"
#include "sim_sheet.h"
#include "sim_vec.h"

#define SHIRT_LEAST 400 /* vertices; a coarser one does not fit around the body */

typedef struct limited_text {
  sim_limits_text limits;
  double friction, self_friction;
  bool self_collision;
} limited_text;

typedef struct limited {
  sim_mesh mesh;
  bool *held;
  sim_shirt shirt;
  sim_cloth *cloth;
  const sim_body *body; /* where they are when a step begins, and how they move in it */
  int n_bodies;
  sim_scene_limits limits;
} limited;

static const cb_yfield fields[] = {
    SIM_LIMITS_FIELDS(offsetof(limited_text, limits)),
    {"friction", CB_Y_NUM, offsetof(limited_text, friction), .min = 0, .max = 10},
    {"self_collision", CB_Y_BOOL, offsetof(limited_text, self_collision)},
    {"self_friction", CB_Y_NUM, offsetof(limited_text, self_friction), .min = 0, .max = 10},
};

/* ---- making ---- */

static bool is_shirt(const sim_scene *s) { return s->sheet[0].shape == SIM_SCENE_SHIRT; }

static sim_friction coulomb(double mu) { return (sim_friction){.mu_kinetic = mu, .mu_static = mu}; }

static cb_status make_cloth(const limited_text *t, sim_told *told, limited *s, cb_err *err) {
  const bool shirt = is_shirt(told->scene);
  sim_cloth_setup setup = sim_cloth_setup_default(&s->mesh, &told->scene->material);
  setup.gripped = s->held;
  s->body = shirt ? &s->shirt.body : told->body;
  s->n_bodies = shirt ? 1 : told->scene->n_bodies;
  setup.self_collision = t->self_collision;
  setup.self_friction = coulomb(t->self_friction);
  setup.bodies = s->body;
  setup.n_bodies = s->n_bodies;
  memcpy(setup.gravity_m_per_s2, told->scene->gravity_m_per_s2, sizeof setup.gravity_m_per_s2);
  CB_TRY(sim_cloth_new(&setup, &s->cloth, err));
  if (!shirt)
    sim_sheet_put_aside(&told->scene->sheet[0], s->held, s->mesh.n_vertices, sim_cloth_position(s->cloth));
  const cb_status st = sim_start_check(s->cloth, err);
  return st == CB_OK ? st : cb_fail_in(err, st, "%s", told->scene->name);
}

static void release(void *state) {
  limited *s = state;
  sim_scene_limits_clear(&s->limits);
  sim_cloth_free(s->cloth);
  sim_shirt_clear(&s->shirt);
  sim_mesh_clear(&s->mesh);
  free(s->held);
}

static cb_status make_shirt(const limited_text *t, const sim_scene *scene, limited *s, cb_err *err) {
  sim_shirt_setup setup = {.about_vertices = scene->sheet[0].vertices,
                           .material = &scene->material,
                           .friction = coulomb(t->friction),
                           .self_collision = t->self_collision};
  memcpy(setup.shift_m, scene->sheet[0].at_m, sizeof setup.shift_m);
  return sim_shirt_make(&setup, &s->shirt, &s->mesh, err);
}

static cb_status make_parts(const limited_text *t, cb_ynode at, sim_told *told, limited *s, cb_err *err) {
  const sim_scene *scene = told->scene;
  if (is_shirt(scene))
    CB_TRY(make_shirt(t, scene, s, err));
  else
    CB_TRY(sim_sheet_make(&scene->sheet[0], 0, &s->mesh, err));
  CB_TRY(sim_sheet_held(scene, &s->mesh, &s->held, err));
  CB_TRY(make_cloth(t, told, s, err));
  return sim_scene_limits_make(&t->limits, at, told, s->cloth, s->held, &s->limits, err);
}

static cb_status make(cb_ynode at, sim_told *told, void *state, cb_err *err) {
  limited_text t = {.limits = SIM_LIMITS_DEFAULT, .friction = 0.3};
  const sim_scene_sheet *sheet = &told->scene->sheet[0];
  CB_TRY(sim_section_bind(at, SIM_SCENE_FIELDS(fields), &t, told, err));
  if (is_shirt(told->scene) && told->scene->n_bodies > 0)
    return cb_yaml_fail(at, err, CB_E_RANGE, "a shirt brings its mannequin: no bodies were wanted");
  if (is_shirt(told->scene) && sheet->vertices < SHIRT_LEAST)
    return cb_yaml_fail(at, err, CB_E_RANGE, "sheet: a shirt needs vertices, %d or more", SHIRT_LEAST);
  limited *s = state;
  return make_parts(&t, at, told, s, err);
}

/* ---- playing ---- */

static cb_status step(void *state, double dt_s, sim_step_report *report, cb_err *err) {
  limited *s = state;
  for (int b = 0; b < s->n_bodies; b++) sim_cloth_bodies(s->cloth)[b] = s->body[b];
  return sim_scene_limits_step(&s->limits, s->cloth, s->n_bodies, dt_s, report, err);
}

static int surfaces(void *state, sim_drawn *out) {
  limited *s = state;
  out[0] = (sim_drawn){.n_vertices = s->mesh.n_vertices,
                       .n_triangles = s->mesh.n_triangles,
                       .position_m = (const sim_vec3 *)sim_cloth_position(s->cloth),
                       .velocity_m_per_s = (const sim_vec3 *)sim_cloth_velocity(s->cloth),
                       .triangle = (const int(*)[3])s->mesh.triangle,
                       .face = {0.075F, 0.20F, 0.43F},
                       .back = {0.62F, 0.25F, 0.11F}};
  if (s->shirt.skin == NULL) return 1;
  out[1] = (sim_drawn){.face = {0.55F, 0.42F, 0.33F}, .back = {0.55F, 0.42F, 0.33F}};
  out[1].n_vertices = sim_solid_vertices(s->shirt.skin, &out[1].position_m);
  out[1].n_triangles = sim_solid_triangles(s->shirt.skin, &out[1].triangle);
  return 2;
}

static const char *const *columns(const void *state) {
  static const char *const all[] = {SIM_LIMITS_COLUMNS, "lowest_m", "fastest_m_per_s", "sunk_m", "crossings",
                                    "wrinkle_depth_m",  NULL};
  (void)state;
  return all;
}

/* How deep the deepest vertex is in the mannequin. */
static double sunk_m(const limited *s, const double (*x)[3]) {
  double deepest = 0, normal[3];
  for (int i = 0; s->shirt.solid && i < s->mesh.n_vertices; i++)
    deepest = fmin(deepest, sim_solid_distance(s->shirt.solid, x[i], normal));
  return -deepest;
}

static void values(void *state, double *value) {
  limited *s = state;
  const double(*x)[3] = (const sim_vec3 *)sim_cloth_position(s->cloth);
  double lowest = INFINITY, fastest = 0;
  for (int i = 0; i < s->mesh.n_vertices; i++) {
    lowest = fmin(lowest, x[i][2]);
    fastest = fmax(fastest, sim_norm(sim_cloth_velocity(s->cloth)[i]));
  }
  const double all[] = {lowest, fastest, sunk_m(s, x), sim_cloth_crossings(s->cloth),
                        sim_wrinkle_depth_m(&s->mesh, x)};
  sim_scene_limits_look(&s->limits, sim_cloth_position(s->cloth), value);
  memcpy(value + SIM_LIMITS_N_COLUMNS, all, sizeof all);
}

static cb_status archive(void *state, cb_archive *a, cb_err *err) {
  limited *s = state;
  CB_TRY(sim_cloth_archive(s->cloth, a, err));
  sim_scene_limits_archive(&s->limits, a);
  return CB_OK;
}

const sim_model sim_limit_model = {
    .takes = {.name = "limited",
              .shapes = 1U << SIM_SCENE_RECTANGLE | 1U << SIM_SCENE_DISC | 1U << SIM_SCENE_SHIRT,
              .parts = SIM_SCENE_FLAT_PARTS | 1U << SIM_SCENE_BOX,
              .sheets_least = 1,
              .sheets_most = 1,
              .needs = {true, true, true, true, true, true, false}},
    .state_bytes = sizeof(limited),
    .make = make,
    .release = release,
    .step = step,
    .surfaces = surfaces,
    .columns = columns,
    .values = values,
    .archive = archive};
