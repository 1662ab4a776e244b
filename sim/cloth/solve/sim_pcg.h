/* Filtered preconditioned conjugate gradients (Baraff, Witkin, SIGGRAPH 1998; filtered preconditioner:
 * Ascher, Boxerman, Visual Computer 19:526, 2003). Solves P A P x = P b with the projection P of the
 * constraints and the preconditioner P M^-1 P. x keeps its part in the constrained directions: set it to the
 * motion of the supports first. */
#ifndef SIM_PCG_H
#define SIM_PCG_H

#include "cb_err.h"
#include "sim_spring.h"
#include "sim_matrix.h"
#include "sim_multilevel.h"

typedef enum sim_pcg_outcome {
  SIM_PCG_CONVERGED,
  SIM_PCG_MAX_ITERATIONS,
  /* The matrix or the preconditioner is not positive definite; x is the last good one. */
  SIM_PCG_INDEFINITE,
  SIM_PCG_NOT_FINITE, /* a NaN or infinity in the input or in the iteration */
  /* Single precision allows no progress: the residual grew to a thousand times the least; x is from near the
   * least. */
  SIM_PCG_ROUNDING
} sim_pcg_outcome;

/* The size of a residual, r.M^-1 r: of cloth and bodies, and of the cloth alone. The cloth's own part is
 * needed because the residual of a light cloth is negligible beside a heavy body's. */
typedef struct sim_pcg_size {
  double all, cloth;
} sim_pcg_size;

/* The solver's vectors, n each. */
typedef struct sim_pcg {
  int n;
  /* After a solve: b - A x, including the forces of the constraints. */
  float (*r)[4];
  float (*z)[4], (*p)[4], (*q)[4], (*held)[3];
  float (*best)[4]; /* x near the least residual */
  double *chunk_sum;
  sim_pcg_size size;           /* of r without them */
  sim_springs *const *springs; /* bodies in the same system; not owned */
  int n_springs;
  double share; /* of a start that is scaled; 0: what is best for the energy. Set before a solve */
} sim_pcg;

typedef struct sim_pcg_result {
  sim_pcg_outcome outcome;
  int iterations;
  /* Root of the residual's size over the reference: of all or of the cloth, whichever is more. */
  double residual;
  /* The size of b less the constrained part of x, or `least` where that is more. */
  sim_pcg_size reference;
} sim_pcg_result;

/* Allocates the vectors. Caller: sim_pcg_clear, also after an error. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_pcg_init(int n_vertices, sim_pcg *out, cb_err *err);
void sim_pcg_clear(sim_pcg *s);

/* Removes the constrained part from v. */
void sim_pcg_filter(const sim_constraint *constraints, int n, float (*v)[4]);

/* Solves the system. x: start and solution. Without springs a start is scaled first. Where no share is set,
 * none is worse than 0; else the share is taken, and more of what the cloth moves as a whole. Ends at
 * residual <= tolerance or after max_iterations. least: lower bound of the reference. With the reference of
 * an earlier solve of the same step, a correction is as exact as the whole step, and no more. */
sim_pcg_result sim_pcg_solve(sim_pcg *s, sim_matrix *a, sim_multilevel *preconditioner,
                             const sim_constraint *constraints, int n_constraints, float (*b)[4],
                             float (*x)[4], double tolerance, sim_pcg_size least, int max_iterations);

/* Goes on with the last solve, which converged, and its directions to a smaller tolerance. b: memory for what
 * was left of the right side; x: the further solution, from 0. The rest is as it was. */
sim_pcg_result sim_pcg_go_on(sim_pcg *s, sim_matrix *a, sim_multilevel *preconditioner,
                             const sim_constraint *constraints, int n_constraints, float (*b)[4],
                             float (*x)[4], double tolerance, sim_pcg_size reference, int max_iterations);

/* The residual's size over the reference, as in the result of a solve, for what the caller made of r. Filters
 * r. */
double sim_pcg_measure(sim_pcg *s, sim_multilevel *preconditioner, const sim_constraint *constraints,
                       int n_constraints, sim_pcg_size reference);

#endif
