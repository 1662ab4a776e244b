/* Sag: the experiment of Xiao and Geng (2007, figure 4). A sheet under conditions (sim_conditions.h) hangs
 * from two corners with k = 20 throughout and a growing lambda. A linear spring that is soft enough for
 * cloth stretches too far at the pins; lambda limits this, and the sheet sags less.
 *
 * The sheet is 0.6 m wide and 0.8 m high, with 20 x 20 cells, each halved. The paper gives neither weight,
 * shear nor bending, nor the meaning and units of a. Cotton of 0.15 kg/m2 and a = sqrt(area) in metres are
 * ours (docs/method/conditions.md). */
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
  double sag_m;        /* by how much the far corner of the corner cell is lower than as made, mean of both
                          pins */
  double pin_strain;   /* greatest strain of a side of a triangle at a pin */
  double bottom_sag_m; /* as sag_m, of the lowest vertex */
  double missed;       /* unbalanced forces over the weight */
  int steps;
  bool settled;
  double seconds;
} val_sag_result;

/* Returns k = 20, lambda = 0, shear 5 N/m, bending 1e-5 N m, 0.15 kg/m2 and 20 cells. */
val_sag val_sag_default(void);
CB_CHECKED cb_status val_sag_run(const val_sag *e, val_sag_result *out, cb_err *err);

#endif
