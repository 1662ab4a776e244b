/* A scene that runs: its mesh, bodies and grips made, and moved step by step. */
#ifndef SIM_PLAY_H
#define SIM_PLAY_H

#include "sim_scene.h"

typedef struct sim_play sim_play;

/* Errors: files that cannot be read, laws that are named but not there, grips that hold no vertex, and what sim_cloth_new refuses. The
 * scene must outlive it. Caller frees with sim_play_free. */
CB_CHECKED cb_status sim_play_new(const sim_scene *scene, sim_play **out, cb_err *err);
void sim_play_free(sim_play *play);

const sim_scene *sim_play_scene(const sim_play *play);
const sim_mesh *sim_play_mesh(const sim_play *play);
sim_cloth *sim_play_cloth(const sim_play *play);

/* Steps of the whole scene, all of one length; how many lie behind, also after a state was loaded. */
int sim_play_steps(const sim_play *play);
int sim_play_done(const sim_play *play);

/* Sets the velocities of bodies and grips that hold in the middle of the step, then takes it.
 *
 * An adaptive scene divides it: into halves, as often as SIM_PLAY_HALVINGS, where contacts do not agree, several linearisations do not
 * settle, an edge's strain changes by more than SIM_PLAY_STRAIN, or a number is not finite; such a part is taken back first. Halves that
 * go easily are joined again. Which lengths are tried depends on the state alone, so that a run that was resumed takes the same. *report
 * sums them up. */
#define SIM_PLAY_HALVINGS 4
#define SIM_PLAY_STRAIN 0.02
CB_CHECKED cb_status sim_play_step(sim_play *play, sim_step_report *report, cb_err *err);

#endif
