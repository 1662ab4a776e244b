/* Xiao and Geng's experiment (2007, figure 4): a sheet of particles hangs from two corners; k = 20 for all,
 * lambda grows. What a linear spring cannot hold without being too stiff everywhere, the cloth that hangs on
 * the pins, lambda holds: it sags the less.
 *
 * 0.6 m wide, 0.8 m high, 20 x 20 cells, each halved. The paper says neither the cloth's weight nor its shear
 * and bending, nor what a is and in which units: cotton of 0.15 kg/m2 and a = sqrt(area) in metres are ours
 * (docs/conditions.md). */
#ifndef VAL_SAG_H
#define VAL_SAG_H

#include <stdbool.h>

#include "cb_err.h"
#include "sim_mesh.h"
#include "sim_conditions.h"

typedef struct val_sag {
  double k_N_per_m, lambda_N_per_m3; /* of stretch */
  double shear_N_per_m, bend_Nm;
  double areal_density_kg_per_m2;
  int cells; /* along either side */
} val_sag;

typedef struct val_sag_result {
  double sag_m; /* by how much the corner cell's far corner hangs lower than in the cloth as it was made, mean
                   of both pins */
  double pin_strain;   /* the longest side of a triangle at a pin over its length at rest, - 1 */
  double bottom_sag_m; /* the same of the lowest vertex */
  double missed;       /* forces that are out of balance, over the weight */
  int steps;
  bool settled;
  double seconds;
} val_sag_result;

/* k = 20, lambda = 0, shear 5 N/m, bending 1e-5 N m, 0.15 kg/m2, 20 cells. */
val_sag val_sag_default(void);
/* Width x height, its upper left corner at the origin, hanging along -z; warp along the width. Caller:
 * sim_mesh_clear. */
CB_CHECKED cb_status val_sag_mesh(double width_m, double height_m, int columns, int rows, sim_mesh *out,
                                  cb_err *err);
/* Of the sheet, held by its two upper corners. held: for the mesh's vertices. */
sim_conditions_setup val_sag_setup(const val_sag *e, const sim_mesh *mesh, bool *held);
CB_CHECKED cb_status val_sag_run(const val_sag *e, val_sag_result *out, cb_err *err);

#endif
