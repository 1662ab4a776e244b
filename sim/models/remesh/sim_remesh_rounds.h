/* Rounds of splits, collapses and flips that bring a mesh under edit to its metric. */
#ifndef SIM_REMESH_ROUNDS_H
#define SIM_REMESH_ROUNDS_H

#include "sim_mesh_edit.h"

/* Runs all rounds and fills *report, except report->kept. Error: memory. */
CB_CHECKED cb_status sim_remesh_rounds(sim_mesh_edit *p, sim_remesh_report *report, cb_err *err);

#endif
