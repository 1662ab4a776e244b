/* The player, for its own files. */
#ifndef SIM_PLAY_IMPL_H
#define SIM_PLAY_IMPL_H

#include "sim_model.h"
#include "sim_probe.h"

/* The state at the beginning of a part of a step, as long as the part may be taken back. */
typedef struct sim_play_kept {
  int done;
  double within_s;
  sim_body body[SIM_SCENE_BODIES]; /* models with a trial of their own */
  cb_bytes state;                  /* other models: the archive */
  sim_layered_report report;       /* layers: sums of the step so far, which no archive holds */
  int n_surfaces, n_vertices[SIM_PLAY_SURFACES];
  size_t room;
  double (*x)[3]; /* vertices of all surfaces, concatenated; room for `room` */
} sim_play_kept;

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

  sim_play_kept kept;
};

/* Bodies as the scene says, at the start. */
CB_CHECKED cb_status sim_play_make_bodies(sim_play *play, cb_err *err);
/* Both directions: `reads` of the archive tells which. */
CB_CHECKED cb_status sim_play_archive(sim_play *play, cb_archive *a, cb_err *err);

/* sim_play_trial.c: keep the state, restore it, and measure the change since. jump: the change divided by the
 * largest that an adaptive scene accepts; INFINITY for a step that went badly. */
CB_CHECKED cb_status sim_play_keep(sim_play *play, cb_err *err);
CB_CHECKED cb_status sim_play_take_back(sim_play *play, cb_err *err);
double sim_play_jump(sim_play *play, const sim_step_report *report);
void sim_play_kept_clear(sim_play_kept *kept);

/* Where the probes are, with the model as it starts; names of all columns. */
CB_CHECKED cb_status sim_play_make_columns(sim_play *play, cb_err *err);

#endif
