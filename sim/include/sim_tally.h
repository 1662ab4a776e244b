/* What a scene that runs came to: counted step by step, told at the end. */
#ifndef SIM_TALLY_H
#define SIM_TALLY_H

#include "sim_play.h"

/* Where a vertex was nearer to a body than half of the cloth's thickness, deepest. */
typedef struct sim_depth {
  double depth_m, time_s; /* 0: nowhere, by more than rounding leaves */
  int vertex, body;       /* from 0; -1: none */
} sim_depth;

typedef struct sim_tally {
  int steps, disagreeing; /* steps; those whose contacts did not agree in time */
  int parts, refused;     /* of adaptive steps: taken, each step at least one; taken back */
  long long solves, solver_iterations;
  long long contacts, by_law, extrapolated; /* sums over the steps: sim_step_report */
  long long layers, layers_by_law, layers_extrapolated, impacts;
  sim_depth deepest;
  sim_energy begin, end;
} sim_tally;

sim_tally sim_tally_begin(const sim_play *play);
/* After every step. */
void sim_tally_add(sim_tally *t, const sim_play *play, const sim_step_report *report);
/* After the last one. */
void sim_tally_end(sim_tally *t, const sim_play *play);

/* What the ledger cannot tell since the beginning [J]: what the scheme took out, and what layers do to each other. < 0: lost. */
double sim_tally_unaccounted_J(const sim_tally *t);

#endif
