/* Sheet slide: a sheet on the contact offset of a tilted body, prescribed or elastic. It holds below the
 * angle of friction and slides by Newton's law above it. The body receives the momentum that friction takes.
 *
 * Reference: the rigid body of the sheet's mass and area, a = g sin(angle) - F_k/m, with F_k by the law per
 * area in the direction of sliding. Steps are backward Euler's: velocities from rest are exact;
 * displacements are not compared. */
#ifndef VAL_SHEET_H
#define VAL_SHEET_H

#include "cb_permeability_law.h"
#include "sim_cloth.h"
#include "sim_mesh.h"

typedef enum val_sheet_body {
  VAL_SHEET_PRESCRIBED,
  VAL_SHEET_ELASTIC, /* elastic, its bottom held */
  VAL_SHEET_FREE     /* elastic, not held, without weight */
} val_sheet_body;
extern const char *const val_sheet_body_names[]; /* "prescribed", "elastic", "free", NULL */

typedef struct val_sheet {
  sim_friction friction;
  const sim_material *cloth; /* not owned; NULL: isotropic, 1000 N/m, 1e-5 N m, of the areal density below */
  const cb_permeability_law *air; /* of the cloth, for the air under the sheet; not owned; NULL: no air */
  double areal_density_kg_per_m2, side_m;
  double load_kg; /* mass that rides on the sheet, evenly */
  double gravity_m_per_s2;
  int vertices;
  double angle_rad;  /* of the slope */
  double turned_rad; /* of the downhill direction, from the warp */
  val_sheet_body body;
  double room_m; /* length of the block ahead of the sheet */
  double young_Pa, poisson;
  double dt_s, duration_s;
} val_sheet;

typedef struct val_sheet_result {
  int vertices, extrapolated;
  double acceleration_m_per_s2, expected_m_per_s2; /* of the sheet's centre of mass, downhill */
  double largest_m, late_m; /* greatest displacement of a vertex along the body: in all, in the second half */
  double friction_Ns, expected_friction_Ns; /* impulse on the body along the slope, if it is free */
  double momentum_error; /* of both together, over the impulse of the weight; if it is free */
  double seconds;
} val_sheet_result;

#define VAL_SHEET_TOLERANCE 0.01
#define VAL_SHEET_DRIFT_M 1e-6
#define VAL_SHEET_RELEASE_RAD (0.2 * 3.14159265358979323846 / 180)

/* Returns mu = 0.3 and a sheet of 0.15 m, 0.15 kg/m2 and about 200 vertices, on a prescribed block at 25
 * degrees, for 0.2 s in steps of 2 ms. */
val_sheet val_sheet_default(void);

#endif
