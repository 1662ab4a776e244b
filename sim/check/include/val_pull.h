/* The rig's pull, simulated by cloth in layers: a sheet as large as the sled's contact and as heavy as the
 * sled is drawn over a body by the sled's link.
 *
 * On the rig the body is under the sled and the cloth on the bed. Here the cloth moves and the body lies.
 * Friction is the same: force per area, law, pressure, direction in the cloth. The link is that of
 * sim_sled.h, with its free play. Its force is that at the start of a step, so errors are of first order in
 * the step.
 *
 * The grip says how the bed holds the cloth. Held over its whole area, the cloth moves as one piece, and the
 * reference is sim_sled, the same pull of a rigid body. Held at the edge towards the pull, the cloth
 * stretches: slip starts at that edge and runs through the sheet. With one friction traction tau = F_k/A and
 * a stiffness E per width w, quasi-static and one-dimensional, the edge has moved u = F^2 / (2 E tau w^2)
 * when the force is F <= F_k. */
#ifndef VAL_PULL_H
#define VAL_PULL_H

#include "sim_sled.h"
#include "val_sheet.h"

typedef enum val_pull_grip { VAL_PULL_AREA, VAL_PULL_EDGE } val_pull_grip;

typedef struct val_pull {
  val_sheet_body body; /* prescribed or elastic */
  double young_Pa, poisson;
  val_pull_grip grip;
  const sim_material *cloth;      /* not owned; NULL: isotropic, of at most 0.15 kg/m2 */
  const cb_permeability_law *air; /* of the air under the cloth; not owned; NULL: no air */
  int vertices;
  double dt_s; /* longest step */
} val_pull;

/* Returns a prescribed body (1 MPa, 0.3 if elastic), a cloth held over its area, about 100 vertices and steps
 * of 0.25 ms. */
val_pull val_pull_default(void);

typedef struct val_pull_result {
  cb_trace trace;  /* as sim_sled_result.trace */
  double across_m; /* displacement of the grip across the pull */
  int vertices, extrapolated;
  double seconds;
} val_pull_result;

/* Runs the pull with the sled's mass, gravity, area, laws, pull, duration and rate; its bed must be level.
 * The caller clears *out with val_pull_clear; after an error it is empty. Errors: those of sim_sled_check
 * and sim_layered_new; a number out of range, such as a sheet that is heavier than the sled. */
CB_CHECKED cb_status val_pull_run(const val_pull *e, const sim_sled *sled, val_pull_result *out, cb_err *err);
void val_pull_clear(val_pull_result *r);

#endif
