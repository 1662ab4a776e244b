/* What is to be written of a scene. */
#include <stddef.h>
#include <string.h>

#include "cb_num.h"
#include "sim_scene_impl.h"

static const cb_yfield picture_fields[] = {
    {"width_px", CB_Y_INT, offsetof(sim_view, width_px), .min = 16, .max = 8192},
    {"height_px", CB_Y_INT, offsetof(sim_view, height_px), .min = 16, .max = 8192},
    {"azimuth_deg", CB_Y_NUM, offsetof(sim_view, azimuth_rad), .min = -360, .max = 360, .scale = CB_DEG},
    {"elevation_deg", CB_Y_NUM, offsetof(sim_view, elevation_rad), .min = -90, .max = 90, .scale = CB_DEG},
    {"field_deg", CB_Y_NUM, offsetof(sim_view, field_rad), .min = 0, .max = 120, .scale = CB_DEG},
};

typedef struct output_text {
  double every, checkpoint;
  bool obj, ply, vtp;
  int png;
  cb_ynode picture, probes;
} output_text;

static const char *const pictures[] = {"false", "true", "last", NULL}; /* in the order of sim_pictures */

static const cb_yfield output_fields[] = {
    {"every_ms", CB_Y_NUM, offsetof(output_text, every), .min = 1e-3, .max = 1e9, .scale = 1e-3},
    {"checkpoint_every_ms", CB_Y_NUM, offsetof(output_text, checkpoint), .min = 1e-3, .max = 1e9,
     .scale = 1e-3},
    {"obj", CB_Y_BOOL, offsetof(output_text, obj)},
    {"ply", CB_Y_BOOL, offsetof(output_text, ply)},
    {"vtp", CB_Y_BOOL, offsetof(output_text, vtp)},
    {"png", CB_Y_ENUM, offsetof(output_text, png), .choices = pictures},
    {"picture", CB_Y_NODE, offsetof(output_text, picture)},
    {"probes", CB_Y_NODE, offsetof(output_text, probes)},
};

typedef struct probe_text {
  char name[32];
  cb_numlist at;
} probe_text;

static const cb_yfield probe_fields[] = {
    {"name", CB_Y_STR, offsetof(probe_text, name), sizeof((probe_text *)NULL)->name, .required = true},
    {"at_mm", CB_Y_NUMLIST, offsetof(probe_text, at), .required = true, .min = -1e6, .max = 1e6,
     .scale = 1e-3},
};

static cb_status bind_probe(cb_ynode at, sim_scene_probe *p, cb_err *err) {
  probe_text t = {.at.n = 0};
  CB_TRY(cb_yaml_bind(at, SIM_SCENE_FIELDS(probe_fields), &t, err));
  CB_TRY(sim_scene_word(at, t.name, err));
  memcpy(p->name, t.name, sizeof p->name);
  return sim_scene_triple(at, "at_mm", &t.at, p->at_m, err);
}

cb_status sim_scene_output(cb_ynode at, sim_scene *s, cb_err *err) {
  output_text t = {.vtp = true, .png = SIM_PICTURES_LAST};
  if (at.doc != NULL) CB_TRY(cb_yaml_bind(at, SIM_SCENE_FIELDS(output_fields), &t, err));
  s->every_s = t.every;
  s->checkpoint_s = t.checkpoint;
  s->obj = t.obj;
  s->ply = t.ply;
  s->vtp = t.vtp;
  s->png = (sim_pictures)t.png;
  if (t.picture.doc != NULL) CB_TRY(cb_yaml_bind(t.picture, SIM_SCENE_FIELDS(picture_fields), &s->view, err));
  CB_TRY(sim_scene_list(t.probes, "probes", SIM_SCENE_PROBES, err));
  for (size_t i = 0; i < cb_yaml_count(t.probes); i++)
    CB_TRY(bind_probe(cb_yaml_item(t.probes, i), &s->probe[s->n_probes++], err));
  return CB_OK;
}
