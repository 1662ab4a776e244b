/* Functions of a cloth for this room only. */
#ifndef SIM_CLOTH_ROOM_H
#define SIM_CLOTH_ROOM_H

#include "sim_cloth.h"

/* Positions at the beginning of the last step. */
const double (*sim_cloth_position_before(const sim_cloth *cloth))[3];

/* Writes the outward normal of the body that a vertex lies on; 0 where there is none. normal: per vertex. */
void sim_cloth_support(const sim_cloth *cloth, double (*normal)[3]);

/* Shortens the edges that are longer than their limit, at the end of a step of dt_s. A vertex is not moved
 * against its `support` (sim_cloth_support). Returns the number of corrections. */
int sim_cloth_limit_edges(sim_cloth *cloth, const double (*support)[3], double dt_s);
/* Writes which vertices are ends of edges that are at their limit now. */
void sim_cloth_taut(sim_cloth *cloth, bool *taut);
/* Length of the longest edge over its limit; 0 without limits. *at_limit: edges that are longer than it. */
double sim_cloth_longest_edge(const sim_cloth *cloth, int *at_limit);

/* Sum of the forces of a body on the cloth in the last step, friction included [N]. */
void sim_cloth_body_force(const sim_cloth *cloth, int body, double force_N[3]);

/* The residual of the present positions at rest, as in sim_settle_report. */
double sim_cloth_residual(sim_cloth *cloth);

/* Appends a checkpoint to out, which is empty: "CBCLOTH" 0, u32 version, u64 hash, u32 vertices, u32 bodies,
 * the state, u32 CRC-32 of all before. Little-endian. If memory is short, out->failed is set. */
void sim_cloth_checkpoint(const sim_cloth *cloth, cb_bytes *out);
/* Restores a cloth from n bytes of a checkpoint. name: of the file, for errors. Errors leave the cloth
 * unchanged: not a checkpoint, another version, damaged, another cloth, impossible numbers. */
CB_CHECKED cb_status sim_cloth_restore(sim_cloth *cloth, const unsigned char *data, size_t n,
                                       const char *name, cb_err *err);

#endif
