#include "sim_scene.h"

#include <stddef.h>
#include <string.h>

#include "cb_num.h"
#include "sim_model.h"
#include "sim_scene_impl.h"

cb_status sim_scene_triple(cb_ynode map, const char *key, const cb_numlist *list, double out[3],
                           cb_err *err) {
  if (list->n == 0) return CB_OK;
  if (list->n != 3)
    return cb_yaml_fail(cb_yaml_get(map, key), err, CB_E_RANGE, "%s: %zu numbers: three were wanted", key,
                        list->n);
  memcpy(out, list->v, 3 * sizeof *out);
  return CB_OK;
}

cb_status sim_scene_list(cb_ynode list, const char *key, int most, cb_err *err) {
  if (list.doc == NULL) return CB_OK;
  if (!cb_yaml_is_list(list)) return cb_yaml_fail(list, err, CB_E_PARSE, "%s: a list was wanted", key);
  if (cb_yaml_count(list) > (size_t)most)
    return cb_yaml_fail(list, err, CB_E_RANGE, "%s: %zu items: at most %d are possible", key,
                        cb_yaml_count(list), most);
  return CB_OK;
}

cb_status sim_scene_word(cb_ynode at, const char *name, cb_err *err) {
  size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
  if (n > 0 && name[n] == '\0') return CB_OK;
  return cb_yaml_fail(at, err, CB_E_RANGE, "name = '%s': letters, digits, - and _ were wanted", name);
}

/* ---- time ---- */

#define TIME_OF_ALL 3 /* of these, what every model has; the rest is the main cloth's */
static const cb_yfield time_fields[] = {
    {"duration_s", CB_Y_NUM, offsetof(sim_scene, duration_s), .required = true, .min = 1e-6, .max = 1e6},
    {"step_ms", CB_Y_NUM, offsetof(sim_scene, dt_s), .min = 1e-3, .max = 1e3, .scale = 1e-3},
    {"adaptive", CB_Y_BOOL, offsetof(sim_scene, adaptive)},
    {"scheme", CB_Y_ENUM, offsetof(sim_scene, scheme), .choices = sim_cloth_scheme_names},
    {"iterations", CB_Y_INT, offsetof(sim_scene, iterations), .min = 1, .max = 1000},
    {"solve_tolerance", CB_Y_NUM, offsetof(sim_scene, solve_tolerance), .min = 1e-8, .max = 0.5},
};

/* ---- the whole ---- */

typedef struct scene_text {
  char name[64], database[256];
  cb_ynode cloth, bodies, layers, grips, time, output;
  cb_numlist gravity, wind;
} scene_text;

static const cb_yfield scene_fields[] = {
    {"name", CB_Y_STR, offsetof(scene_text, name), sizeof((scene_text *)NULL)->name, .required = true},
    {"database", CB_Y_STR, offsetof(scene_text, database), sizeof((scene_text *)NULL)->database},
    {"cloth", CB_Y_NODE, offsetof(scene_text, cloth)},
    {"bodies", CB_Y_NODE, offsetof(scene_text, bodies)},
    {"layers", CB_Y_NODE, offsetof(scene_text, layers)},
    {"wind_m_per_s", CB_Y_NUMLIST, offsetof(scene_text, wind), .min = -1e3, .max = 1e3},
    {"grips", CB_Y_NODE, offsetof(scene_text, grips)},
    {"time", CB_Y_NODE, offsetof(scene_text, time), .required = true},
    {"output", CB_Y_NODE, offsetof(scene_text, output)},
    {"gravity_m_per_s2", CB_Y_NUMLIST, offsetof(scene_text, gravity), .min = -1e4, .max = 1e4},
};

static cb_status check_whole(cb_ynode root, const scene_text *t, const sim_scene *s, cb_err *err) {
  bool cloth = s->n_sheets > 0;
  for (int b = 0; b < s->n_layers; b++) cloth = cloth || s->layer[b].sewn.sewn;
  if (s->no_cloth && (s->n_layers == 0 || cloth || t->wind.n > 0 || s->n_grips > 0 || s->n_probes > 0))
    return cb_yaml_fail(
        root, err, CB_E_RANGE,
        "no cloth: it was wanted, or bodies in `layers` without case, wind, grips and probes");
  if (!cloth && !s->no_cloth)
    return cb_yaml_fail(t->cloth, err, CB_E_RANGE,
                        "cloth: no mesh: it was wanted, or `case` in one of the layers");
  if (t->wind.n > 0 && s->n_layers == 0)
    return cb_yaml_fail(root, err, CB_E_RANGE,
                        "wind_m_per_s: it blows on cloth with air behind it: layers were wanted");
  if (s->adaptive && s->n_layers > 0)
    return cb_yaml_fail(t->time, err, CB_E_RANGE, "adaptive: a scene with layers takes steps of one length");
  if (!(s->dt_s <= s->duration_s))
    return cb_yaml_fail(t->time, err, CB_E_RANGE, "step_ms = %g: longer than the duration", 1e3 * s->dt_s);
  return CB_OK;
}

static cb_status bind_cloth_scene(cb_ynode root, sim_scene *s, cb_err *err) {
  scene_text t = {.gravity.n = 0};
  CB_TRY(cb_yaml_bind(root, SIM_SCENE_FIELDS(scene_fields), &t, err));
  CB_TRY(sim_scene_word(root, t.name, err));
  memcpy(s->name, t.name, sizeof s->name);
  memcpy(s->database, t.database, sizeof s->database);
  s->no_cloth = t.cloth.doc == NULL;
  if (!s->no_cloth) CB_TRY(sim_scene_cloth(t.cloth, s, err));
  CB_TRY(sim_scene_bodies(t.bodies, s, err));
  CB_TRY(sim_scene_layers(t.layers, s, err));
  CB_TRY(sim_scene_grips(t.grips, s, err));
  CB_TRY(cb_yaml_bind(t.time, SIM_SCENE_FIELDS(time_fields), s, err));
  CB_TRY(sim_scene_triple(root, "wind_m_per_s", &t.wind, s->wind_m_per_s, err));
  CB_TRY(sim_scene_triple(root, "gravity_m_per_s2", &t.gravity, s->gravity_m_per_s2, err));
  CB_TRY(sim_scene_output(t.output, s, err));
  return check_whole(root, &t, s, err);
}

/* ---- scenes of other models: what is theirs stays in the document ---- */

static cb_status check_model_scene(const scene_text *t, const sim_scene *s, cb_err *err) {
  if (s->adaptive && s->model->trial == NULL)
    return cb_yaml_fail(t->time, err, CB_E_RANGE, "adaptive: a '%s' scene takes steps of one length",
                        s->model->name);
  if (!(s->dt_s <= s->duration_s))
    return cb_yaml_fail(t->time, err, CB_E_RANGE, "step_ms = %g: longer than the duration", 1e3 * s->dt_s);
  return CB_OK;
}

static cb_status bind_model_scene(cb_ynode root, sim_scene *s, cb_err *err) {
  const cb_yfield fields[] = {
      {"name", CB_Y_STR, offsetof(scene_text, name), sizeof((scene_text *)NULL)->name, .required = true},
      {.key = s->model->name, .kind = CB_Y_NODE, .offset = offsetof(scene_text, cloth), .required = true},
      {"bodies", CB_Y_NODE, offsetof(scene_text, bodies)},
      {"gravity_m_per_s2", CB_Y_NUMLIST, offsetof(scene_text, gravity), .min = -1e4, .max = 1e4},
      {"time", CB_Y_NODE, offsetof(scene_text, time), .required = true},
      {"output", CB_Y_NODE, offsetof(scene_text, output)},
  };
  scene_text t = {.gravity.n = 0};
  CB_TRY(cb_yaml_bind(root, SIM_SCENE_FIELDS(fields), &t, err));
  CB_TRY(sim_scene_word(root, t.name, err));
  memcpy(s->name, t.name, sizeof s->name);
  s->section = t.cloth;
  s->no_cloth = true;
  CB_TRY(sim_scene_bodies(t.bodies, s, err));
  CB_TRY(sim_scene_triple(root, "gravity_m_per_s2", &t.gravity, s->gravity_m_per_s2, err));
  CB_TRY(cb_yaml_bind(t.time, time_fields, TIME_OF_ALL, s, err));
  CB_TRY(sim_scene_output(t.output, s, err));
  return check_model_scene(&t, s, err);
}

/* ---- any ---- */

/* Refuses a key of an older program, and names the one that took its place. */
static cb_status check_renamed(cb_ynode root, cb_err *err) {
  static const char *const renamed[][2] = {{"particles", "conditions"}};
  for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++) {
    const cb_ynode at = cb_yaml_get(root, renamed[i][0]);
    if (at.doc)
      return cb_yaml_fail(at, err, CB_E_PARSE, "`%s` is now called `%s`", renamed[i][0], renamed[i][1]);
  }
  return CB_OK;
}

/* A file without any section is one of the main cloth, which says what is missing. */
static const sim_model *model_of(cb_ynode root) {
  const sim_model *const *m = sim_models;
  while (*m && cb_yaml_get(root, (*m)->name).doc == NULL) m++;
  return *m != NULL ? *m : &sim_cloth_model;
}

bool sim_scene_laws(const sim_scene *s) {
  bool any = s->cloth[0] || s->self_material[0];
  for (int b = 0; b < s->n_bodies; b++) any = any || s->body[b].material[0];
  for (int b = 0; b < s->n_layers; b++) any = any || s->layer[b].material[0];
  return any;
}

static sim_scene scene_default(void) {
  return (sim_scene){.gravity_m_per_s2 = {0, 0, -CB_STANDARD_GRAVITY_M_PER_S2},
                     .dt_s = 0.005,
                     .scheme = SIM_BACKWARD_EULER,
                     .iterations = 1,
                     .solve_tolerance = 1e-3,
                     .material = sim_material_isotropic(0.1, 100, 1e-6), /* of a cloth that is not there */
                     .view = sim_view_default()};
}

static cb_status bind_document(cb_yaml *doc, sim_scene *out, cb_err *err) {
  const cb_ynode root = cb_yaml_root(doc);
  out->model = model_of(root);
  const bool main_cloth = out->model == &sim_cloth_model || out->model == &sim_layers_model;
  cb_status st = check_renamed(root, err);
  if (st == CB_OK) st = main_cloth ? bind_cloth_scene(root, out, err) : bind_model_scene(root, out, err);
  if (st == CB_OK && !main_cloth)
    out->document = doc;
  else
    cb_yaml_free(doc);
  return st;
}

cb_status sim_scene_parse(const char *text, size_t n, const char *name, sim_scene *out, cb_err *err) {
  cb_yaml *doc;
  *out = scene_default();
  CB_TRY(cb_yaml_parse(text, n, name, &doc, err));
  return bind_document(doc, out, err);
}

cb_status sim_scene_load(const char *path, sim_scene *out, cb_err *err) {
  cb_yaml *doc;
  *out = scene_default();
  CB_TRY(cb_yaml_load(path, &doc, err));
  return bind_document(doc, out, err);
}

void sim_scene_clear(sim_scene *s) {
  cb_yaml_free(s->document);
  s->document = NULL;
}
