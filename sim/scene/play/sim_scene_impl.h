/* Readers of the parts of a scene file. All report errors of the file with its name and line. */
#ifndef SIM_SCENE_IMPL_H
#define SIM_SCENE_IMPL_H

#include "sim_scene.h"

/* A table of fields and its length, as cb_yaml_bind takes them. */
#define SIM_SCENE_FIELDS(list) list, sizeof list / sizeof list[0]

/* Copies a list of three numbers. An empty list leaves out unchanged. Error: CB_E_RANGE for another
 * length. */
CB_CHECKED cb_status sim_scene_triple(cb_ynode map, const char *key, const cb_numlist *list, double out[3],
                                      cb_err *err);
/* Checks that a node is a list of at most `most` items, or absent. */
CB_CHECKED cb_status sim_scene_list(cb_ynode list, const char *key, int most, cb_err *err);
/* Checks that a name has only letters, digits, - and _, so that it can be part of a file or column name. */
CB_CHECKED cb_status sim_scene_word(cb_ynode at, const char *name, cb_err *err);

/* What a model takes of the keys that all scenes have. */
typedef struct sim_scene_takes {
  const char *name;       /* of the model: the key of its section */
  unsigned shapes, parts; /* bits of sim_scene_sheet_shape, of sim_scene_part */
  int sheets_least, sheets_most;
  bool motion, slack;    /* whether held parts may move, and sheets may have slack */
  sim_scene_wants needs; /* values of the material that the model needs */
} sim_scene_takes;

/* Read the keys of a scene into *s. `sheet` is a map, a list of maps, or absent. `held` is the name of a
 * part, a map, a list of these, or absent; read it after the sheets. `material` is a name or a map. `cloth`
 * may be absent. */
CB_CHECKED cb_status sim_scene_sheets(cb_ynode at, sim_scene *s, cb_err *err);
CB_CHECKED cb_status sim_scene_all_held(cb_ynode at, sim_scene *s, cb_err *err);
CB_CHECKED cb_status sim_scene_material(cb_ynode at, const sim_scene_wants *needs, sim_scene *s, cb_err *err);
CB_CHECKED cb_status sim_scene_cloth(cb_ynode at, sim_scene *s, cb_err *err);
/* Check what was read against what the model takes. */
CB_CHECKED cb_status sim_scene_check_sheets(cb_ynode at, const sim_scene *s, const sim_scene_takes *takes,
                                            cb_err *err);
CB_CHECKED cb_status sim_scene_check_held(cb_ynode at, const sim_scene *s, const sim_scene_takes *takes,
                                          cb_err *err);
/* Read further keys into *out or *s. may_spin: whether spin_deg_per_s is allowed. */
CB_CHECKED cb_status sim_scene_motions(cb_ynode list, bool may_spin, sim_motions *out, cb_err *err);
CB_CHECKED cb_status sim_scene_bodies(cb_ynode list, sim_scene *s, cb_err *err);
CB_CHECKED cb_status sim_scene_layers(cb_ynode list, sim_scene *s, cb_err *err);
CB_CHECKED cb_status sim_scene_output(cb_ynode at, sim_scene *s, cb_err *err);

/* Returns the part of a motion that holds at this time; after the last part, rest. */
sim_motion sim_motion_at(const sim_motions *m, double time_s);

#endif
