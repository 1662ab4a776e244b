/* What the models carry from step to step, saved and loaded (sim_archive.h): with it, and made from the same
 * setup, the next step has the same bits. Reading changes a model before it fails, but never into one whose
 * step is not safe. */
#ifndef SIM_MODELS_ARCHIVE_H
#define SIM_MODELS_ARCHIVE_H

#include "sim_archive.h"
#include "sim_curtain.h"
#include "sim_limit.h"
#include "sim_particles.h"
#include "sim_remesh.h"
#include "sim_splash.h"

void sim_limit_archive(sim_limit *limit, sim_archive *a); /* multipliers; its cloth is another's */
void sim_limit_report_archive(sim_limit_report *report, sim_archive *a);
void sim_particles_archive(sim_particles *particles, sim_archive *a); /* places and velocities */
void sim_curtain_archive(sim_curtain *curtain, sim_archive *a); /* places, velocities, tensions, the hand */
void sim_fluid_archive(sim_fluid *fluid,
                       sim_archive *a); /* particles in their order, pressures, what contacts helped */
void sim_splash_archive(sim_splash *splash,
                        sim_archive *a); /* what seeped; fluid and sheet are archived by themselves */

/* The mesh as it was torn, places and velocities. Errors: those of sim_mesh_build, memory. */
CB_CHECKED cb_status sim_sheet_archive(sim_sheet *sheet, sim_archive *a, cb_err *err);
/* The mesh as it is now with its cloth. A file that is wrong changes nothing. Errors: those of sim_mesh_build
 * and sim_cloth_restore. */
CB_CHECKED cb_status sim_remesh_archive(sim_remesh *remesh, sim_archive *a, cb_err *err);

#endif
