/* Totals of a run, summed step by step. Scenes of other models than the main cloth have steps, parts and
 * in_body only. */
#ifndef SIM_TALLY_H
#define SIM_TALLY_H

#include "sim_play.h"

/* The deepest penetration: how much nearer than half of the cloth's thickness a vertex came to a body. */
typedef struct sim_depth {
  double depth_m, time_s; /* depth 0: no vertex did */
  int vertex, body;       /* from 0; -1: none */
} sim_depth;

/* Of a scene with layers: sums over steps and bodies, except where a maximum is stated. */
typedef struct sim_layer_tally {
  sim_traverse_counts closest_points;
  long long contacts, extrapolated, grounded, body_iterations, air_iterations;
  double deepest_m, left_m; /* largest depth in a contact offset, before and after it pressed */
  /* rounds of a step, at most; steps after which offsets and limits of edges did not agree; the largest
   * residual of a step's last linear solve of the cloth */
  int rounds_most, unagreed;
  double residual;
  int inverted_most;   /* largest number of inverted tetrahedra */
  int at_limit_most;   /* largest number of edges at their limit */
  long long corrected; /* corrections of edges after the solves */
  double longest;      /* length of the longest edge over its limit, at most, at the ends of steps */
  double friction_J, leaked_J, vented_J, phase_s[SIM_LAYERED_PHASES];
  /* amount n R T; pressure over the ambient, mean by area */
  double air_begin_J[SIM_SCENE_LAYERS], air_end_J[SIM_SCENE_LAYERS], air_end_Pa[SIM_SCENE_LAYERS];
  int inside[SIM_SCENE_LAYERS];     /* vertices of cloth inside the body at the end */
  double least_m[SIM_SCENE_LAYERS]; /* smallest distance from the body, at the end */
  int inside_out[SIM_SCENE_LAYERS]; /* tetrahedra inside out at the end */
} sim_layer_tally;

/* Vertices of cloth inside a rigid body. Held vertices of the main cloth may be there. */
typedef struct sim_in_body {
  int vertices;
  double deepest_m;
} sim_in_body;

typedef struct sim_tally {
  int steps, disagreeing; /* steps; steps after which some contact contradicted its reaction */
  int parts, refused;     /* parts of adaptive steps: taken (at least one per step); taken back */
  long long solves, solver_iterations;
  long long contacts, by_law, extrapolated; /* sums over the steps: sim_step_report */
  long long self_contacts, self_by_law, self_extrapolated, impacts;
  sim_depth deepest;
  sim_cloth_energies begin, end;
  sim_layer_tally layered;
  sim_in_body in_body[SIM_SCENE_BODIES]; /* at the end; of all models */
} sim_tally;

/* Call begin before the first step, add after every step, end after the last one. */
sim_tally sim_tally_begin(const sim_play *play);
void sim_tally_add(sim_tally *t, const sim_play *play, const sim_step_report *report);
CB_CHECKED cb_status sim_tally_end(sim_tally *t, sim_play *play, cb_err *err);
/* Writes what is wrong at the end: how many vertices are inside of which body, and tetrahedra inside out.
 * Returns whether anything is. Call it after sim_tally_end. */
bool sim_tally_faults(const sim_tally *t, const sim_play *play, char *out, size_t size);

/* Returns the change of energy that the ledger does not explain [J]: dissipation of the scheme, and exchange
 * between layers. < 0: lost. */
double sim_tally_unaccounted_J(const sim_tally *t);

#endif
