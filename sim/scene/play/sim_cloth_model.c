/* The models `cloth` and `layers`: the measured cloth among bodies, and with air and elastic bodies under
   it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_clothing.h"
#include "sim_hash.h"
#include "sim_mesh.h"
#include "sim_vec.h"
#include "sim_write_files.h"
#include "sim_picture_draw.h"
#include "sim_scene_impl.h"

/* ---- making ---- */

static void name_columns(sim_clothing *p) {
  static const char *const own[] = {"kinetic_J",      "stretch_J", "bending_J",       "gravity_J",
                                    "friction_J",     "damping_J", "supports_J",      "mean_x_m",
                                    "mean_y_m",       "mean_z_m",  "mean_vx_m_per_s", "mean_vy_m_per_s",
                                    "mean_vz_m_per_s"};
  int n = 0;
  for (size_t k = 0; k < sizeof own / sizeof *own; k++)
    memcpy(p->column_name[n++], own[k], strlen(own[k]) + 1);
  n = sim_clothing_layer_columns(p, n);
  for (int k = 0; k < n; k++) p->column[k] = p->column_name[k];
}

static void hash_elastic(uint64_t *h, const sim_elastic_setup *e) {
  if (e->tets == NULL) return;
  const double number[] = {e->density_kg_per_m3, e->young_Pa,   e->poisson,
                           e->damping_s,         e->drag_per_s, e->tolerance};
  sim_hash_doubles(h, number, sizeof number / sizeof *number);
  sim_hash_doubles(h, &e->tets->position_m[0][0], 3 * (size_t)e->tets->n_vertices);
  for (int i = 0; i < 4 * e->tets->n_tets; i++) sim_hash_u64(h, (uint64_t)e->tets->tet[i / 4][i % 4]);
}

/* Laws are the caller's to keep. */
static void hash_body(uint64_t *h, const sim_layered_body *b) {
  const double number[] = {b->offset.thickness_m,
                           b->offset.skin_m,
                           b->offset.friction.mu_kinetic,
                           b->offset.friction.mu_static,
                           b->friction.mu_kinetic,
                           b->air.ambient_Pa,
                           b->air.flow_m_per_s,
                           b->air.kappa_m_per_s,
                           b->air.kappa_at_Pa,
                           b->air.tolerance,
                           b->air_gap_most_m,
                           b->air_Pa};
  const int whole[] = {b->first_vertex, b->n_vertices,      b->offset.rounds,
                       b->has_air,      b->air.open_border, (int)b->air.solver};
  sim_hash_doubles(h, number, sizeof number / sizeof *number);
  for (size_t k = 0; k < sizeof whole / sizeof *whole; k++) sim_hash_u64(h, (uint64_t)whole[k]);
  for (int i = 0; b->stitched && i < b->n_vertices; i++) sim_hash_u64(h, b->stitched[i]);
  hash_elastic(h, &b->elastic);
  for (int i = 0; i < 3 * b->surface_triangles; i++)
    sim_hash_u64(h, (uint64_t)b->surface_triangle[i / 3][i % 3]);
  if (b->surface_m != NULL) sim_hash_doubles(h, &b->surface_m[0][0], 3 * (size_t)b->surface_vertices);
}

/* The cloth's own hash stands in its checkpoint. */
static void hash_layers(const sim_clothing *p, uint64_t *h) {
  if (p->scene->n_layers == 0) return;
  sim_hash_doubles(h, p->scene->wind_m_per_s, 3);
  sim_hash_doubles(h, &p->scene->gusts.part, 3);
  for (int k = 0; k < p->scene->n_layers; k++) hash_body(h, &p->layer[k]);
}

/* What the scene file says of cloth and layers is in the scene already: laws may have come from a database
 * since. */
static cb_status make(cb_ynode section, sim_told *told, void *state, cb_err *err) {
  sim_clothing *p = state;
  (void)section;
  p->told = told;
  p->scene = told->scene;
  CB_TRY(sim_clothing_make(p, err));
  hash_layers(p, &told->hash);
  name_columns(p);
  return sim_clothing_frame_init(p, &p->frame, err);
}

static void release(void *state) {
  sim_clothing *p = state;
  sim_frame_clear(&p->frame);
  if (p->layered == NULL) sim_cloth_free(p->cloth);
  sim_clothing_clear_layers(p);
  sim_mesh_clear(&p->mesh);
  free(p->rest_per_m);
  free(p->held_by);
  free(p->gripped);
  free(p->kept);
}

/* ---- a step ---- */

/* From here on, where it was not begun yet: after a checkpoint it is begun anew. */
static void begin_watch(sim_clothing *p) {
  if (p->watched) return;
  p->alarm = sim_alarm_begin(p->cloth, p->told->dt_s);
  p->watched = true;
}

static void aim(void *state, double dt_s) {
  sim_clothing *p = state;
  const sim_scene *s = p->scene;
  const double middle_s = sim_cloth_time(p->cloth) + dt_s / 2;
  begin_watch(p);
  for (int b = 0; b < s->n_bodies; b++) sim_cloth_bodies(p->cloth)[b] = p->told->body[b];
  double(*v)[3] = sim_cloth_velocity(p->cloth);
  sim_motion held[SIM_SCENE_HELD];
  for (int k = 0; k < s->n_held; k++) held[k] = sim_motion_at(&s->held[k].motions, middle_s);
  for (int i = 0; i < p->mesh.n_vertices; i++)
    if (p->held_by[i] >= 0) memcpy(v[i], held[p->held_by[i]].velocity_m_per_s, sizeof v[i]);
  if (p->layered != NULL) sim_clothing_move_layers(p, dt_s);
}

static cb_status divide(void *state, double dt_s, int *parts, cb_err *err) {
  const sim_clothing *p = state;
  int of_layers = 1;
  CB_TRY(sim_pace_of_cloth(p->cloth, dt_s, parts, err));
  if (p->layered != NULL) CB_TRY(sim_layered_pace(p->layered, dt_s, &of_layers, err));
  if (of_layers > *parts) *parts = of_layers;
  return CB_OK;
}

static cb_status step(void *state, double dt_s, sim_step_report *report, cb_err *err) {
  sim_clothing *p = state;
  if (p->layered == NULL) return sim_cloth_step(p->cloth, dt_s, report, err);
  const sim_layered_report before = p->report;
  CB_TRY(sim_layered_step(p->layered, dt_s, &p->report, err));
  *report = p->report.cloth;
  if (p->told->within_s > 0) sim_layered_report_add(&p->report, &before);
  return CB_OK;
}

static cb_status watch(void *state, const sim_step_report *report, cb_err *err) {
  sim_clothing *p = state;
  const cb_status st = sim_alarm_look(&p->alarm, p->cloth, report, err);
  return st == CB_OK ? st : cb_fail_in(err, st, "%s", p->scene->name);
}

static double time_of(const void *state) { return sim_cloth_time(((const sim_clothing *)state)->cloth); }

/* ---- a step that may be taken back ---- */

static void keep(void *state) {
  sim_clothing *p = state;
  sim_cloth_state_take(p->cloth, p->kept);
}

static void take_back(void *state) {
  sim_clothing *p = state;
  sim_cloth_state_give(p->cloth, p->kept);
}

/* By how much an edge's length changed, over its length at rest, at most. What is kept begins with the
 * positions. */
static double strain_change(const void *state) {
  const sim_clothing *p = state;
  const double(*before)[3] = (const sim_vec3 *)(const void *)p->kept,
        (*now)[3] = (const sim_vec3 *)sim_cloth_position(p->cloth);
  const double(*rest)[3] = (const sim_vec3 *)p->mesh.position_m;
  double most = 0;
  for (int e = 0; e < p->mesh.n_edges; e++) {
    const int *v = p->mesh.edge[e].vertex;
    double a[3], b[3], c[3];
    sim_sub(before[v[1]], before[v[0]], a);
    sim_sub(now[v[1]], now[v[0]], b);
    sim_sub(rest[v[1]], rest[v[0]], c);
    most = fmax(most, fabs(sim_norm(b) - sim_norm(a)) / sim_norm(c));
  }
  return most;
}

/* ---- what is seen and told of it ---- */

static int surfaces(void *state, sim_drawn *out) {
  sim_clothing *p = state;
  sim_clothing_frame_bodies(p, &p->frame);
  const int n = sim_picture_surfaces(&p->frame, out);
  for (int k = 0; k < n - p->frame.n_layers; k++) {
    out[k].position_m = (const sim_vec3 *)sim_cloth_position(p->cloth);
    out[k].velocity_m_per_s = (const sim_vec3 *)sim_cloth_velocity(p->cloth);
  }
  return n;
}

static int count_files(const void *state) { return 1 + ((const sim_clothing *)state)->scene->n_layers; }

static cb_status write_cloth(const sim_frame *f, sim_play_format format, const char *path, cb_err *err) {
  switch (format) {
    case SIM_PLAY_OBJ: return sim_mesh_obj_write(f->mesh, (const sim_vec3 *)f->position_m, path, err);
    case SIM_PLAY_PLY: return sim_write_ply(f, path, err);
    case SIM_PLAY_VTP: break;
  }
  return sim_write_vtp(f, path, err);
}

static cb_status write_body(const sim_frame *f, int layer, sim_play_format format, const char *path,
                            cb_err *err) {
  switch (format) {
    case SIM_PLAY_OBJ: return sim_write_body_obj(f, layer, path, err);
    case SIM_PLAY_PLY: return sim_write_body_ply(f, layer, path, err);
    case SIM_PLAY_VTP: break;
  }
  return sim_write_body_vtp(f, layer, path, err);
}

static cb_status write_file(void *state, int file, sim_play_format format, const char *path, cb_err *err) {
  sim_clothing *p = state;
  CB_TRY(sim_clothing_frame(p, &p->frame, err));
  return file == 0 ? write_cloth(&p->frame, format, path, err)
                   : write_body(&p->frame, file - 1, format, path, err);
}

static const char *const *columns(const void *state) { return ((const sim_clothing *)state)->column; }

/* 0 where there is no cloth. */
static void find_mean(const sim_clothing *p, double out[6]) {
  const double *m = sim_cloth_mass(p->cloth), (*x)[3] = (const sim_vec3 *)sim_cloth_position(p->cloth),
               (*v)[3] = (const sim_vec3 *)sim_cloth_velocity(p->cloth);
  double mass = 0;
  memset(out, 0, 6 * sizeof *out);
  for (int i = 0; i < p->mesh.n_vertices; i++) {
    sim_add(out, m[i], x[i]);
    sim_add(out + 3, m[i], v[i]);
    mass += m[i];
  }
  for (int k = 0; k < 6 && mass > 0; k++) out[k] /= mass;
}

static void values(void *state, double *value) {
  const sim_clothing *p = state;
  sim_cloth_energies e = p->alarm.now;
  if (!p->watched) sim_cloth_energy(p->cloth, &e);
  const double ledger[] = {e.kinetic, e.stretch, e.bending, e.gravity, e.friction, e.damping, e.supports};
  memcpy(value, ledger, sizeof ledger);
  find_mean(p, value + 7);
  (void)sim_clothing_layer_values(p, value, 13);
}

/* ---- the state ---- */

static cb_status archive(void *state, cb_archive *a, cb_err *err) {
  sim_clothing *p = state;
  if (cb_archive_reads(a)) p->watched = false;
  CB_TRY(sim_cloth_archive(p->cloth, a, err));
  return p->layered != NULL ? sim_layered_archive(p->layered, a, err) : CB_OK;
}

static const sim_model_files files = {count_files, write_file};
static const sim_model_trial trial = {keep, take_back, strain_change, SIM_PLAY_STRAIN};

#define SHAPES (1U << SIM_SCENE_RECTANGLE | 1U << SIM_SCENE_DISC | 1U << SIM_SCENE_SHEET_FILE)
#define PARTS (SIM_SCENE_FLAT_PARTS | 1U << SIM_SCENE_BOX)
#define TAKES(model)                         \
  .takes = {.name = model,                   \
            .shapes = SHAPES,                \
            .parts = PARTS,                  \
            .sheets_most = SIM_SCENE_SHEETS, \
            .motion = true,                  \
            .needs = {true, true, true, true, true, true, true}}

#define FUNCTIONS                                                                                      \
  .state_bytes = sizeof(sim_clothing), .make = make, .release = release, .aim = aim, .divide = divide, \
  .step = step, .watch = watch, .time_s = time_of, .surfaces = surfaces, .files = &files,              \
  .columns = columns, .values = values, .archive = archive

const sim_model sim_cloth_model = {TAKES("cloth"), .trial = &trial, FUNCTIONS};
const sim_model sim_layers_model = {TAKES("layers"), FUNCTIONS};
