/* The section `remeshed` of a scene: a disc or a square of cloth that is remeshed as it moves, held on a
 * round table or let fall on bodies.
 */
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "cb_num.h"
#include "sim_mesh.h"
#include "sim_model.h"
#include "sim_remesh.h"
#include "sim_scene_impl.h"
#include "sim_vec.h"

#define ON_EDGE 1e-9 /* of the table's radius */

typedef enum outline { OUTLINE_DISC, OUTLINE_SQUARE } outline;
static const char *const outline_names[] = {"disc", "square", NULL};

typedef struct text {
  int outline, waves, every;
  double size_m, height_m, table_m, wave_m, edge_m, locking;
  double areal_density_kg_per_m2, thickness_m, stretch_N_per_m, shear_N_per_m, bend_Nm, drag_per_s;
  bool meets_itself;
  sim_remesh_rules rules;
} text;

#define NUMBER(name, member, low, high, to_si) \
  { .key = name, .kind = CB_Y_NUM, .offset = offsetof(text, member), .min = low, .max = high, .scale = to_si }

static const cb_yfield fields[] = {
    {"outline", CB_Y_ENUM, offsetof(text, outline), .choices = outline_names},
    NUMBER("size_mm", size_m, 1, 1e5, 1e-3),
    NUMBER("height_mm", height_m, -1e5, 1e5, 1e-3),
    NUMBER("table_mm", table_m, 0, 1e5, 1e-3),
    {"waves", CB_Y_INT, offsetof(text, waves), .min = 1, .max = 40},
    NUMBER("wave_mm", wave_m, 0, 1e3, 1e-3),
    NUMBER("edge_mm", edge_m, 0.1, 1e4, 1e-3),
    NUMBER("areal_density_g_per_m2", areal_density_kg_per_m2, 0.1, 1e5, 1e-3),
    NUMBER("thickness_mm", thickness_m, 0, 100, 1e-3),
    NUMBER("stretch_N_per_m", stretch_N_per_m, 1e-3, 1e9, 1),
    NUMBER("shear_N_per_m", shear_N_per_m, 1e-3, 1e9, 1),
    NUMBER("bend_uN_m", bend_Nm, 0, 1e9, 1e-6),
    NUMBER("drag_per_s", drag_per_s, 0, 1e4, 1),
    {"meets_itself", CB_Y_BOOL, offsetof(text, meets_itself)},
    {"every_steps", CB_Y_INT, offsetof(text, every), .min = 1, .max = 1000000},
    NUMBER("edge_min_mm", rules.edge_min_m, 0.01, 1e4, 1e-3),
    NUMBER("edge_max_mm", rules.edge_max_m, 0.01, 1e5, 1e-3),
    NUMBER("aspect", rules.aspect, 1, 100, 1),
    NUMBER("turn_deg", rules.turn_rad, 0, 170, CB_DEG),
    NUMBER("locking", locking, 0, 100, 1),
    NUMBER("change_m_per_s", rules.change_m_per_s, 0, 1e3, 1),
    NUMBER("compression", rules.compression, 0, 0.99, 1),
    NUMBER("near_mm", rules.near_m, 0, 1e4, 1e-3),
    NUMBER("near_edge_mm", rules.near_edge_m, 0.01, 1e5, 1e-3),
};

typedef struct scene_cloth {
  text text;
  const sim_told *told;
  sim_material material;
  sim_remesh *remesh;
  int steps, remeshings, contacts; /* contacts: after the last step */
} scene_cloth;

static void release(void *state) {
  scene_cloth *s = state;
  sim_remesh_free(s->remesh);
}

/* Its middle above the origin. A table's edge is one of triangles, too. */
static cb_status make_mesh(const text *t, sim_mesh *out, cb_err *err) {
  const double up[3] = {0, 0, t->height_m}, aside[3] = {-t->size_m / 2, -t->size_m / 2, t->height_m},
               none[3] = {0, 0, 0};
  const sim_rectangle square = {.length_m = t->size_m,
                                .width_m = t->size_m,
                                .pattern = SIM_PATTERN_IRREGULAR,
                                .edge_m = t->edge_m,
                                .seed = 1};
  sim_disc disc = {.n_circles = 2,
                   .circle = {{0, t->edge_m}, {t->size_m / 2, t->edge_m}},
                   .pattern = SIM_PATTERN_IRREGULAR,
                   .seed = 1};
  if (t->table_m > 0) {
    disc.n_circles = 3;
    disc.circle[2] = disc.circle[1];
    disc.circle[1] = (sim_circle){t->table_m / 2, t->edge_m};
  }
  CB_TRY(t->outline == OUTLINE_DISC ? sim_mesh_disc(&disc, out, err) : sim_mesh_rectangle(&square, out, err));
  sim_mesh_place(out, none, t->outline == OUTLINE_DISC ? up : aside);
  return CB_OK;
}

/* Waves that grow from the table's edge on. */
static void lay(const text *t, const sim_mesh *m, double (*x)[3]) {
  for (int i = 0; i < m->n_vertices; i++) {
    const double out = (hypot(x[i][0], x[i][1]) - t->table_m / 2) / ((t->size_m - t->table_m) / 2);
    if (out > 0) x[i][2] += t->wave_m * out * out * cos(t->waves * atan2(x[i][1], x[i][0]));
  }
}

static cb_status fill(scene_cloth *s, const sim_mesh *mesh, const bool *held, cb_err *err) {
  const text *t = &s->text;
  s->material = sim_material_isotropic(t->areal_density_kg_per_m2, t->stretch_N_per_m, t->bend_Nm);
  s->material.shear = sim_curve_linear(t->shear_N_per_m);
  s->material.thickness_m = t->thickness_m;
  s->material.drag_per_s = t->drag_per_s;
  sim_cloth_setup setup = sim_cloth_setup_default(mesh, &s->material);
  setup.gripped = held;
  setup.bodies = s->told->body;
  setup.n_bodies = s->told->scene->n_bodies;
  setup.self_collision = t->meets_itself;
  setup.self_friction = (sim_friction){.mu_kinetic = 0.3, .mu_static = 0.3};
  for (int k = 0; k < 3; k++) setup.gravity_m_per_s2[k] = s->told->scene->gravity_m_per_s2[k];
  sim_remesh_rules rules = t->rules;
  rules.soft_m = sim_remesh_soft_m(&s->material, t->locking);
  CB_TRY(sim_remesh_new(&setup, &rules, &s->remesh, err));
  lay(t, mesh, sim_cloth_position(sim_remesh_cloth(s->remesh)));
  return CB_OK;
}

static cb_status build(scene_cloth *s, cb_err *err) {
  sim_mesh mesh = {0};
  bool *held = NULL;
  cb_status st;
  CB_GOTO(make_mesh(&s->text, &mesh, err));
  held = calloc((size_t)mesh.n_vertices, sizeof *held);
  if (held == NULL) CB_GOTO(cb_no_memory(err, "%s", s->told->scene->name));
  for (int i = 0; i < mesh.n_vertices && s->text.table_m > 0; i++)
    held[i] = hypot(mesh.position_m[i][0], mesh.position_m[i][1]) <= s->text.table_m / 2 * (1 + ON_EDGE);
  CB_GOTO(fill(s, &mesh, held, err));
done:
  free(held);
  sim_mesh_clear(&mesh);
  return st;
}

static cb_status make(cb_ynode at, sim_told *told, void *state, cb_err *err) {
  text t = {.size_m = 0.3,
            .waves = 7,
            .every = 10,
            .edge_m = 0.012,
            .locking = 0.15,
            .areal_density_kg_per_m2 = 0.15,
            .thickness_m = 0.0005,
            .stretch_N_per_m = 500,
            .shear_N_per_m = 40,
            .bend_Nm = 1e-5,
            .drag_per_s = 1,
            .rules = sim_remesh_rules_default(0.002, 0.03)};
  CB_TRY(sim_section_bind(at, SIM_SCENE_FIELDS(fields), &t, told, err));
  if (t.table_m > 0 && t.outline == OUTLINE_SQUARE)
    return cb_yaml_fail(at, err, CB_E_RANGE, "a table under a square: a disc was wanted");
  if (t.table_m >= t.size_m)
    return cb_yaml_fail(at, err, CB_E_RANGE, "table_mm: less than size_mm was wanted");
  if (sim_remesh_rules_check(&t.rules, err) != CB_OK)
    return cb_fail_in(err, CB_E_RANGE, "%s", told->scene->name);
  scene_cloth *s = state;
  s->text = t;
  s->told = told;
  return build(s, err);
}

/* The player moves the bodies: the cloth is told where they are. */
static cb_status step(void *state, double dt_s, sim_step_report *report, cb_err *err) {
  scene_cloth *s = state;
  if (s->steps++ % s->text.every == 0) {
    sim_remesh_report r;
    CB_TRY(sim_remesh_now(s->remesh, &r, err));
    s->remeshings += !r.kept;
  }
  sim_cloth *c = sim_remesh_cloth(s->remesh);
  for (int b = 0; b < s->told->scene->n_bodies; b++) sim_cloth_bodies(c)[b] = s->told->body[b];
  CB_TRY(sim_cloth_step(c, dt_s, report, err));
  s->contacts = report->contacts;
  return CB_OK;
}

static int surfaces(void *state, sim_drawn *out) {
  scene_cloth *s = state;
  const sim_mesh *m = &sim_remesh_of(s->remesh)->mesh;
  *out = (sim_drawn){.n_vertices = m->n_vertices,
                     .n_triangles = m->n_triangles,
                     .position_m = (const double(*)[3])sim_cloth_position(sim_remesh_cloth(s->remesh)),
                     .velocity_m_per_s = (const double(*)[3])sim_cloth_velocity(sim_remesh_cloth(s->remesh)),
                     .flat = m,
                     .triangle = (const int(*)[3])m->triangle,
                     .face = {0.30F, 0.42F, 0.55F},
                     .back = {0.60F, 0.36F, 0.20F},
                     .edges = true};
  return 1;
}

static const char *const *columns(const void *state) {
  static const char *const all[] = {"vertices",  "triangles", "shortest_edge_mm", "remeshings", "kinetic_J",
                                    "stretch_J", "bending_J", "gravity_J",        "lowest_m",   "contacts",
                                    NULL};
  (void)state;
  return all;
}

static void values(void *state, double *value) {
  scene_cloth *s = state;
  sim_cloth *c = sim_remesh_cloth(s->remesh);
  const sim_mesh *m = &sim_remesh_of(s->remesh)->mesh;
  double lowest = INFINITY, shortest = INFINITY;
  sim_cloth_energies e;
  sim_cloth_energy(c, &e);
  for (int i = 0; i < m->n_vertices; i++) lowest = fmin(lowest, sim_cloth_position(c)[i][2]);
  for (int i = 0; i < m->n_edges; i++) {
    double d[3];
    sim_sub(m->position_m[m->edge[i].vertex[1]], m->position_m[m->edge[i].vertex[0]], d);
    shortest = fmin(shortest, sim_norm(d));
  }
  const double all[] = {m->n_vertices, m->n_triangles, 1e3 * shortest, s->remeshings, e.kinetic,
                        e.stretch,     e.bending,      e.gravity,      lowest,        s->contacts};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) value[k] = all[k];
}

static cb_status archive(void *state, cb_archive *a, cb_err *err) {
  scene_cloth *s = state;
  cb_archive_int(a, &s->steps, 1, 0, INT_MAX);
  cb_archive_int(a, &s->remeshings, 1, 0, INT_MAX);
  cb_archive_int(a, &s->contacts, 1, 0, INT_MAX);
  return a->wrong == NULL ? sim_remesh_archive(s->remesh, a, err) : CB_OK;
}

const sim_model sim_remesh_model = {.name = "remeshed",
                                    .state_bytes = sizeof(scene_cloth),
                                    .make = make,
                                    .release = release,
                                    .step = step,
                                    .surfaces = surfaces,
                                    .columns = columns,
                                    .values = values,
                                    .archive = archive};
