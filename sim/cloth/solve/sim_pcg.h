/* Filtered preconditioned conjugate gradients (Baraff, Witkin, SIGGRAPH 1998; filtered preconditioner:
 * Ascher, Boxerman, Visual Computer 19:526, 2003): P A P x = P b with the projection P of the constraints,
 * preconditioned by P M^-1 P. x keeps what it has in the constrained directions: set it there to what the
 * supports do before. */
#ifndef SIM_PCG_H
#define SIM_PCG_H

#include "cb_err.h"
#include "sim_spring.h"
#include "sim_matrix.h"
#include "sim_multilevel.h"

typedef enum sim_pcg_outcome {
  SIM_PCG_CONVERGED,
  SIM_PCG_MAX_ITERATIONS,
  SIM_PCG_INDEFINITE, /* the matrix or the preconditioner is not positive definite; x is the last good one */
  SIM_PCG_NOT_FINITE, /* a NaN or infinity came in or arose */
  SIM_PCG_ROUNDING    /* single precision leaves nothing to gain: the residual grew to a thousand times the
                         least; x is from near that */
} sim_pcg_outcome;
extern const char *const sim_pcg_outcome_text[];

typedef struct sim_pcg {
  int n;
  float (*r)[4]; /* after a solve: b - A x, with what the constraints hold against */
  float (*z)[4], (*p)[4], (*q)[4], (*held)[3];
  float (*best)[4]; /* x of about the least residual */
  double *chunk_sum;
  sim_springs *const *springs; /* bodies in the same system; not owned */
  int n_springs;
} sim_pcg;

/* r.M^-1 r, of cloth and bodies, and of the cloth alone: next to a heavy body that moves as it should a light
 * cloth might do anything. */
typedef struct sim_pcg_size {
  double all, cloth;
} sim_pcg_size;

typedef struct sim_pcg_result {
  sim_pcg_outcome outcome;
  int iterations;
  double residual; /* the root of the residual's size over the reference, of all or of the cloth, whichever is
                      more */
  sim_pcg_size reference; /* of b with what the constrained part of x takes off, or `least` where that is
                             more */
} sim_pcg_result;

CB_CHECKED cb_status sim_pcg_init(int n_vertices, sim_pcg *out, cb_err *err);
void sim_pcg_clear(sim_pcg *s);

/* Takes what the constraints fix from v. */
void sim_pcg_filter(const sim_constraint *constraints, int n, float (*v)[4]);

/* x: start and solution. Ends at residual <= tolerance or after max_iterations. least: what the residual is
 * measured against at least; the reference of an earlier solve of the same step makes corrections as good as
 * the whole, not as good as themselves. */
sim_pcg_result sim_pcg_solve(sim_pcg *s, sim_matrix *a, sim_multilevel *preconditioner,
                             const sim_constraint *constraints, int n_constraints, float (*b)[4],
                             float (*x)[4], double tolerance, sim_pcg_size least, int max_iterations);

#endif
