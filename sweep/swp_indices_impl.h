#ifndef SWP_INDICES_IMPL_H
#define SWP_INDICES_IMPL_H

#include "swp_indices.h"

/* A co-ordinate of a case's point in the unit cube. */
double swp_index_unit(const swp_plan *plan, int index, int variable);

#endif
