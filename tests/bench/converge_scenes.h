/* Random scenes, each played as a run with its statement of convergence and as a reference, for
 * bench_converge.c and a test. */
#ifndef CONVERGE_SCENES_H
#define CONVERGE_SCENES_H

#include <stdint.h>

#include "sim_converge.h"

typedef enum converge_kind {
  CONVERGE_CORNERS, /* hung by two corners: it swings and sags */
  CONVERGE_EDGE,    /* hung by an edge: it swings down */
  CONVERGE_SPHERE,  /* falls on a sphere */
  CONVERGE_PLANE,   /* falls, inclined, on a plane */
  CONVERGE_GRIPS,   /* two edges are moved: together, apart, along each other */
  CONVERGE_SHAKEN,  /* two corners are moved to and fro */
  CONVERGE_PUSHED,  /* hung by an edge, pushed by a sphere */
  CONVERGE_KINDS
} converge_kind;
extern const char *const converge_kind_names[CONVERGE_KINDS];

#define CONVERGE_PROBES 2
#define CONVERGE_TEXT 2000

typedef struct converge_case {
  converge_kind kind;
  char run[CONVERGE_TEXT], reference[CONVERGE_TEXT]; /* scene files */
} converge_case;

/* Writes the scene of a seed and number. The same numbers give the same scene. The reference has edges half
 * as long, steps a fourth as long and a solver tolerance of 1e-8. */
void converge_case_make(uint64_t seed, int number, converge_case *out);

typedef struct converge_outcome {
  int vertices, steps; /* of the run */
  sim_convergence told;
  /* Distances of the run from the reference: at the end; the greatest after any step of the run. */
  sim_converge_distance rms, worst, probe[CONVERGE_PROBES];
  double run_s, companion_s, reference_s; /* processor time, the making included */
} converge_outcome;

/* Plays run, companion and reference. Errors: those of the player; memory. */
CB_CHECKED cb_status converge_case_play(const converge_case *c, converge_outcome *out, cb_err *err);

#endif
