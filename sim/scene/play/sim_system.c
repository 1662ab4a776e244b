#include "sim_system.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "sim_play_impl.h"
#include "sim_scene_impl.h"
#include "sim_write.h"

struct sim_system {
  sim_scene scene;
  sim_body body[SIM_SCENE_BODIES];
  sim_solid *solid[SIM_SCENE_BODIES];
  sim_model_scene told;
  const sim_model *model;
  void *state;
  int steps, done;
};

/* ---- the file ---- */

typedef struct system_text {
  char name[64];
  cb_ynode section, bodies, time, output;
  cb_numlist gravity;
} system_text;

static const cb_yfield time_fields[] = {
    {.key = "duration_s", .kind = CB_Y_NUM, .offset = offsetof(sim_scene, duration_s), .required = true, .min = 1e-6, .max = 1e6},
    {.key = "step_ms", .kind = CB_Y_NUM, .offset = offsetof(sim_scene, dt_s), .min = 1e-3, .max = 1e3, .scale = 1e-3},
};

static const sim_model *model_of(cb_ynode root) {
  const sim_model *const *m = sim_models;
  while (*m && cb_yaml_get(root, (*m)->name).doc == NULL) m++;
  return *m;
}

static cb_status bind(cb_ynode root, const char *section, system_text *t, cb_err *err) {
  const cb_yfield fields[] = {
      {.key = "name", .kind = CB_Y_STR, .offset = offsetof(system_text, name), .size = sizeof t->name, .required = true},
      {.key = section, .kind = CB_Y_NODE, .offset = offsetof(system_text, section), .required = true},
      {.key = "bodies", .kind = CB_Y_NODE, .offset = offsetof(system_text, bodies)},
      {.key = "gravity_m_per_s2", .kind = CB_Y_NUMLIST, .offset = offsetof(system_text, gravity), .min = -1e4, .max = 1e4},
      {.key = "time", .kind = CB_Y_NODE, .offset = offsetof(system_text, time), .required = true},
      {.key = "output", .kind = CB_Y_NODE, .offset = offsetof(system_text, output)},
  };
  CB_TRY(cb_yaml_bind(root, SIM_SCENE_FIELDS(fields), t, err));
  return sim_scene_word(root, t->name, err);
}

static cb_status read_scene(cb_ynode root, const system_text *t, sim_scene *s, cb_err *err) {
  *s = (sim_scene){.gravity_m_per_s2 = {0, 0, -CB_STANDARD_GRAVITY_M_PER_S2}, .dt_s = 0.005, .view = sim_view_default()};
  memcpy(s->name, t->name, sizeof s->name);
  CB_TRY(sim_scene_bodies(t->bodies, s, err));
  CB_TRY(sim_scene_triple(root, "gravity_m_per_s2", &t->gravity, s->gravity_m_per_s2, err));
  CB_TRY(cb_yaml_bind(t->time, SIM_SCENE_FIELDS(time_fields), s, err));
  CB_TRY(sim_scene_output(t->output, s, err));
  if (s->obj || s->ply || s->n_probes > 0 || s->checkpoint_s > 0)
    return cb_yaml_fail(t->output, err, CB_E_RANGE, "%s: its model writes png and vtp: no obj, ply, probes or checkpoints were wanted",
                        s->name);
  if (!(s->dt_s <= s->duration_s)) return cb_yaml_fail(t->time, err, CB_E_RANGE, "step_ms = %g: longer than the duration", 1e3 * s->dt_s);
  return CB_OK;
}

/* ---- from the file to what moves ---- */

static void set_motions(sim_system *s) {
  for (int b = 0; b < s->scene.n_bodies; b++) {
    const sim_motion m = sim_motion_at(&s->scene.body[b].motions, (s->done + 0.5) * s->told.dt_s);
    memcpy(s->body[b].velocity_m_per_s, m.velocity_m_per_s, sizeof m.velocity_m_per_s);
    memcpy(s->body[b].spin_rad_per_s, m.spin_rad_per_s, sizeof m.spin_rad_per_s);
  }
}

static cb_status make(cb_ynode section, sim_system *s, cb_err *err) {
  const sim_scene *scene = &s->scene;
  for (int b = 0; b < scene->n_bodies; b++)
    if (sim_play_make_body(&scene->body[b], &s->body[b], &s->solid[b], err) != CB_OK)
      return cb_fail_in(err, CB_E_RANGE, "%s: body %d", scene->name, b + 1);
  s->steps = (int)lround(scene->duration_s / scene->dt_s);
  s->told = (sim_model_scene){.name = scene->name,
                              .dt_s = scene->duration_s / s->steps,
                              .duration_s = scene->duration_s,
                              .body = s->body,
                              .n_bodies = scene->n_bodies};
  memcpy(s->told.gravity_m_per_s2, scene->gravity_m_per_s2, sizeof s->told.gravity_m_per_s2);
  set_motions(s);
  s->state = calloc(1, s->model->state_bytes);
  if (s->state == NULL) return cb_fail(err, CB_E_NOMEM, "%s: out of memory", scene->name);
  return s->model->make(section, &s->told, s->state, err);
}

static cb_status read_system(cb_ynode root, const sim_model *model, sim_system **out, cb_err *err) {
  system_text t = {.gravity.n = 0};
  CB_TRY(bind(root, model->name, &t, err));
  sim_system *s = calloc(1, sizeof *s);
  if (s == NULL) return cb_fail(err, CB_E_NOMEM, "%s: out of memory", t.name);
  s->model = model;
  cb_status st = read_scene(root, &t, &s->scene, err);
  if (st == CB_OK) st = make(t.section, s, err);
  if (st == CB_OK)
    *out = s;
  else
    sim_system_free(s);
  return st;
}

static cb_status read_document(cb_yaml *doc, sim_system **out, cb_err *err) {
  const sim_model *model = model_of(cb_yaml_root(doc));
  cb_status st = model ? read_system(cb_yaml_root(doc), model, out, err) : CB_OK;
  cb_yaml_free(doc);
  return st;
}

cb_status sim_system_parse(const char *text, size_t n, const char *name, sim_system **out, cb_err *err) {
  cb_yaml *doc;
  *out = NULL;
  CB_TRY(cb_yaml_parse(text, n, name, &doc, err));
  return read_document(doc, out, err);
}

cb_status sim_system_load(const char *path, sim_system **out, cb_err *err) {
  cb_yaml *doc;
  *out = NULL;
  CB_TRY(cb_yaml_load(path, &doc, err));
  return read_document(doc, out, err);
}

void sim_system_free(sim_system *s) {
  if (s == NULL) return;
  if (s->state != NULL) s->model->release(s->state);
  free(s->state);
  for (int b = 0; b < SIM_SCENE_BODIES; b++) sim_solid_free(s->solid[b]);
  free(s);
}

/* ---- play ---- */

const sim_scene *sim_system_scene(const sim_system *s) { return &s->scene; }
const sim_model *sim_system_model(const sim_system *s) { return s->model; }
void *sim_system_state(sim_system *s) { return s->state; }
int sim_system_steps(const sim_system *s) { return s->steps; }
int sim_system_done(const sim_system *s) { return s->done; }

cb_status sim_system_step(sim_system *s, cb_err *err) {
  set_motions(s);
  CB_TRY(s->model->step(s->state, s->told.dt_s, err));
  for (int b = 0; b < s->scene.n_bodies; b++) sim_body_move(&s->body[b], s->told.dt_s);
  s->done++;
  return CB_OK;
}

int sim_system_vertices(sim_system *s) {
  sim_drawn surface[SIM_MODEL_SURFACES] = {{0}};
  int sum = 0;
  for (int k = s->model->draw(s->state, surface) - 1; k >= 0; k--) sum += surface[k].n_vertices;
  return sum;
}

int sim_system_values(sim_system *s, double value[SIM_MODEL_COLUMNS]) {
  int n = 0;
  while (s->model->column[n]) n++;
  s->model->values(s->state, value);
  return n;
}

cb_status sim_system_picture(sim_system *s, const char *path, cb_err *err) {
  sim_drawn surface[SIM_MODEL_SURFACES] = {{0}};
  const int n = s->model->draw(s->state, surface);
  return sim_picture_of(surface, n, s->body, s->scene.n_bodies, &s->scene.view, path, err);
}

cb_status sim_system_write_vtp(sim_system *s, const char *path, cb_err *err) {
  sim_drawn surface[SIM_MODEL_SURFACES] = {{0}};
  const int n = s->model->draw(s->state, surface);
  return sim_write_drawn_vtp(surface, n, s->done * s->told.dt_s, path, err);
}
