/* What a scene that runs came to: counted step by step, told at the end. */
#ifndef SIM_TALLY_H
#define SIM_TALLY_H

#include "sim_play.h"

/* Where a vertex was nearer to a body than half of the cloth's thickness, deepest. */
typedef struct sim_depth {
  double depth_m, time_s; /* 0: nowhere, by more than rounding leaves */
  int vertex, body;       /* from 0; -1: none */
} sim_depth;

/* Of a scene with layers: sums over the steps and all bodies, but for what is said to be the most of any. */
typedef struct sim_layer_tally {
  sim_traverse_counts closest_points;
  long long contacts, extrapolated, grounded, body_iterations, air_iterations;
  double deepest_m, left_m; /* into the contact offset before it pressed, and after: the most */
  int inverted_most;        /* tetrahedra inside out: the most */
  double friction_J, leaked_J, vented_J, phase_s[SIM_LAYERED_PHASES];
  /* Pa: over the ambient, mean by area */
  double air_begin_J[SIM_SCENE_LAYERS], air_end_J[SIM_SCENE_LAYERS], air_end_Pa[SIM_SCENE_LAYERS];
  int inside[SIM_SCENE_LAYERS];     /* vertices in the body, at the end */
  double least_m[SIM_SCENE_LAYERS]; /* smallest distance from the body, at the end */
} sim_layer_tally;

typedef struct sim_tally {
  int steps, disagreeing; /* steps; those whose contacts did not agree in time */
  int parts, refused;     /* of adaptive steps: taken, each step at least one; taken back */
  long long solves, solver_iterations;
  long long contacts, by_law, extrapolated; /* sums over the steps: sim_step_report */
  long long self_contacts, self_by_law, self_extrapolated, impacts;
  sim_depth deepest;
  sim_cloth_energies begin, end;
  sim_layer_tally layered;
} sim_tally;

sim_tally sim_tally_begin(const sim_play *play);
/* After every step. */
void sim_tally_add(sim_tally *t, const sim_play *play, const sim_step_report *report);
/* After the last one. */
CB_CHECKED cb_status sim_tally_end(sim_tally *t, const sim_play *play, cb_err *err);

/* What the ledger cannot tell since the beginning [J]: what the scheme took out, and what layers do to each
 * other. < 0: lost. */
double sim_tally_unaccounted_J(const sim_tally *t);

#endif
