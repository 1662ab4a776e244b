/* The start of a solve from the last solutions: their combination with the least error in the energy norm
 * (Fischer, Comput. Methods Appl. Mech. Eng. 163:193, 1998). It takes no product: what the matrix makes of a
 * solution is its right side less what was left of it. Where the matrix changes from solve to solve, each two
 * solutions have the energy of the later one's matrix, and the combination is nearly the best. */
#ifndef SIM_GUESS_H
#define SIM_GUESS_H

#include "cb_err.h"

#define SIM_GUESS_KEPT 5 /* solutions */

typedef struct sim_guess {
  int n, kept, next;
  float (*x[SIM_GUESS_KEPT])[4];                 /* solutions, n each */
  float (*ax)[4];                                /* the matrix times the last one */
  double energy[SIM_GUESS_KEPT][SIM_GUESS_KEPT]; /* x_k.A x_l */
  double (*chunk_sum)[SIM_GUESS_KEPT];
} sim_guess;

/* Without solutions. Caller: sim_guess_clear, also after an error. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_guess_init(int n_vertices, sim_guess *out, cb_err *err);
void sim_guess_clear(sim_guess *g);

/* Keeps a solution x of the right side b, of which r was left, in the place of the oldest one. */
void sim_guess_keep(sim_guess *g, float (*x)[4], float (*b)[4], float (*r)[4]);

/* x = the start for the right side b; 0 without solutions. */
void sim_guess_make(const sim_guess *g, float (*b)[4], float (*x)[4]);

#endif
