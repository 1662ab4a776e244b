/* What this room, but no other, reads of a cloth between steps. */
#ifndef SIM_CLOTH_ROOM_H
#define SIM_CLOTH_ROOM_H

#include "sim_cloth.h"

/* Positions at the begin of the last step. */
const double (*sim_cloth_position_before(const sim_cloth *cloth))[3];

/* Outward normal of what a vertex lies on, of the cloth's own bodies; 0 where there is nothing. normal: per
 * vertex. */
void sim_cloth_support(const sim_cloth *cloth, double (*normal)[3]);

/* Sum of the forces of a body on the cloth in the last step, friction included. */
void sim_cloth_body_force(const sim_cloth *cloth, int body, double force_N[3]);

/* What is out of balance in the present positions, at rest, as sim_settle_report.residual has it. */
double sim_cloth_residual(sim_cloth *cloth);

/* The file that sim_cloth_save wrote. Errors: there is none; those of sim_cloth_restore. */
CB_CHECKED cb_status sim_cloth_load(sim_cloth *cloth, const char *path, cb_err *err);

#endif
