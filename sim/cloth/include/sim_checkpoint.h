/* The state of a cloth as a file, from which a run goes on as if it had never stopped, to the bit.
 *
 * Only the state is kept: time, positions and velocities of this step and of the one before, what every vertex knows of its contact, the
 * bodies' places and motion, and the list of places of the cloth that are near each other. All else is the setup's: loading wants a cloth
 * made from an equal one, told by a hash of the mesh, the material, the rest curvature, the grips, loads and tethers, and the method.
 * Bodies are compared by their number and shapes; laws of friction are the caller's to keep.
 *
 * Bytes, little-endian: "CBCLOTH" 0, u32 version, u64 hash, u32 vertices, u32 bodies, the state, u32 CRC-32 of all before. */
#ifndef SIM_CHECKPOINT_H
#define SIM_CHECKPOINT_H

#include <stddef.h>

#include "sim_cloth.h"

/* The file appears whole or not at all. */
CB_CHECKED cb_status sim_cloth_save(const sim_cloth *cloth, const char *path, cb_err *err);

/* Errors, with the cloth as it was: no such file, not a checkpoint, of another version, damaged, of another cloth, numbers that no cloth
 * can have. name: of the file, for the sentence. */
CB_CHECKED cb_status sim_cloth_load(sim_cloth *cloth, const char *path, cb_err *err);
CB_CHECKED cb_status sim_cloth_restore(sim_cloth *cloth, const unsigned char *data, size_t n, const char *name, cb_err *err);

#endif
