/* A model other than the main cloth (curtain, fluid, particles ...), as a scene file plays it: what it must give. sim_system.h does the
 * rest. */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include "cb_yaml.h"
#include "sim_body.h"
#include "sim_picture.h"

#define SIM_MODEL_SURFACES 8
#define SIM_MODEL_COLUMNS 16

/* What the scene says beside the model's own section; outlives the model. */
typedef struct sim_model_scene {
  const char *name; /* of the scene, for errors */
  double gravity_m_per_s2[3], dt_s, duration_s;
  const sim_body *body; /* where they are when the step begins, with the velocities they have in it; the system moves them on after it */
  int n_bodies;
} sim_model_scene;

typedef struct sim_model {
  const char *name;   /* the key of its section */
  size_t state_bytes; /* of what `make` fills: zeroed before, and freed behind `release`, by the system */
  /* From its section of the file. `release` follows after an error too. */
  cb_status (*make)(cb_ynode section, const sim_model_scene *scene, void *state, cb_err *err);
  void (*release)(void *state);
  cb_status (*step)(void *state, double dt_s, cb_err *err);
  /* What is to be seen now, at most SIM_MODEL_SURFACES, coloured. Returns how many; what they point to holds until the next call. */
  int (*draw)(void *state, sim_drawn *out);
  const char *const *column;                  /* names of what is written down after every step, with units; NULL at the end */
  void (*values)(void *state, double *value); /* one for each column */
} sim_model;

/* All there are, NULL at the end (sim_models.c). */
extern const sim_model *const sim_models[];
extern const sim_model sim_particles_model;
extern const sim_model sim_remesh_model;
extern const sim_model sim_curtain_model;
extern const sim_model sim_limit_model;
extern const sim_model sim_splash_model;

#endif
