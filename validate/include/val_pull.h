/* The rig's pull by the three layers: a sheet as large as the sled's contact and as heavy as the sled is
 * drawn over a body by the sled's link.
 *
 * On the rig the body is under the sled and the cloth on the bed; here the cloth moves and the body lies.
 * Friction is the same force per area, by the same law, under the same pressure, in the same direction of
 * the cloth. The link is that of sim_sled.h, with its free play; it draws all of the sheet alike, so that
 * only friction is left to the layers. Its force is that of the beginning of a step: errors are of first
 * order in it.
 *
 * Reference: sim_sled, the same pull of a rigid body. */
#ifndef VAL_PULL_H
#define VAL_PULL_H

#include "sim_sled.h"
#include "val_sheet.h"

typedef struct val_pull {
  val_sheet_body body; /* prescribed or elastic */
  double young_Pa, poisson;
  int vertices;
  double dt_s; /* samples are divided into steps of at most this */
} val_pull;

/* Prescribed; 1 MPa, 0.3; about 100 vertices; 0.25 ms. */
val_pull val_pull_default(void);

typedef struct val_pull_result {
  cb_trace trace;  /* as sim_sled's */
  double across_m; /* way of the sheet's middle aside of the pull */
  int vertices, extrapolated;
  double seconds;
} val_pull_result;

/* The sled's mass, gravity, area, laws, pull, duration and rate count; its bed is level. Errors: those of
 * sim_sled_check and sim_layered_new. On failure *out is cleared. Caller: val_pull_clear. */
CB_CHECKED cb_status val_pull_run(const val_pull *e, const sim_sled *sled, val_pull_result *out, cb_err *err);
void val_pull_clear(val_pull_result *r);

#endif
