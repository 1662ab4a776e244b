/* How far a played scene is from converged.
 *
 * A companion plays the same scene on a mesh with edges about twice as long, in steps about twice as long,
 * with four times the solver tolerance. It costs about an eighth of the run. Every vertex of the run is
 * compared with the same material point of the companion. A bound on the run's own error of discretisation is
 * SIM_CONVERGE_FACTOR times the difference. docs/convergence.md has the theory, and the test of the bound
 * against references.
 *
 * Only the main cloth has a companion: sheets that are made by number, no layers, steps of one length. The
 * bits do not depend on the number of threads. SI units. */
#ifndef SIM_CONVERGE_H
#define SIM_CONVERGE_H

#include "sim_play.h"

#define SIM_CONVERGE_FACTOR 2.0

/* A distance between run and companion, and the bound on the run's own error. */
typedef struct sim_converge_distance {
  double difference_m, bound_m;
} sim_converge_distance;

#define SIM_CONVERGE_WHY 600

typedef struct sim_convergence {
  char why[SIM_CONVERGE_WHY]; /* why nothing can be told; "": all below is told */
  int vertices, steps;        /* of the companion */
  /* At the end: root of the mean square over the vertices of the run; the farthest vertex; the probes. A
   * probe's bound is at least that of the rms: a single point can agree by chance. */
  sim_converge_distance rms, worst, probe[SIM_SCENE_PROBES];
  double rms_most_m, rms_most_s; /* the greatest rms difference since the start or resumption, and when */
  sim_cloth_energies run_less_companion; /* at the end */
} sim_convergence;

typedef struct sim_converge sim_converge;

/* Makes the companion of a run at its start. The scene and the run must outlive it. A run without a companion
 * also gets an object, which says why. The caller frees *out with sim_converge_free. Error: CB_E_NOMEM. */
CB_CHECKED cb_status sim_converge_new(const sim_scene *scene, const sim_play *run, sim_converge **out,
                                      cb_err *err);
void sim_converge_free(sim_converge *converge);

/* Returns whether the companion's next step ends no later than the run stands. */
bool sim_converge_behind(const sim_converge *converge);
/* Takes one step of the companion, which must be behind, and compares if the run is less than one of its own
 * steps ahead. Call it after every step of the run, while sim_converge_behind. After a resumption it first
 * catches up. A companion that fails is given up; the statement says why. Error: CB_E_NOMEM. */
CB_CHECKED cb_status sim_converge_step(sim_converge *converge, cb_err *err);

/* Writes the statement. Before both have ended it says that the run has not ended. */
void sim_converge_tell(const sim_converge *converge, sim_convergence *out);

#endif
