/* The bounds of the wanted metric. */
#ifndef SIM_REMESH_SIZE_H
#define SIM_REMESH_SIZE_H

#include "sim_remesh.h"

/* Brings the wanted lengths and the aspect of metric (M_uu, M_uv, M_vv) [1/m2] within the rules. */
void sim_remesh_limit(const sim_remesh_rules *rules, double metric[3]);

#endif
