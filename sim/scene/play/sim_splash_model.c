/* The section `splash` of a scene: a liquid and cloths. docs/method/fluid.md has the keys. */
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "sim_liquid_skin.h"
#include "sim_body.h"
#include "sim_mesh.h"
#include "sim_model.h"
#include "sim_hash.h"
#include "sim_sheet.h"
#include "sim_splash.h"
#include "sim_vec.h"

#define CLOTHS 4

typedef struct pool {
  sim_mesh mesh;
  bool *held;
  double (*start)[3];
  sim_fluid *fluid;
  sim_wet_cloth *sheet;
  sim_splash *splash;
  double time_s, tear_s;
  sim_splash_report last;
  long guarded, stuck, torn, seeped; /* since the start */
  sim_surface ball;                  /* a small octahedron per particle ... */
  double (*speed)[3];                /* ... and the velocities of its corners */
  sim_liquid_skin skin;              /* of the liquid, for pictures */
} pool;

/* ---- the file ---- */

typedef struct splash_text {
  sim_fluid_setup fluid;
  sim_wet_cloth_setup sheet;
  double gap_m, tear_s;
  cb_numlist lo, hi;
  cb_ynode liquid;
} splash_text;

typedef struct liquid_text {
  cb_numlist lo, hi, centre, velocity;
  double radius_m;
} liquid_text;

#define NUMBER(type, name, member, low, high, to_si) \
  { .key = name, .kind = CB_Y_NUM, .offset = offsetof(type, member), .min = low, .max = high, .scale = to_si }
#define COUNT(type, name, member, low, high) \
  { .key = name, .kind = CB_Y_INT, .offset = offsetof(type, member), .min = low, .max = high }
#define TRIPLE(type, name, member) \
  { .key = name, .kind = CB_Y_NUMLIST, .offset = offsetof(type, member), .min = -1e9, .max = 1e9 }
#define PART(type, name, member) \
  { .key = name, .kind = CB_Y_NODE, .offset = offsetof(type, member), .required = true }

static const cb_yfield splash_fields[] = {
    NUMBER(splash_text, "spacing_mm", fluid.spacing_m, 0.1, 1e3, 1e-3),
    NUMBER(splash_text, "density_kg_per_m3", fluid.density_kg_per_m3, 1, 1e5, 1),
    NUMBER(splash_text, "viscosity_mm2_per_s", fluid.viscosity_m2_per_s, 0, 1e9, 1e-6),
    COUNT(splash_text, "iterations", fluid.pressure_iterations, 1, 1000),
    TRIPLE(splash_text, "box_from_mm", lo),
    TRIPLE(splash_text, "box_to_mm", hi),
    NUMBER(splash_text, "contact_N_per_m", sheet.guest_N_per_m, 1e-3, 1e9, 1),
    NUMBER(splash_text, "tear_strain", sheet.tear_strain, 0, 100, 1),
    NUMBER(splash_text, "tear_s", tear_s, 0, 1e6, 1),
    COUNT(splash_text, "small_steps", sheet.substeps, 1, 1000),
    NUMBER(splash_text, "gap_mm", gap_m, 0, 1e3, 1e-3),
    PART(splash_text, "liquid", liquid),
};

static const cb_yfield liquid_fields[] = {
    TRIPLE(liquid_text, "from_mm", lo),
    TRIPLE(liquid_text, "to_mm", hi),
    TRIPLE(liquid_text, "centre_mm", centre),
    NUMBER(liquid_text, "radius_mm", radius_m, 0, 1e5, 1e-3),
    TRIPLE(liquid_text, "velocity_m_per_s", velocity),
};

static cb_status millimetres(cb_ynode at, const char *key, const cb_numlist *list, double out[3],
                             cb_err *err) {
  CB_TRY(sim_scene_triple(at, key, list, out, err));
  if (list->n > 0)
    for (int k = 0; k < 3; k++) out[k] *= 1e-3;
  return CB_OK;
}

/* ---- cloths ---- */

/* Of one sheet: what is held of it as it lies without slack, and where it begins. */
static void start_sheet(const sim_scene *s, int k, const sim_mesh *mesh, int *by, int *count,
                        double (*start)[3]) {
  const int n = mesh->n_vertices;
  sim_scene_sheet taut = s->sheet[k];
  taut.slack = 0;
  memcpy(start, mesh->position_m, (size_t)n * sizeof *start);
  for (int i = 0; i < n; i++) sim_sheet_place(&taut, start[i]);
  sim_sheet_hold(s, k, (const sim_vec3 *)start, n, by, count);
  memcpy(start, mesh->position_m, (size_t)n * sizeof *start);
  for (int i = 0; i < n; i++) sim_sheet_place(&s->sheet[k], start[i]);
}

/* Their meshes, as they were made, lie one behind the other in p->mesh. */
static cb_status start_sheets(const sim_scene *s, const sim_mesh *mesh, pool *p, cb_err *err) {
  const size_t n = (size_t)p->mesh.n_vertices;
  int count[SIM_SCENE_HELD] = {0}, *by = malloc(n * sizeof *by);
  p->held = calloc(n, sizeof *p->held);
  p->start = calloc(n, sizeof *p->start);
  cb_status st = by && p->held && p->start ? CB_OK : cb_no_memory(err, "cloth of %zu vertices", n);
  for (size_t i = 0; st == CB_OK && i < n; i++) by[i] = -1;
  for (int k = 0, at = 0; st == CB_OK && k < s->n_sheets; at += mesh[k++].n_vertices)
    start_sheet(s, k, &mesh[k], by + at, count, p->start + at);
  for (size_t i = 0; st == CB_OK && i < n; i++) p->held[i] = by[i] >= 0;
  if (st == CB_OK) st = sim_sheet_check_held(s, count, err);
  free(by);
  return st;
}

static cb_status make_cloths(const sim_scene *s, pool *p, cb_err *err) {
  sim_mesh mesh[CLOTHS] = {0};
  cb_status st = CB_OK;
  for (int k = 0; k < s->n_sheets && st == CB_OK; k++) st = sim_sheet_make_flat(&s->sheet[k], &mesh[k], err);
  if (st == CB_OK) st = sim_mesh_join(mesh, s->n_sheets, &p->mesh, err);
  if (st == CB_OK) st = start_sheets(s, mesh, p, err);
  for (int k = 0; k < s->n_sheets; k++) sim_mesh_clear(&mesh[k]);
  return st;
}

/* One stiffness for all directions: of a cloth that has several, the mean of warp and weft. */
static void set_material(const sim_scene *s, sim_wet_cloth_setup *out) {
  const sim_material *m = &s->material;
  out->areal_density_kg_per_m2 = m->areal_density_kg_per_m2;
  out->stretch_N_per_m = (sim_curve_slope(&m->warp) + sim_curve_slope(&m->weft)) / 2;
  out->bend_Nm = (m->bending_Nm[0][0] + m->bending_Nm[1][1]) / 2;
  out->damping_s = m->damping_s;
  out->drag_per_s = m->drag_per_s;
  out->thickness_m = m->thickness_m;
}

/* ---- the liquid ---- */

/* Places of a cubic lattice: those of a block, or those of a ball that is not 0. count alone where f is
 * NULL. */
static cb_status pour(const liquid_text *l, const double lo[3], const double hi[3], const double v[3],
                      double d, sim_fluid *f, int *count, cb_err *err) {
  int cells[3];
  for (int k = 0; k < 3; k++) cells[k] = (int)fmin((hi[k] - lo[k]) / d + 1e-6, 1e4);
  for (int z = 0; z < cells[2]; z++)
    for (int y = 0; y < cells[1]; y++)
      for (int x = 0; x < cells[0]; x++) {
        const double at[1][3] = {{lo[0] + (x + 0.5) * d, lo[1] + (y + 0.5) * d, lo[2] + (z + 0.5) * d}};
        double off[3], speed[1][3] = {{v[0], v[1], v[2]}};
        for (int k = 0; k < 3; k++) off[k] = at[0][k] - (lo[k] + hi[k]) / 2;
        if (l->radius_m > 0 && sim_norm(off) > l->radius_m) continue;
        ++*count;
        if (f) CB_TRY(sim_fluid_add(f, at, (const sim_vec3 *)speed, 1, err));
      }
  return CB_OK;
}

static cb_status pour_all(cb_ynode list, sim_told *told, double d, sim_fluid *f, int *count, cb_err *err) {
  if (!cb_yaml_is_list(list)) return cb_yaml_fail(list, err, CB_E_RANGE, "liquid: a list was wanted");
  for (size_t i = 0; i < cb_yaml_count(list); i++) {
    const cb_ynode at = cb_yaml_item(list, i);
    liquid_text l = {0};
    double lo[3] = {0}, hi[3] = {0}, centre[3] = {0}, v[3] = {0};
    CB_TRY(sim_section_bind(at, SIM_SCENE_FIELDS(liquid_fields), &l, told, err));
    CB_TRY(millimetres(at, "from_mm", &l.lo, lo, err));
    CB_TRY(millimetres(at, "to_mm", &l.hi, hi, err));
    CB_TRY(millimetres(at, "centre_mm", &l.centre, centre, err));
    CB_TRY(sim_scene_triple(at, "velocity_m_per_s", &l.velocity, v, err));
    for (int k = 0; k < 3 && l.radius_m > 0; k++)
      lo[k] = centre[k] - l.radius_m, hi[k] = centre[k] + l.radius_m;
    CB_TRY(pour(&l, lo, hi, v, d, f, count, err));
  }
  return CB_OK;
}

/* ---- the model ---- */

static void release(void *state) {
  pool *p = state;
  sim_splash_free(p->splash);
  sim_wet_cloth_free(p->sheet);
  sim_fluid_free(p->fluid);
  sim_mesh_clear(&p->mesh);
  free(p->held);
  free(p->start);
  sim_surface_clear(&p->ball);
  free(p->speed);
  sim_liquid_skin_clear(&p->skin);
}

#define AIR_PA_S 1.81e-5 /* at 20 degC */

static double velocity_at(const cb_permeability_law *law, double pressure_Pa) {
  const cb_permeability_layer one = {law, 1};
  cb_permeability_value value;
  cb_permeability_at_pressure(&one, 1, pressure_Pa, &value);
  return value.velocity_m_per_s;
}

/* Darcy: what goes through is inversely as the viscosity. The material's number, else the law a database has
 * of it, both at SIM_SCENE_PERMEABILITY_PA; else nothing goes through. */
static cb_status set_seepage(cb_ynode at, const splash_text *t, sim_told *told, pool *p, cb_err *err) {
  const sim_scene *s = told->scene;
  const double liquid_Pa_s = t->fluid.density_kg_per_m3 * t->fluid.viscosity_m2_per_s;
  double air_m_per_s = s->permeability_m_per_s;
  if (air_m_per_s < 0 && s->permeability_law == NULL && s->cloth[0])
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "splash: the law of permeability of '%s' is not known: permeability_mm_per_s was "
                        "wanted in `material` (0: nothing passes)",
                        s->cloth);
  if (air_m_per_s < 0 && s->permeability_law != NULL)
    air_m_per_s = velocity_at(s->permeability_law, SIM_SCENE_PERMEABILITY_PA);
  sim_hash_doubles(&told->hash, &air_m_per_s, 1);
  if (!(air_m_per_s > 0)) return CB_OK;
  if (!(liquid_Pa_s > 0))
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "cloth that liquid goes through, and a liquid without viscosity: viscosity_mm2_per_s "
                        "above 0 was wanted");
  return sim_splash_seep(p->splash, air_m_per_s / SIM_SCENE_PERMEABILITY_PA * AIR_PA_S / liquid_Pa_s, err);
}

static cb_status fill(splash_text *t, cb_ynode at, sim_told *told, pool *p, cb_err *err) {
  int n = 0, again = 0;
  CB_TRY(millimetres(at, "box_from_mm", &t->lo, t->fluid.box_lo_m, err));
  CB_TRY(millimetres(at, "box_to_mm", &t->hi, t->fluid.box_hi_m, err));
  CB_TRY(make_cloths(told->scene, p, err));
  set_material(told->scene, &t->sheet);
  CB_TRY(pour_all(t->liquid, told, t->fluid.spacing_m, NULL, &n, err));
  t->fluid.capacity = n;
  t->sheet.mesh = &p->mesh;
  t->sheet.held = p->held;
  p->tear_s = t->tear_s;
  memcpy(t->fluid.gravity_m_per_s2, told->scene->gravity_m_per_s2, sizeof t->fluid.gravity_m_per_s2);
  memcpy(t->sheet.gravity_m_per_s2, told->scene->gravity_m_per_s2, sizeof t->sheet.gravity_m_per_s2);
  CB_TRY(sim_fluid_new(&t->fluid, &p->fluid, err));
  CB_TRY(sim_wet_cloth_new(&t->sheet, &p->sheet, err));
  memcpy(sim_wet_cloth_position(p->sheet), p->start, (size_t)p->mesh.n_vertices * sizeof *p->start);
  const cb_status st = sim_wet_cloth_check_start(p->sheet, err);
  if (st != CB_OK) return cb_fail_in(err, st, "%s", told->scene->name);
  CB_TRY(sim_splash_new(p->fluid, p->sheet, t->gap_m, &p->splash, err));
  CB_TRY(set_seepage(at, t, told, p, err));
  CB_TRY(pour_all(t->liquid, told, t->fluid.spacing_m, p->fluid, &again, err));
  CB_TRY(sim_balls_init(n, &p->ball, err));
  p->speed = calloc((size_t)p->ball.n_vertices + 1, sizeof *p->speed);
  return p->speed ? CB_OK : cb_no_memory(err, "%s", told->scene->name);
}

static cb_status make(cb_ynode at, sim_told *told, void *state, cb_err *err) {
  splash_text t = {.fluid = sim_fluid_setup_default(0.01, 1), .sheet = sim_wet_cloth_setup_default(NULL)};
  CB_TRY(sim_section_bind(at, SIM_SCENE_FIELDS(splash_fields), &t, told, err));
  if (told->scene->n_bodies > 0)
    return cb_yaml_fail(at, err, CB_E_RANGE, "splash: meets no bodies but its box: none were wanted");
  return fill(&t, at, told, state, err);
}

/* Mean compressions from which a step is taken in two parts, and in four. The error of a step in an impact is
 * of second order in its length. */
#define IN_TWO 1e-3
#define IN_FOUR 4e-3

/* By the last step's mean compression, which a checkpoint has. */
static int parts_of(double compression) { return compression > IN_FOUR ? 4 : compression > IN_TWO ? 2 : 1; }

/* Compressions of the step are those of its worst part. */
static cb_status part_step(pool *p, double dt_s, sim_splash_report *all, cb_err *err) {
  CB_TRY(sim_splash_step(p->splash, dt_s, &p->last, err));
  p->time_s += dt_s;
  p->guarded += p->last.guarded;
  p->stuck += p->last.stuck;
  p->seeped += p->last.seeped;
  all->given_Ns[2] += p->last.given_Ns[2];
  all->fluid.compression_mean = fmax(all->fluid.compression_mean, p->last.fluid.compression_mean);
  all->fluid.compression_p99 = fmax(all->fluid.compression_p99, p->last.fluid.compression_p99);
  return CB_OK;
}

static cb_status step(void *state, double dt_s, sim_step_report *report, cb_err *err) {
  pool *p = state;
  (void)report;
  const int parts = parts_of(p->last.fluid.compression_mean);
  sim_splash_report all = {0};
  for (int k = 0; k < parts; k++) CB_TRY(part_step(p, dt_s / parts, &all, err));
  p->last.given_Ns[2] = all.given_Ns[2];
  p->last.fluid.compression_mean = all.fluid.compression_mean;
  p->last.fluid.compression_p99 = all.fluid.compression_p99;
  if (p->time_s < p->tear_s) return CB_OK;
  int torn = 0;
  CB_TRY(sim_wet_cloth_tear(p->sheet, &torn, err));
  p->torn += torn;
  return CB_OK;
}

#define BALL 0.55 /* of the spacing: radius of what is seen of a particle */

static int surfaces(void *state, sim_drawn *out) {
  pool *p = state;
  const sim_mesh *m = sim_wet_cloth_mesh(p->sheet);
  const int n = sim_fluid_count(p->fluid);
  sim_balls_place(&p->ball, (const sim_vec3 *)sim_fluid_position(p->fluid),
                  BALL * sim_fluid_setup_of(p->fluid)->spacing_m);
  for (int i = 0; i < SIM_BALL_CORNERS * n; i++)
    memcpy(p->speed[i], sim_fluid_velocity(p->fluid)[i / SIM_BALL_CORNERS], sizeof *p->speed);
  out[0] = (sim_drawn){.n_vertices = m->n_vertices,
                       .n_triangles = m->n_triangles,
                       .position_m = (const sim_vec3 *)sim_wet_cloth_position(p->sheet),
                       .velocity_m_per_s = (const sim_vec3 *)sim_wet_cloth_velocity(p->sheet),
                       .triangle = (const int(*)[3])m->triangle,
                       .face = {0.62F, 0.25F, 0.11F},
                       .back = {0.50F, 0.40F, 0.12F}};
  out[1] = (sim_drawn){.n_vertices = SIM_BALL_CORNERS * n,
                       .n_triangles = SIM_BALL_FACES * n,
                       .position_m = (const sim_vec3 *)p->ball.position_m,
                       .velocity_m_per_s = (const sim_vec3 *)p->speed,
                       .number = sim_fluid_number(p->fluid),
                       .per_number = SIM_BALL_CORNERS,
                       .triangle = (const int(*)[3])p->ball.triangle,
                       .face = {0.05F, 0.22F, 0.55F},
                       .back = {0.05F, 0.22F, 0.55F}};
  return 2;
}

#define LEVEL 0.5  /* of the density: the skin has the volume of the particles */
#define BEHIND 0.6 /* of the spacing: the skin reaches through a cloth on which the liquid lies */

/* The liquid by its surface. Particles that fly alone have none. */
static cb_status shown(void *state, sim_drawn *out, int *n, cb_err *err) {
  pool *p = state;
  *n = surfaces(state, out);
  CB_TRY(sim_liquid_skin_find((const sim_vec3 *)sim_fluid_position(p->fluid), sim_fluid_count(p->fluid),
                              sim_fluid_setup_of(p->fluid)->spacing_m, LEVEL, &p->skin, err));
  out[1].n_vertices = (int)p->skin.n_vertices;
  out[1].n_triangles = (int)p->skin.n_triangles;
  out[1].position_m = (const sim_vec3 *)p->skin.position_m;
  out[1].triangle = (const int(*)[3])p->skin.triangle;
  out[1].velocity_m_per_s = NULL;
  out[1].behind_m = (float)(BEHIND * sim_fluid_setup_of(p->fluid)->spacing_m);
  out[1].number = NULL;
  return CB_OK;
}

static const char *const *columns(const void *state) {
  static const char *const all[] = {"particles",  "touching",    "guarded",           "stuck",
                                    "torn",       "compression", "speed_max_m_per_s", "strain_max",
                                    "given_z_Ns", "seeped",      "compression_p99",   "energy_J",
                                    NULL};
  (void)state;
  return all;
}

static void values(void *state, double *value) {
  const pool *p = state;
  const double all[] = {sim_fluid_count(p->fluid),
                        p->last.touching,
                        (double)p->guarded,
                        (double)p->stuck,
                        (double)p->torn,
                        p->last.fluid.compression_mean,
                        p->last.fluid.speed_max_m_per_s,
                        p->last.sheet.strain_max,
                        p->last.given_Ns[2],
                        (double)p->seeped,
                        p->last.fluid.compression_p99,
                        p->last.energy_J};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) value[k] = all[k];
}

static void archive_last(pool *p, cb_archive *a) {
  double *const number[] = {&p->time_s,
                            &p->last.fluid.compression_mean,
                            &p->last.fluid.speed_max_m_per_s,
                            &p->last.sheet.strain_max,
                            &p->last.given_Ns[2],
                            &p->last.fluid.compression_p99,
                            &p->last.energy_J};
  long *const since[] = {&p->guarded, &p->stuck, &p->torn, &p->seeped};
  for (size_t k = 0; k < sizeof number / sizeof *number; k++) cb_archive_f64(a, number[k], 1, INFINITY);
  for (size_t k = 0; k < sizeof since / sizeof *since; k++) cb_archive_long(a, since[k], 1);
  cb_archive_int(a, &p->last.touching, 1, 0, INT_MAX);
}

static cb_status archive(void *state, cb_archive *a, cb_err *err) {
  pool *p = state;
  sim_fluid_archive(p->fluid, a);
  if (a->wrong == NULL) CB_TRY(sim_wet_cloth_archive(p->sheet, a, err));
  sim_splash_archive(p->splash, a);
  archive_last(p, a);
  return CB_OK;
}

const sim_model sim_splash_model = {
    .takes =
        {.name = "splash",
         .shapes = 1U << SIM_SCENE_RECTANGLE | 1U << SIM_SCENE_BALL,
         .parts = SIM_SCENE_FLAT_PARTS | 1U << SIM_SCENE_TOP | 1U << SIM_SCENE_BOX,
         .sheets_least = 1,
         .sheets_most = CLOTHS,
         .slack = true,
         .needs = {.areal_density = true, .thickness = true, .warp = true, .weft = true, .bending = true}},
    .state_bytes = sizeof(pool),
    .make = make,
    .release = release,
    .step = step,
    .surfaces = surfaces,
    .shown = shown,
    .columns = columns,
    .values = values,
    .archive = archive};
