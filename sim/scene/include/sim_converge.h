/* How far a played scene is from converged.
 *
 * A companion plays the same scene on a mesh with edges about twice as long, in steps about twice as long,
 * with four times the solver tolerance. It costs about an eighth of the run. After every step of the
 * companion, every vertex of the run is compared with the same material point of the companion. The bound on
 * the run's own error of discretisation is SIM_CONVERGE_FACTOR times the greatest difference during the run.
 * docs/method/convergence.md has the theory, and the test of the bound against references.
 *
 * Only the main cloth has a companion: sheets that are made by number, no layers, steps of one length, a run
 * from its start. The bits do not depend on the number of threads. SI units. */
#ifndef SIM_CONVERGE_H
#define SIM_CONVERGE_H

#include "sim_play.h"

#define SIM_CONVERGE_FACTOR 2.0

/* A distance between run and companion, and the bound on the run's own error at any time. */
typedef struct sim_converge_distance {
  double end_m, most_m; /* at the end; the greatest at the ends of the companion's steps */
  double bound_m;
} sim_converge_distance;

#define SIM_CONVERGE_WHY 600

typedef struct sim_convergence {
  char why[SIM_CONVERGE_WHY]; /* why nothing can be told; "": all below is told */
  int vertices, steps;        /* of the companion */
  /* Root of the mean square over the vertices of the run; the farthest vertex; the probes. A probe's bound is
   * at least half of that of the rms: a single point can agree by chance. */
  sim_converge_distance rms, worst, probe[SIM_SCENE_PROBES];
  double rms_most_s;                     /* when the rms was greatest */
  sim_cloth_energies run_less_companion; /* at the end */
} sim_convergence;

typedef struct sim_converge sim_converge;

/* Makes the companion of a run. The scene and the run must outlive it. A run without a companion also gets an
 * object, which says why. The caller frees *out with sim_converge_free. Error: CB_E_NOMEM. */
CB_CHECKED cb_status sim_converge_new(const sim_scene *scene, const sim_play *run, sim_converge **out,
                                      cb_err *err);
void sim_converge_free(sim_converge *converge);

/* Plays the companion as far as the run stands, and compares. Call it after every step of the run. A
 * companion that fails is given up; the statement says why. Error: CB_E_NOMEM. */
CB_CHECKED cb_status sim_converge_follow(sim_converge *converge, cb_err *err);

/* Writes the statement. Before the run has ended it says so. */
void sim_converge_tell(const sim_converge *converge, sim_convergence *out);

#endif
