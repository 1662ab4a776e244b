/* The parts of a scene file, for the files that read them. */
#ifndef SIM_SCENE_IMPL_H
#define SIM_SCENE_IMPL_H

#include "sim_scene.h"

/* A table of fields and its length, as cb_yaml_bind wants them. */
#define SIM_SCENE_FIELDS(list) list, sizeof list / sizeof list[0]

/* The node may be absent: then out stays as it is. */
CB_CHECKED cb_status sim_scene_triple(cb_ynode map, const char *key, const cb_numlist *list, double out[3],
                                      cb_err *err);
/* A list of maps of at most so many, or nothing. */
CB_CHECKED cb_status sim_scene_list(cb_ynode list, const char *key, int most, cb_err *err);
/* Letters, digits, - and _: nothing that a folder or the head of a column could trip over. */
CB_CHECKED cb_status sim_scene_word(cb_ynode at, const char *name, cb_err *err);

/* What a model takes of the keys that all scenes have. */
typedef struct sim_scene_takes {
  const char *name;       /* of the model, for sentences */
  unsigned shapes, parts; /* bits of sim_scene_sheet_shape, of sim_scene_part */
  int sheets_least, sheets_most;
  bool motion, slack;    /* of what is held; of sheets */
  sim_scene_wants needs; /* of the material */
} sim_scene_takes;

/* `sheet`: one, a list of several, or none. `held`: a part's name, a map or a list of these, or none; behind
 * the sheets. `material`: a name or a map. `cloth`: may be absent. */
CB_CHECKED cb_status sim_scene_sheets(cb_ynode at, sim_scene *s, cb_err *err);
CB_CHECKED cb_status sim_scene_all_held(cb_ynode at, sim_scene *s, cb_err *err);
CB_CHECKED cb_status sim_scene_material(cb_ynode at, const sim_scene_wants *needs, sim_scene *s, cb_err *err);
CB_CHECKED cb_status sim_scene_cloth(cb_ynode at, sim_scene *s, cb_err *err);
CB_CHECKED cb_status sim_scene_check_sheets(cb_ynode at, const sim_scene *s, const sim_scene_takes *takes,
                                            cb_err *err);
CB_CHECKED cb_status sim_scene_check_held(cb_ynode at, const sim_scene *s, const sim_scene_takes *takes,
                                          cb_err *err);
CB_CHECKED cb_status sim_scene_motions(cb_ynode list, bool may_spin, sim_motions *out, cb_err *err);
CB_CHECKED cb_status sim_scene_bodies(cb_ynode list, sim_scene *s, cb_err *err);
CB_CHECKED cb_status sim_scene_layers(cb_ynode list, sim_scene *s, cb_err *err);
CB_CHECKED cb_status sim_scene_output(cb_ynode at, sim_scene *s, cb_err *err);

/* The velocity and spin of its parts that holds at this time. */
sim_motion sim_motion_at(const sim_motions *m, double time_s);

#endif
