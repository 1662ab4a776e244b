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

/* The state of sim_cloth_archive by itself: "CBCLOTH" 0, u32 version, u64 hash, u32 vertices, u32 bodies, the
 * state, u32 CRC-32 of all before. Little-endian. out: empty. */
void sim_cloth_checkpoint(const sim_cloth *cloth, cb_bytes *out);
/* As a file, which appears whole or not at all. */
CB_CHECKED cb_status sim_cloth_save(const sim_cloth *cloth, const char *path, cb_err *err);
/* Errors, with the cloth as it was: not a checkpoint, of another version, damaged, of another cloth, numbers
 * that no cloth can have. name: of the file, for the sentence. */
CB_CHECKED cb_status sim_cloth_restore(sim_cloth *cloth, const unsigned char *data, size_t n,
                                       const char *name, cb_err *err);
/* The file that sim_cloth_save wrote. Errors: there is none; those of sim_cloth_restore. */
CB_CHECKED cb_status sim_cloth_load(sim_cloth *cloth, const char *path, cb_err *err);

#endif
