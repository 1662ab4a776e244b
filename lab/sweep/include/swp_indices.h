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

typedef struct swp_index {
  double first, first_low, first_high; /* with the 95 % interval of 1000 bootstrap samples of the rows */
  double total, total_low, total_high;
} swp_index;

#endif
