/* The player, for its own files. */
#ifndef SIM_PLAY_IMPL_H
#define SIM_PLAY_IMPL_H

#include "sim_model.h"
#include "sim_probe.h"

struct sim_play {
  const sim_scene *scene;
  const sim_model *model;
  void *state; /* the model's own */
  sim_told told;
  sim_body body[SIM_SCENE_BODIES];
  sim_solid *solid[SIM_SCENE_BODIES];
  int steps, done;
  double last_dt_s; /* of the last part of a step; 0: none was taken yet */
  uint64_t hash;    /* of all that must be the same for a state to be this scene's */
  sim_probe probe[SIM_SCENE_PROBES];
  int n_columns, n_model_columns;
  char (*column)[SIM_PLAY_COLUMN_BYTES];

  sim_body kept[SIM_SCENE_BODIES]; /* while a step may be taken back */
};

/* Bodies as the scene says, at the start. */
CB_CHECKED cb_status sim_play_make_bodies(sim_play *play, cb_err *err);
/* Where the probes are, with the model as it starts; names of all columns. */
CB_CHECKED cb_status sim_play_make_columns(sim_play *play, cb_err *err);

#endif
