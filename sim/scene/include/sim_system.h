/* A scene of one of the other models that runs: name, the section of its model, bodies, gravity, time and output. docs/gallery.md. */
#ifndef SIM_SYSTEM_H
#define SIM_SYSTEM_H

#include "sim_model.h"
#include "sim_scene.h"

typedef struct sim_system sim_system;

/* *out is NULL, without an error, where the file has no section of any of these models: it is a scene of sim_scene.h. Errors: those of the
 * file, and what the model refuses. Caller: sim_system_free. */
CB_CHECKED cb_status sim_system_load(const char *path, sim_system **out, cb_err *err);
CB_CHECKED cb_status sim_system_parse(const char *text, size_t n, const char *name, sim_system **out, cb_err *err);
void sim_system_free(sim_system *system);

const sim_scene *sim_system_scene(const sim_system *system); /* its name, times, output and view */
const sim_model *sim_system_model(const sim_system *system);
void *sim_system_state(sim_system *system); /* the model's own */

/* Steps of one length; how many there are, how many lie behind. */
int sim_system_vertices(sim_system *system); /* of all that is to be seen */
int sim_system_steps(const sim_system *system);
int sim_system_done(const sim_system *system);
CB_CHECKED cb_status sim_system_step(sim_system *system, cb_err *err);

/* All values as they are now, one for each of the model's columns. Returns how many. */
int sim_system_values(sim_system *system, double value[SIM_MODEL_COLUMNS]);

/* What is seen now, as a PNG file; the model's surfaces as one VTK file (sim_write.h). */
CB_CHECKED cb_status sim_system_picture(sim_system *system, const char *path, cb_err *err);
CB_CHECKED cb_status sim_system_write_vtp(sim_system *system, const char *path, cb_err *err);

#endif
