/* The interface between the player and a model: one struct of functions. The player (sim_play.h) does what
 * all models share: names, prescribed motion, time, steps that are divided or taken back, probes, pictures,
 * files, checkpoints. A model reads only its own section of the scene file, and knows no other model. */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include "cb_archive.h"
#include "sim_picture.h"
#include "sim_play.h"
#include "sim_scene_impl.h"

#define SIM_MODEL_COLUMNS (16 + 8 * SIM_SCENE_LAYERS)

/* What the player tells a model. It outlives the model. */
typedef struct sim_told {
  const sim_scene *scene;
  /* The scene's n_bodies: positions at the beginning of the step, velocities during it. The player moves them
   * after it. */
  const sim_body *body;
  double dt_s;     /* length of a whole step */
  double within_s; /* part of the present step that is done */
  uint64_t hash;   /* of what the model read (sim_section_bind): scenes with equal hashes share states */
} sim_told;

/* Files of a frame, for models that write more than their surfaces. */
typedef struct sim_model_files {
  int (*count)(const void *state);
  /* file: from 0. Its name is "frame" for the first and "bodyN" for the N-th behind. */
  cb_status (*write)(void *state, int file, sim_play_format format, const char *path, cb_err *err);
} sim_model_files;

/* How a model takes back a step of an adaptive scene. A model without a trial is kept and restored by its
 * archive, and the edges of its surfaces tell the change (sim_play_trial.c). */
typedef struct sim_model_trial {
  void (*keep)(void *state);
  void (*take_back)(void *state);    /* restores what was kept */
  double (*jump)(const void *state); /* the change since then */
  double most;                       /* the largest change that is accepted */
} sim_model_trial;

typedef struct sim_model {
  sim_scene_takes takes; /* its name is the key of its section */
  size_t state_bytes;    /* of the state. The player zeroes it before `make` and frees it after `release`. */
  /* Fills the state from the model's section. The player calls `release` after an error, too. */
  cb_status (*make)(cb_ynode section, sim_told *told, void *state, cb_err *err);
  void (*release)(void *state);

  /* Sets the model's own prescribed velocities, before a part of a step. NULL: it has none. */
  void (*aim)(void *state, double dt_s);
  /* Sets *parts: into how many parts a step of dt_s is divided, so that nothing moves past what it meets
   * (sim_pace_of_cloth). NULL: one. */
  cb_status (*divide)(void *state, double dt_s, int *parts, cb_err *err);
  /* Takes a step. The player fills *report with one good step before; the model overwrites what it knows. */
  cb_status (*step)(void *state, double dt_s, sim_step_report *report, cb_err *err);
  /* Looks for silent faults after a whole step. NULL: none are known. */
  cb_status (*watch)(void *state, const sim_step_report *report, cb_err *err);
  const sim_model_trial *trial;        /* NULL: the archive does it */
  double (*time_s)(const void *state); /* NULL: the player's clock counts */

  /* Writes the coloured surfaces, at most SIM_PLAY_SURFACES, and returns their number. Pictures, probes and
   * files use them. They are valid until the next call. */
  int (*surfaces)(void *state, sim_drawn *out);
  /* Writes what pictures show instead, and its number to *n. NULL: pictures show the surfaces. */
  cb_status (*shown)(void *state, sim_drawn *out, int *n, cb_err *err);
  const sim_model_files *files; /* NULL: one file with all surfaces */

  /* A person's hand (sim_play_grab, sim_play_pull). NULL: the model has none. */
  bool (*grab)(void *state, const double eye_m[3], const double ray[3], double at_m[3]);
  void (*pull)(void *state, const double *target_m);

  /* Columns of the table of values: names with units, NULL at the end; and their present values. */
  const char *const *(*columns)(const void *state);
  void (*values)(void *state, double *value);

  /* Saves or loads all that the next step reads. A load that fails may leave the state partly changed. */
  cb_status (*archive)(void *state, cb_archive *a, cb_err *err);
} sim_model;

/* All models, NULL at the end (sim_models.c). The first one whose section a scene has plays it. */
extern const sim_model *const sim_models[];
extern const sim_model sim_conditions_model;
extern const sim_model sim_remesh_model;
extern const sim_model sim_curtain_model;
extern const sim_model sim_limit_model;
extern const sim_model sim_splash_model;
extern const sim_model sim_layers_model;
extern const sim_model sim_cloth_model;

/* cb_yaml_bind that adds what it read to told->hash, so that a checkpoint fits only scenes of equal sections.
 */
CB_CHECKED cb_status sim_section_bind(cb_ynode at, const cb_yfield *fields, size_t n, void *out,
                                      sim_told *told, cb_err *err);

#endif
