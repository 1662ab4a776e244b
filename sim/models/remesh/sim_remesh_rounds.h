/* The rounds of operations by which a patchwork follows its metric. */
#ifndef SIM_REMESH_ROUNDS_H
#define SIM_REMESH_ROUNDS_H

#include "sim_patchwork.h"

/* Counts into the report, and measures what came out. */
CB_CHECKED cb_status sim_remesh_rounds(sim_patchwork *p, sim_remesh_report *report, cb_err *err);

#endif
