#include "sim_scene.h"

#include <stddef.h>
#include <string.h>

#include "cb_num.h"
#include "cb_plural.h"
#include "sim_model.h"
#include "sim_scene_impl.h"
#include "sim_picture_draw.h"

cb_status sim_scene_triple(cb_ynode map, const char *key, const cb_numlist *list, double out[3],
                           cb_err *err) {
  if (list->n == 0) return CB_OK;
  if (list->n != 3)
    return cb_yaml_fail(cb_yaml_get(map, key), err, CB_E_RANGE, "%s: %zu number%s: three were wanted", key,
                        list->n, CB_S(list->n));
  memcpy(out, list->v, 3 * sizeof *out);
  return CB_OK;
}

cb_status sim_scene_list(cb_ynode list, const char *key, int most, cb_err *err) {
  if (list.doc == NULL) return CB_OK;
  if (!cb_yaml_is_list(list)) return cb_yaml_fail(list, err, CB_E_PARSE, "%s: a list was wanted", key);
  if (cb_yaml_count(list) > (size_t)most)
    return cb_yaml_fail(list, err, CB_E_RANGE, "%s: %zu item%s: at most %d are possible", key,
                        cb_yaml_count(list), CB_S(cb_yaml_count(list)), most);
  return CB_OK;
}

cb_status sim_scene_word(cb_ynode at, const char *name, cb_err *err) {
  size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
  if (n > 0 && name[n] == '\0') return CB_OK;
  return cb_yaml_fail(at, err, CB_E_RANGE, "name = '%s': letters, digits, - and _ were wanted", name);
}

/* The main cloth, alone and with layers: its section is in the struct. */
static bool is_main(const sim_model *m) { return m == &sim_cloth_model || m == &sim_layers_model; }

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
  cb_ynode sheet, held, material, section, layers, bodies, time, output, gusts;
  cb_numlist gravity, wind;
} scene_text;

/* What scenes of all models have; behind it, those of the main cloth alone. */
static const cb_yfield scene_fields[] = {
    {"name", CB_Y_STR, offsetof(scene_text, name), sizeof((scene_text *)NULL)->name, .required = true},
    {"database", CB_Y_STR, offsetof(scene_text, database), sizeof((scene_text *)NULL)->database},
    {"sheet", CB_Y_NODE, offsetof(scene_text, sheet)},
    {"held", CB_Y_NODE, offsetof(scene_text, held)},
    {"material", CB_Y_NODE, offsetof(scene_text, material)},
    {"bodies", CB_Y_NODE, offsetof(scene_text, bodies)},
    {"time", CB_Y_NODE, offsetof(scene_text, time), .required = true},
    {"output", CB_Y_NODE, offsetof(scene_text, output)},
    {"gravity_m_per_s2", CB_Y_NUMLIST, offsetof(scene_text, gravity), .min = -1e4, .max = 1e4},
};
#define OF_ALL (sizeof scene_fields / sizeof scene_fields[0])

static cb_status bind_text(cb_ynode root, const sim_scene *s, scene_text *out, cb_err *err) {
  cb_yfield field[OF_ALL + 4];
  size_t n = OF_ALL;
  memcpy(field, scene_fields, sizeof scene_fields);
  if (is_main(s->model)) {
    field[n++] = (cb_yfield){"cloth", CB_Y_NODE, offsetof(scene_text, section)};
    field[n++] = (cb_yfield){"layers", CB_Y_NODE, offsetof(scene_text, layers)};
    field[n++] =
        (cb_yfield){"wind_m_per_s", CB_Y_NUMLIST, offsetof(scene_text, wind), .min = -1e3, .max = 1e3};
    field[n++] = (cb_yfield){"gusts", CB_Y_NODE, offsetof(scene_text, gusts)};
  } else {
    field[n++] =
        (cb_yfield){s->model->takes.name, CB_Y_NODE, offsetof(scene_text, section), .required = true};
  }
  return cb_yaml_bind(root, field, n, out, err);
}

static cb_status bind_gusts(cb_ynode at, const scene_text *t, sim_scene *s, cb_err *err) {
  static const cb_yfield fields[] = {
      {"part", CB_Y_NUM, offsetof(sim_scene, gusts.part), .required = true, .min = 0, .max = 1},
      {"period_ms", CB_Y_NUM, offsetof(sim_scene, gusts.period_s), .required = true, .min = 1, .max = 1e6,
       .scale = 1e-3},
      {"front_m_per_s", CB_Y_NUM, offsetof(sim_scene, gusts.front_m_per_s), .min = 1e-3, .max = 1e3},
  };
  if (at.doc == NULL) return CB_OK;
  if (t->wind.n == 0) return cb_yaml_fail(at, err, CB_E_RANGE, "gusts: of a wind; wind_m_per_s was wanted");
  return cb_yaml_bind(at, fields, sizeof fields / sizeof fields[0], s, err);
}

static cb_status check_main(cb_ynode root, const scene_text *t, const sim_scene *s, cb_err *err) {
  bool cloth = s->n_sheets > 0;
  for (int b = 0; b < s->n_layers; b++) cloth = cloth || s->layer[b].sewn.sewn;
  if (s->no_cloth && (s->n_layers == 0 || cloth || t->section.doc != NULL || t->wind.n > 0 || s->n_held > 0 ||
                      s->n_probes > 0))
    return cb_yaml_fail(root, err, CB_E_RANGE,
                        "no material: it was wanted, or bodies in `layers` without sheet, case, cloth, wind, "
                        "held and probes");
  if (!cloth && !s->no_cloth)
    return cb_yaml_fail(root, err, CB_E_RANGE, "no sheet: it was wanted, or `case` in one of the layers");
  if (t->wind.n > 0 && s->n_layers == 0)
    return cb_yaml_fail(root, err, CB_E_RANGE,
                        "wind_m_per_s: it blows on cloth with air behind it: layers were wanted");
  return CB_OK;
}

static cb_status check_time(const scene_text *t, const sim_scene *s, cb_err *err) {
  if (!(s->dt_s <= s->duration_s))
    return cb_yaml_fail(t->time, err, CB_E_RANGE, "step_ms = %g: longer than the duration", 1e3 * s->dt_s);
  return CB_OK;
}

/* Sheets, their material, what is held of them: in all scenes the same keys; what a model takes of them. */
static cb_status bind_sheets(cb_ynode root, const scene_text *t, sim_scene *s, cb_err *err) {
  const sim_scene_takes *takes = &s->model->takes;
  s->no_cloth = t->material.doc == NULL;
  if (s->no_cloth && !is_main(s->model)) return cb_yaml_fail(root, err, CB_E_PARSE, "missing key 'material'");
  CB_TRY(sim_scene_sheets(t->sheet, s, err));
  CB_TRY(sim_scene_check_sheets(t->sheet.doc ? t->sheet : root, s, takes, err));
  if (!s->no_cloth) CB_TRY(sim_scene_material(t->material, &takes->needs, s, err));
  CB_TRY(sim_scene_all_held(t->held, s, err));
  return sim_scene_check_held(t->held, s, takes, err);
}

/* The section of another model stays in the document. */
static cb_status bind_scene(cb_ynode root, sim_scene *s, cb_err *err) {
  scene_text t = {.gravity.n = 0};
  CB_TRY(bind_text(root, s, &t, err));
  CB_TRY(sim_scene_word(root, t.name, err));
  memcpy(s->name, t.name, sizeof s->name);
  memcpy(s->database, t.database, sizeof s->database);
  CB_TRY(bind_sheets(root, &t, s, err));
  s->section = t.section;
  if (is_main(s->model) && !s->no_cloth) CB_TRY(sim_scene_cloth(t.section, s, err));
  CB_TRY(sim_scene_bodies(t.bodies, s, err));
  CB_TRY(sim_scene_layers(t.layers, s, err));
  CB_TRY(cb_yaml_bind(t.time, time_fields,
                      is_main(s->model) ? sizeof time_fields / sizeof time_fields[0] : TIME_OF_ALL, s, err));
  CB_TRY(sim_scene_triple(root, "wind_m_per_s", &t.wind, s->wind_m_per_s, err));
  CB_TRY(bind_gusts(t.gusts, &t, s, err));
  CB_TRY(sim_scene_triple(root, "gravity_m_per_s2", &t.gravity, s->gravity_m_per_s2, err));
  CB_TRY(sim_scene_output(t.output, s, err));
  CB_TRY(check_time(&t, s, err));
  return is_main(s->model) ? check_main(root, &t, s, err) : CB_OK;
}

/* A file without any section is one of the main cloth, which says what is missing. */
static const sim_model *model_of(cb_ynode root) {
  const sim_model *const *m = sim_models;
  while (*m && cb_yaml_get(root, (*m)->takes.name).doc == NULL) m++;
  return *m != NULL ? *m : &sim_cloth_model;
}

bool sim_scene_laws(const sim_scene *s) {
  bool any = s->cloth[0] || s->self_material[0] || s->permeability_of[0];
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
                     .permeability_m_per_s = -1,
                     .permeability_exponent = 1,
                     .material = sim_material_isotropic(0.1, 100, 1e-6), /* of a cloth that is not there */
                     .view = sim_view_default()};
}

static cb_status bind_document(cb_yaml *doc, sim_scene *out, cb_err *err) {
  const cb_ynode root = cb_yaml_root(doc);
  out->model = model_of(root);
  const cb_status st = bind_scene(root, out, err);
  if (st == CB_OK && !is_main(out->model)) {
    out->document = doc;
    return CB_OK;
  }
  out->section = (cb_ynode){0};
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
