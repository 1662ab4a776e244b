/* The section `limited` of a scene: a cloth that steps as sim_cloth.h has it and then goes where its limits
 * of strain allow; a sheet that hangs, or a shirt on a mannequin. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "sim_hash.h"
#include "sim_limit.h"
#include "sim_mesh.h"
#include "sim_model.h"
#include "sim_sheet.h"
#include "sim_vec.h"

/* By which a sheet begins out of its plane, at random: a flat one would never find its folds. */
#define ASIDE_M 1e-3

typedef enum method { METHOD_NONE = SIM_LIMIT_KINDS } method;
static const char *const method_names[] = {"principal", "warp-weft", "mapped", "none", NULL};

typedef struct limited_text {
  int method;
  double tolerance, friction, limit_N_per_m;
  cb_numlist warp, weft;
} limited_text;

typedef struct limited {
  sim_mesh mesh;
  bool *held;
  sim_shirt shirt;
  sim_cloth *cloth;
  const sim_body *body; /* where they are when a step begins, and how they move in it */
  int n_bodies;
  sim_limit *limit; /* NULL: none */
  sim_limit_setup setup;
  sim_limit_report last;
} limited;

#define NUMBER(name, member, low, high, to_si)                                                        \
  {                                                                                                   \
    .key = name, .kind = CB_Y_NUM, .offset = offsetof(limited_text, member), .min = low, .max = high, \
    .scale = to_si                                                                                    \
  }

static const cb_yfield fields[] = {
    {"method", CB_Y_ENUM, offsetof(limited_text, method), .required = true, .choices = method_names},
    {"warp_ratio", CB_Y_NUMLIST, offsetof(limited_text, warp), .min = 0, .max = 1e3},
    {"weft_ratio", CB_Y_NUMLIST, offsetof(limited_text, weft), .min = 0, .max = 1e3},
    NUMBER("tolerance", tolerance, 1e-7, 0.01, 1),
    NUMBER("limit_N_per_m", limit_N_per_m, 1e-3, 1e9, 1),
    NUMBER("friction", friction, 0, 10, 1),
};

/* ---- making ---- */

static bool is_shirt(const sim_scene *s) { return s->sheet[0].shape == SIM_SCENE_SHIRT; }

static void put_aside(const sim_scene_sheet *sheet, limited *s) {
  double(*x)[3] = sim_cloth_position(s->cloth), normal[3] = {0, 0, 1};
  cb_rng rng;
  cb_rng_init(&rng, 1, 0);
  sim_turn(normal, sheet->turned_rad, 1);
  for (int i = 0; i < s->mesh.n_vertices; i++)
    if (!s->held[i]) sim_add(x[i], ASIDE_M * (2 * cb_rng_uniform(&rng) - 1), normal);
}

static cb_status make_cloth(const limited_text *t, sim_told *told, limited *s, cb_err *err) {
  const bool shirt = is_shirt(told->scene);
  sim_cloth_setup setup = sim_cloth_setup_default(&s->mesh, &told->scene->material);
  setup.gripped = s->held;
  s->body = shirt ? &s->shirt.body : told->body;
  s->n_bodies = shirt ? 1 : told->scene->n_bodies;
  s->shirt.body.friction = (sim_friction){.mu_kinetic = t->friction, .mu_static = t->friction};
  setup.bodies = s->body;
  setup.n_bodies = s->n_bodies;
  memcpy(setup.gravity_m_per_s2, told->scene->gravity_m_per_s2, sizeof setup.gravity_m_per_s2);
  CB_TRY(sim_cloth_new(&setup, &s->cloth, err));
  if (!shirt) put_aside(&told->scene->sheet[0], s);
  return CB_OK;
}

static cb_status read_range(cb_ynode at, const char *key, const cb_numlist *list, sim_limit_range *out,
                            cb_err *err) {
  if (list->n == 0) return CB_OK;
  if (list->n != 2)
    return cb_yaml_fail(at, err, CB_E_RANGE, "%s has %zu numbers: 2 were wanted, the least and the greatest",
                        key, list->n);
  *out = (sim_limit_range){list->v[0], list->v[1]};
  return CB_OK;
}

/* Numbers of the file go before the law that a database has of the cloth. */
static cb_status set_ranges(const limited_text *t, cb_ynode at, const sim_scene *scene, limited *s,
                            cb_err *err) {
  const cb_stretch_law *law = scene->stretch_law;
  const bool given = t->warp.n > 0 && t->weft.n > 0;
  if (t->limit_N_per_m > 0 && law == NULL)
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "limit_N_per_m: a material whose law of stretch a database has was wanted");
  if (law != NULL && !given)
    CB_TRY(sim_limit_of_law(law, t->limit_N_per_m > 0 ? t->limit_N_per_m : INFINITY, s->setup.range, err));
  CB_TRY(read_range(at, "warp_ratio", &t->warp, &s->setup.range[0], err));
  return read_range(at, "weft_ratio", &t->weft, &s->setup.range[1], err);
}

static cb_status make_limit(const limited_text *t, cb_ynode at, const sim_scene *scene, limited *s,
                            cb_err *err) {
  s->setup = sim_limit_setup_default(&s->mesh, sim_cloth_mass(s->cloth));
  s->setup.held = s->held;
  s->setup.kind = (sim_limit_kind)(t->method % SIM_LIMIT_KINDS);
  s->setup.tolerance = t->tolerance;
  CB_TRY(set_ranges(t, at, scene, s, err));
  if (t->method == METHOD_NONE) {
    s->setup.range[0] = s->setup.range[1] = (sim_limit_range){0, INFINITY};
    return CB_OK;
  }
  return sim_limit_new(&s->setup, &s->limit, err);
}

static void release(void *state) {
  limited *s = state;
  sim_limit_free(s->limit);
  sim_cloth_free(s->cloth);
  sim_shirt_clear(&s->shirt);
  sim_mesh_clear(&s->mesh);
  free(s->held);
}

static cb_status make_parts(const limited_text *t, cb_ynode at, sim_told *told, limited *s, cb_err *err) {
  const sim_scene *scene = told->scene;
  if (is_shirt(scene))
    CB_TRY(sim_shirt_make(scene->sheet[0].vertices, &s->shirt, &s->mesh, err));
  else
    CB_TRY(sim_sheet_make(&scene->sheet[0], 0, &s->mesh, err));
  CB_TRY(sim_sheet_held(scene, &s->mesh, &s->held, err));
  CB_TRY(make_cloth(t, told, s, err));
  return make_limit(t, at, scene, s, err);
}

static void hash_range(uint64_t *h, const sim_limit_range *r) {
  sim_hash_doubles(h, (const double[]){r->low, r->high}, 2);
}

static cb_status make(cb_ynode at, sim_told *told, void *state, cb_err *err) {
  limited_text t = {.tolerance = 5e-4, .friction = 0.3};
  const sim_scene_sheet *sheet = &told->scene->sheet[0];
  CB_TRY(sim_section_bind(at, SIM_SCENE_FIELDS(fields), &t, told, err));
  if (is_shirt(told->scene) && told->scene->n_bodies > 0)
    return cb_yaml_fail(at, err, CB_E_RANGE, "a shirt brings its mannequin: no bodies were wanted");
  if (is_shirt(told->scene) && sheet->vertices < 100)
    return cb_yaml_fail(at, err, CB_E_RANGE, "sheet: a shirt needs vertices, 100 or more");
  limited *s = state;
  CB_TRY(make_parts(&t, at, told, s, err));
  for (int k = 0; k < 2; k++) hash_range(&told->hash, &s->setup.range[k]);
  return CB_OK;
}

/* ---- playing ---- */

static cb_status step(void *state, double dt_s, sim_step_report *report, cb_err *err) {
  limited *s = state;
  for (int b = 0; b < s->n_bodies; b++) sim_cloth_bodies(s->cloth)[b] = s->body[b];
  return s->limit ? sim_limit_step(s->limit, s->cloth, s->n_bodies, dt_s, report, &s->last, err)
                  : sim_cloth_step(s->cloth, dt_s, report, err);
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

/* Angle between the normals of two triangles. */
static double fold(const sim_mesh *m, const sim_edge *e, const double (*x)[3]) {
  double n[2][3], a[3], b[3], across[3];
  for (int k = 0; k < 2; k++) {
    const int *c = m->triangle[e->triangle[k]];
    sim_sub(x[c[1]], x[c[0]], a);
    sim_sub(x[c[2]], x[c[0]], b);
    sim_cross(a, b, n[k]);
  }
  sim_cross(n[0], n[1], across);
  return atan2(sim_norm(across), sim_dot(n[0], n[1]));
}

/* Sum of the angles at edges times their lengths, over the area: of a cylinder, its curvature [1/m]. */
static double wrinkles(const sim_mesh *m, const double (*x)[3]) {
  double sum = 0, area_m2 = 0, d[3];
  for (int t = 0; t < m->n_triangles; t++) area_m2 += m->area_m2[t];
  for (int e = 0; e < m->n_edges; e++) {
    if (m->edge[e].triangle[1] < 0) continue;
    sim_sub(x[m->edge[e].vertex[1]], x[m->edge[e].vertex[0]], d);
    sum += sim_norm(d) * fold(m, &m->edge[e], x);
  }
  return sum / area_m2;
}

static const char *const *columns(const void *state) {
  static const char *const all[] = {
      "warp_least",     "warp_most", "weft_least",      "weft_most", "any_least",
      "any_most",       "excess",    "outside",         "rounds",    "linear_systems",
      "wrinkles_per_m", "lowest_m",  "fastest_m_per_s", "sunk_m",    NULL};
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
  sim_limit_look look;
  sim_limit_see(&s->setup, x, &look);
  for (int i = 0; i < s->mesh.n_vertices; i++) {
    lowest = fmin(lowest, x[i][2]);
    fastest = fmax(fastest, sim_norm(sim_cloth_velocity(s->cloth)[i]));
  }
  const double all[] = {look.warp[0],          look.warp[1], look.weft[0], look.weft[1],   look.any[0],
                        look.any[1],           look.excess,  look.outside, s->last.rounds, s->last.systems,
                        wrinkles(&s->mesh, x), lowest,       fastest,      sunk_m(s, x)};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) value[k] = all[k];
}

static cb_status archive(void *state, cb_archive *a, cb_err *err) {
  limited *s = state;
  CB_TRY(sim_cloth_archive(s->cloth, a, err));
  if (s->limit != NULL) sim_limit_archive(s->limit, a);
  sim_limit_report_archive(&s->last, a);
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
