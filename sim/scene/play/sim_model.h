/* A model as the player sees it: one struct of functions. The player (sim_play.h) does for all models what
 * they have in common: names, bodies that move as told, time, steps that are divided or taken back, probes,
 * pictures, files, checkpoints. Models know no scene file but their own section of it, and no other model. */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include "cb_archive.h"
#include "sim_picture.h"
#include "sim_play.h"
#include "sim_scene_impl.h"

#define SIM_MODEL_COLUMNS (16 + 8 * SIM_SCENE_LAYERS)

/* What the player tells a model; outlives it. */
typedef struct sim_told {
  const sim_scene *scene;
  const sim_body *body; /* n_bodies of the scene: where they are when a step begins, with the velocities they
                           have in it; the player moves them on after it */
  double dt_s;          /* of a whole step */
  double within_s;      /* of the step at hand: how much of it is done */
  uint64_t hash;        /* of what the model read: which scenes have the same state (sim_section_bind) */
} sim_told;

/* Files of a frame that are more than the surfaces. */
typedef struct sim_model_files {
  int (*count)(const void *state);
  /* file: from 0. Its name is "frame" for the first and "bodyN" for the N-th behind. */
  cb_status (*write)(void *state, int file, sim_play_format format, const char *path, cb_err *err);
} sim_model_files;

/* How a model takes a step back, for adaptive scenes; one without is kept and restored by its archive, and
 * the edges of its surfaces tell how far a step went. */
typedef struct sim_model_trial {
  void (*keep)(void *state);
  void (*take_back)(void *state);    /* to what was kept */
  double (*jump)(const void *state); /* by how much it changed since it was kept, in what `most` bounds */
  double most;
} sim_model_trial;

typedef struct sim_model {
  sim_scene_takes takes; /* its name is the key of its section */
  size_t state_bytes;    /* of what `make` fills: zeroed before, and freed behind `release`, by the player */
  /* From its section of the file. `release` follows after an error too. */
  cb_status (*make)(cb_ynode section, sim_told *told, void *state, cb_err *err);
  void (*release)(void *state);

  /* Before a part of a step: the velocities of bodies and of what is held. NULL: nothing of its own moves as
   * told. */
  void (*aim)(void *state, double dt_s);
  /* How the step of dt_s has to be divided so that nothing moves past what it meets (sim_pace_of_cloth);
   * NULL: never. */
  cb_status (*divide)(void *state, double dt_s, int *parts, cb_err *err);
  /* report: before it, one step that went well; a model writes what it knows. */
  cb_status (*step)(void *state, double dt_s, sim_step_report *report, cb_err *err);
  /* After a whole step: looks for what went wrong without a word. NULL: nothing is looked for. */
  cb_status (*watch)(void *state, const sim_step_report *report, cb_err *err);
  const sim_model_trial *trial;        /* NULL: by its archive */
  double (*time_s)(const void *state); /* NULL: the player's own clock */

  /* What is seen now, at most SIM_PLAY_SURFACES, coloured; also what probes look at, and files have. Returns
   * how many; what they point to holds until the next call. */
  int (*surfaces)(void *state, sim_drawn *out);
  const sim_model_files *files; /* NULL: one file, which has the surfaces */

  /* What is written down of every step: names with units, NULL at the end; one value for each. */
  const char *const *(*columns)(const void *state);
  void (*values)(void *state, double *value);

  /* Saves and loads all that the next step reads. Reading may change the state before it fails. */
  cb_status (*archive)(void *state, cb_archive *a, cb_err *err);
} sim_model;

/* All there are, NULL at the end (sim_models.c). A scene is played by the first whose section it has. */
extern const sim_model *const sim_models[];
extern const sim_model sim_conditions_model;
extern const sim_model sim_remesh_model;
extern const sim_model sim_curtain_model;
extern const sim_model sim_limit_model;
extern const sim_model sim_splash_model;
extern const sim_model sim_layers_model;
extern const sim_model sim_cloth_model;

/* cb_yaml_bind, and what was read goes into the hash: a checkpoint belongs to scenes of equal sections. */
CB_CHECKED cb_status sim_section_bind(cb_ynode at, const cb_yfield *fields, size_t n, void *out,
                                      sim_told *told, cb_err *err);

#endif
