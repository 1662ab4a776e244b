/* Totals of a run of the main cloth, with or without layers: counted at every step, reported at the end. */
#ifndef SIM_TALLY_H
#define SIM_TALLY_H

#include "sim_play.h"

/* The deepest place: a vertex nearer to a body than half of the cloth's thickness. */
typedef struct sim_depth {
  double depth_m, time_s; /* depth_m 0: no such vertex, up to rounding */
  int vertex, body;       /* from 0; -1: none */
} sim_depth;

/* Totals of layers: sums over the steps and all bodies, except where a comment says greatest. */
typedef struct sim_layer_tally {
  sim_traverse_counts closest_points;
  long long contacts, extrapolated, grounded, body_iterations, air_iterations;
  double deepest_m, left_m; /* greatest depth in the contact offset before it pressed, and after */
  int inverted_most;        /* greatest number of inverted tetrahedra */
  double friction_J, leaked_J, vented_J, phase_s[SIM_LAYERED_PHASES];
  /* J: amount of air; Pa: over the ambient pressure, mean by area */
  double air_begin_J[SIM_SCENE_LAYERS], air_end_J[SIM_SCENE_LAYERS], air_end_Pa[SIM_SCENE_LAYERS];
  int inside[SIM_SCENE_LAYERS];     /* vertices inside the body at the end */
  double least_m[SIM_SCENE_LAYERS]; /* least distance from the body at the end */
} sim_layer_tally;

typedef struct sim_tally {
  int steps, disagreeing; /* steps; steps whose contacts did not agree in the iterations allowed */
  int parts, refused;     /* parts of steps: taken, at least one per step; taken back */
  long long solves, solver_iterations;
  long long contacts, by_law, extrapolated; /* sums over the steps: sim_step_report */
  long long self_contacts, self_by_law, self_extrapolated, impacts;
  sim_depth deepest;
  sim_cloth_energies begin, end;
  sim_layer_tally three;
} sim_tally;

/* Starts the totals. The play must be one of the main cloth and must not have moved yet. */
sim_tally sim_tally_begin(const sim_play *play);
/* Adds a step; call it after every sim_play_step with its report. */
void sim_tally_add(sim_tally *t, const sim_play *play, const sim_step_report *report);
/* Adds the values at the end; call it after the last step. Error: memory. */
CB_CHECKED cb_status sim_tally_end(sim_tally *t, const sim_play *play, cb_err *err);

/* Returns the energy that the ledger does not account for since the start [J]: what the time scheme
 * dissipated, and what layers exchanged. < 0: lost. */
double sim_tally_unaccounted_J(const sim_tally *t);

#endif
