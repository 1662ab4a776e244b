/* What the table of simulated drapes foretells of a cloth at once, without a simulation, and which of its
 * properties make that doubtful. First order in the logarithms; docs/method/drape-at-once.md. */
#ifndef VAL_DRAPE_FORESEEN_H
#define VAL_DRAPE_FORESEEN_H

#include "val_drape_table.h"

typedef struct val_drape_foreseen {
  bool known; /* false: the table has no such discs, or the cloth lies outside of it; all else is 0 */
  double coefficient, lo95, hi95; /* of one drape */
  /* Shares of the variance, of the coefficient's logit: of each property, between layings of one cloth, of
   * table and simulation. They add up to 1. */
  double share[VAL_DRAWN_AXES], share_laying, share_table;
} val_drape_foreseen;

/* Foretells the drapes of e, whose scores, seeds and vertices do not count. */
void val_drape_foresee(const val_drape_model *m, const val_drape_many *e, val_drape_foreseen *out);

#endif
