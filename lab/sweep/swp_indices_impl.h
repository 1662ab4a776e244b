#ifndef SWP_INDICES_IMPL_H
#define SWP_INDICES_IMPL_H

#include "swp_home.h"

/* A co-ordinate of a case's point in the unit cube. */
double swp_index_unit(const swp_plan *plan, int index, int variable);

/* figure: of each case of the plan; NAN: not there. A row with a missing case is left out. Errors:
 * CB_E_RANGE if the plan's design is another, fewer than 8 rows count, or the figure does not vary;
 * CB_E_NOMEM. */
CB_CHECKED cb_status swp_indices(const swp_plan *plan, const double *figure, swp_sensitivity *out,
                                 cb_err *err);

#endif
