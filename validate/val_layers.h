/* Private to validate/: a case around a ball, with air between, as the experiments on air have it. */
#ifndef VAL_LAYERS_H
#define VAL_LAYERS_H

#include "sim_mesh.h"
#include "sim_layered.h"

typedef struct val_layers {
  sim_mesh mesh;
  sim_tets tets;
  sim_material material;
  bool *gripped;
  sim_layered_body body;
  sim_layered_setup setup; /* without gravity */
} val_layers;

/* Of cells x cells quads on either side, radius case_m; the ball, of ball_m, has a prescribed motion. The
 * setup may be changed before sim_layered_new, and must stay where it is: it points into itself. rigid: the
 * case is gripped. Caller: val_layers_clear, even after a failure. */
CB_CHECKED cb_status val_layers_make(val_layers *l, double case_m, int cells, double ball_m, int ball_cells,
                                     bool rigid, cb_err *err);
void val_layers_clear(val_layers *l);

/* The body's surface becomes that of the tetrahedra, which must outlive it. */
void val_layers_skin(sim_layered_body *body, const sim_tets *tets);

/* What a closed surface holds [m3], by the divergence theorem. */
double val_volume_m3(const double (*x_m)[3], const int (*triangle)[3], int n_triangles);

/* Of the air: sums, the mean of the pressure by volume as the air has it, the least amount. */
typedef struct val_air {
  double amount_J, volume_m3, pressure_Pa, least_J;
} val_air;
val_air val_air_of(sim_layered *layered, int n_vertices);

#endif
