/* Which variable makes a figure vary: Sobol's indices of sensitivity (Math. Comput. Simul. 55:271, 2001).
 *
 *   first   share of the figure's variance that goes if this variable alone is known
 *   total   share that stays if all others are known
 *
 * The design has two independent points A and B per row, and A with one variable from B after the other
 * (Saltelli et al., Comput. Phys. Commun. 181:259, 2010). first = mean f(B) (f(AB) - f(A)) / V (their table
 * 2, b); total = mean (f(A) - f(AB))^2 / 2 V (Jansen, Comput. Phys. Commun. 117:35, 1999). */
#ifndef SWP_INDICES_H
#define SWP_INDICES_H

#include "swp_plan.h"

typedef struct swp_index {
  double first, first_low, first_high; /* with the 95 % interval of 1000 bootstrap samples of the rows */
  double total, total_low, total_high;
} swp_index;

/* figure: of each case of the plan; NAN: not there. A row with a missing case is left out. Fills one index
 * per variable, and the number of rows that count. Errors: CB_E_RANGE if the plan's design is another, fewer
 * than 8 rows count, or the figure does not vary; CB_E_NOMEM. */
CB_CHECKED cb_status swp_indices(const swp_plan *plan, const double *figure, swp_index *out, int *n_rows,
                                 cb_err *err);

#endif
