/* Files of a sweep and its indices, for lab/sweep/. */
#ifndef SWP_HOME_IMPL_H
#define SWP_HOME_IMPL_H

#include "swp_home.h"

/* Returns out with the path of a file of the folder. */
const char *swp_home_path(const swp_home *home, const char *name, char out[SWP_HOME_BYTES + 64]);

typedef cb_status swp_file_use(const swp_home *home, const char *path, void *context, cb_err *err);
/* Calls `use` with the path of each file of rows, results.db first, then the shards by name. */
CB_CHECKED cb_status swp_home_each_file(const swp_home *home, swp_file_use *use, void *context, cb_err *err);

/* A co-ordinate of a case's point in the unit cube. */
double swp_index_unit(const swp_plan *plan, int index, int variable);

/* figure: of each case of the plan; NAN: not there. A row with a missing case is left out. Errors:
 * CB_E_RANGE if the plan's design is another, fewer than 8 rows count, or the figure does not vary;
 * CB_E_NOMEM. */
CB_CHECKED cb_status swp_indices(const swp_plan *plan, const double *figure, swp_sensitivity *out,
                                 cb_err *err);

#endif
