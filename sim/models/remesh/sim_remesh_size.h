/* A wanted metric between the limits of the rules. */
#ifndef SIM_REMESH_SIZE_H
#define SIM_REMESH_SIZE_H

#include "sim_remesh.h"

void sim_remesh_limit(const sim_remesh_rules *rules, double metric[3]);

#endif
