/* The section `remeshed` of a scene: a disc or a rectangle of cloth that is remeshed as it moves, held on a
 * round table or let fall on bodies. */
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "sim_mesh.h"
#include "sim_model.h"
#include "sim_remesh.h"
#include "sim_scene_limits.h"
#include "sim_sheet.h"
#include "sim_vec.h"

typedef struct text {
  int waves, every;
  double wave_m, locking;
  bool meets_itself;
  sim_remesh_rules rules;
  cb_ynode limited;
} text;

#define NUMBER(name, member, low, high, to_si) \
  { .key = name, .kind = CB_Y_NUM, .offset = offsetof(text, member), .min = low, .max = high, .scale = to_si }

static const cb_yfield fields[] = {
    {"waves", CB_Y_INT, offsetof(text, waves), .min = 1, .max = 40},
    NUMBER("wave_mm", wave_m, 0, 1e3, 1e-3),
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
    {"limited", CB_Y_NODE, offsetof(text, limited)},
};
static const cb_yfield limit_fields[] = {SIM_LIMITS_FIELDS(0)};

typedef struct scene_cloth {
  text text;
  const sim_told *told;
  sim_remesh *remesh;
  sim_scene_limits limits;         /* without `limited` there is none, and its setup is not used */
  int steps, remeshings, contacts; /* contacts: after the last step */
} scene_cloth;

static void release(void *state) {
  scene_cloth *s = state;
  sim_scene_limits_clear(&s->limits);
  sim_remesh_free(s->remesh);
}

/* Of the table that the sheet's middle lies on; 0: none. */
static double table_m(const sim_scene *s) {
  return s->n_held > 0 && s->held[0].part == SIM_SCENE_MIDDLE ? s->held[0].within_m : 0;
}

static bool hangs(const sim_scene *s) { return s->n_held > 0 && table_m(s) == 0; }

/* Waves that grow from the table's edge on. */
static void lay_waves(const text *t, const sim_scene *s, const sim_mesh *m, double (*x)[3]) {
  const sim_scene_sheet *sheet = &s->sheet[0];
  const double table = table_m(s);
  for (int i = 0; i < m->n_vertices && t->wave_m > 0; i++) {
    const double p[2] = {x[i][0] - sheet->at_m[0], x[i][1] - sheet->at_m[1]},
                 out = (hypot(p[0], p[1]) - table) / (sheet->radius_m - table);
    if (out > 0) x[i][2] += t->wave_m * out * out * cos(t->waves * atan2(p[1], p[0]));
  }
}

static cb_status make_remesh(scene_cloth *s, const sim_mesh *mesh, const bool *held, cb_err *err) {
  const text *t = &s->text;
  const sim_scene *scene = s->told->scene;
  sim_cloth_setup setup = sim_cloth_setup_default(mesh, &scene->material);
  setup.gripped = held;
  setup.bodies = s->told->body;
  setup.n_bodies = scene->n_bodies;
  setup.self_collision = t->meets_itself;
  setup.self_friction = (sim_friction){.mu_kinetic = 0.3, .mu_static = 0.3};
  for (int k = 0; k < 3; k++) setup.gravity_m_per_s2[k] = scene->gravity_m_per_s2[k];
  sim_remesh_rules rules = t->rules;
  rules.soft_m = sim_remesh_soft_m(&scene->material, t->locking);
  CB_TRY(sim_remesh_new(&setup, &rules, &s->remesh, err));
  double(*x)[3] = sim_cloth_position(sim_remesh_cloth(s->remesh));
  lay_waves(t, scene, mesh, x);
  if (hangs(scene)) sim_sheet_put_aside(&scene->sheet[0], held, mesh->n_vertices, x);
  return CB_OK;
}

/* A table's edge is one of triangles, too. */
static cb_status make_sheet(scene_cloth *s, cb_err *err) {
  const sim_scene *scene = s->told->scene;
  sim_mesh mesh = {0};
  bool *held = NULL;
  cb_status st;
  CB_GOTO(sim_sheet_make(&scene->sheet[0], table_m(scene), &mesh, err));
  CB_GOTO(sim_sheet_held(scene, &mesh, &held, err));
  CB_GOTO(make_remesh(s, &mesh, held, err));
done:
  free(held);
  sim_mesh_clear(&mesh);
  return st;
}

static cb_status check_table(cb_ynode at, const text *t, const sim_scene *s, cb_err *err) {
  const sim_scene_sheet *sheet = &s->sheet[0];
  if (s->n_held > 1 && !(hangs(s) && s->held[1].part != SIM_SCENE_MIDDLE))
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "held: %d: a 'remeshed' scene holds its sheet's middle alone, or its rim", s->n_held);
  if ((table_m(s) > 0 || t->wave_m > 0) && sheet->shape != SIM_SCENE_DISC)
    return cb_yaml_fail(at, err, CB_E_RANGE, "held, wave_mm: a table under a %s: a disc was wanted",
                        sim_scene_sheet_names[sheet->shape]);
  if (sheet->shape == SIM_SCENE_DISC && table_m(s) >= sheet->radius_m)
    return cb_yaml_fail(at, err, CB_E_RANGE, "held: within_mm: less than the sheet's radius_mm was wanted");
  return CB_OK;
}

/* In the section's `limited`, if there is one. */
static cb_status make_limits(scene_cloth *s, sim_told *told, cb_err *err) {
  const cb_ynode at = s->text.limited;
  sim_limits_text t = SIM_LIMITS_DEFAULT;
  if (at.doc == NULL) return CB_OK;
  CB_TRY(sim_section_bind(at, SIM_SCENE_FIELDS(limit_fields), &t, told, err));
  CB_TRY(sim_scene_limits_make(&t, at, told, sim_remesh_cloth(s->remesh), sim_remesh_of(s->remesh)->gripped,
                               &s->limits, err));
  sim_remesh_keep_to(s->remesh, sim_limit_fits, &s->limits.setup);
  return CB_OK;
}

static cb_status make(cb_ynode at, sim_told *told, void *state, cb_err *err) {
  text t = {.waves = 7, .every = 10, .locking = 0.15, .rules = sim_remesh_rules_default(0.002, 0.03)};
  CB_TRY(sim_section_bind(at, SIM_SCENE_FIELDS(fields), &t, told, err));
  CB_TRY(check_table(at, &t, told->scene, err));
  if (sim_remesh_rules_check(&t.rules, err) != CB_OK)
    return cb_fail_in(err, CB_E_RANGE, "%s", told->scene->name);
  scene_cloth *s = state;
  s->text = t;
  s->told = told;
  CB_TRY(make_sheet(s, err));
  return make_limits(s, told, err);
}

/* The player moves the bodies: the cloth is told where they are. */
static sim_cloth *tell_bodies(const scene_cloth *s) {
  sim_cloth *c = sim_remesh_cloth(s->remesh);
  for (int b = 0; b < s->told->scene->n_bodies; b++) sim_cloth_bodies(c)[b] = s->told->body[b];
  return c;
}

/* A new mesh begins within its limits: sim_remesh_keep_to. */
static cb_status remesh_now(scene_cloth *s, cb_err *err) {
  sim_remesh_report r;
  CB_TRY(sim_remesh_now(s->remesh, &r, err));
  s->remeshings += !r.kept;
  return r.kept ? CB_OK
                : sim_scene_limits_go_on(&s->limits, sim_remesh_cloth(s->remesh),
                                         sim_remesh_of(s->remesh)->gripped, err);
}

static cb_status step(void *state, double dt_s, sim_step_report *report, cb_err *err) {
  scene_cloth *s = state;
  if (s->steps++ % s->text.every == 0) CB_TRY(remesh_now(s, err));
  CB_TRY(sim_scene_limits_step(&s->limits, tell_bodies(s), s->told->scene->n_bodies, dt_s, report, err));
  s->contacts = report->contacts;
  return CB_OK;
}

static int surfaces(void *state, sim_drawn *out) {
  scene_cloth *s = state;
  const sim_mesh *m = &sim_remesh_of(s->remesh)->mesh;
  *out = (sim_drawn){.n_vertices = m->n_vertices,
                     .n_triangles = m->n_triangles,
                     .position_m = (const sim_vec3 *)sim_cloth_position(sim_remesh_cloth(s->remesh)),
                     .velocity_m_per_s = (const sim_vec3 *)sim_cloth_velocity(sim_remesh_cloth(s->remesh)),
                     .flat = m,
                     .triangle = (const int(*)[3])m->triangle,
                     .face = {0.30F, 0.42F, 0.55F},
                     .back = {0.60F, 0.36F, 0.20F},
                     .edges = true};
  return 1;
}

#define COLUMNS                                                                                     \
  "vertices", "triangles", "shortest_edge_mm", "remeshings", "kinetic_J", "stretch_J", "bending_J", \
      "gravity_J", "lowest_m", "contacts"
#define OF_ALL 10

static const char *const *columns(const void *state) {
  static const char *const all[] = {COLUMNS, NULL};
  static const char *const limited[] = {COLUMNS, SIM_LIMITS_COLUMNS, NULL};
  const scene_cloth *s = state;
  return s->text.limited.doc != NULL ? limited : all;
}

static double shortest_m(const sim_mesh *m) {
  double shortest = INFINITY, d[3];
  for (int i = 0; i < m->n_edges; i++) {
    sim_sub(m->position_m[m->edge[i].vertex[1]], m->position_m[m->edge[i].vertex[0]], d);
    shortest = fmin(shortest, sim_norm(d));
  }
  return shortest;
}

static void values(void *state, double *value) {
  scene_cloth *s = state;
  sim_cloth *c = sim_remesh_cloth(s->remesh);
  const sim_mesh *m = &sim_remesh_of(s->remesh)->mesh;
  double lowest = INFINITY;
  sim_cloth_energies e;
  sim_cloth_energy(c, &e);
  for (int i = 0; i < m->n_vertices; i++) lowest = fmin(lowest, sim_cloth_position(c)[i][2]);
  const double all[OF_ALL] = {m->n_vertices, m->n_triangles, 1e3 * shortest_m(m), s->remeshings, e.kinetic,
                              e.stretch,     e.bending,      e.gravity,           lowest,        s->contacts};
  memcpy(value, all, sizeof all);
  if (s->text.limited.doc != NULL) sim_scene_limits_look(&s->limits, sim_cloth_position(c), value + OF_ALL);
}

/* The limit is of the mesh that was read. */
static cb_status archive_limits(scene_cloth *s, cb_archive *a, cb_err *err) {
  if (s->text.limited.doc == NULL || a->wrong != NULL) return CB_OK;
  if (cb_archive_reads(a))
    CB_TRY(sim_scene_limits_go_on(&s->limits, sim_remesh_cloth(s->remesh), sim_remesh_of(s->remesh)->gripped,
                                  err));
  sim_scene_limits_archive(&s->limits, a);
  return CB_OK;
}

static cb_status archive(void *state, cb_archive *a, cb_err *err) {
  scene_cloth *s = state;
  cb_archive_int(a, &s->steps, 1, 0, INT_MAX);
  cb_archive_int(a, &s->remeshings, 1, 0, INT_MAX);
  cb_archive_int(a, &s->contacts, 1, 0, INT_MAX);
  if (a->wrong == NULL) CB_TRY(sim_remesh_archive(s->remesh, a, err));
  return archive_limits(s, a, err);
}

const sim_model sim_remesh_model = {.takes = {.name = "remeshed",
                                              .shapes = 1U << SIM_SCENE_RECTANGLE | 1U << SIM_SCENE_DISC,
                                              .parts = SIM_SCENE_FLAT_PARTS,
                                              .sheets_least = 1,
                                              .sheets_most = 1,
                                              .needs = {true, true, true, true, true, true, false}},
                                    .state_bytes = sizeof(scene_cloth),
                                    .make = make,
                                    .release = release,
                                    .step = step,
                                    .surfaces = surfaces,
                                    .columns = columns,
                                    .values = values,
                                    .archive = archive};
