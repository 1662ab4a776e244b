/* The rounds of operations by which a mesh under edit follows its metric. */
#ifndef SIM_REMESH_ROUNDS_H
#define SIM_REMESH_ROUNDS_H

#include "sim_mesh_edit.h"

/* Counts into the report, and measures what came out. */
CB_CHECKED cb_status sim_remesh_rounds(sim_mesh_edit *p, sim_remesh_report *report, cb_err *err);

#endif
