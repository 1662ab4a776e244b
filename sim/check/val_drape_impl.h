/* One simulated drape, private to validate/. */
#ifndef VAL_DRAPE_IMPL_H
#define VAL_DRAPE_IMPL_H

#include "val_drape.h"
#include "val_drape_cloth.h"

/* Simulates one drape. shape: takes its cloth; NULL: not wanted. Not to settle is an outcome. Errors: a
 * number out of range, those of sim_cloth and fit_drape, memory. */
CB_CHECKED cb_status val_drape_run(const val_drape *e, val_drape_result *out, val_drape_shape *shape,
                                   cb_err *err);

/* Fills the curvature at rest of each triangle, K_uu, K_vv, K_uv [1/m], and the mass that each vertex carries
 * beside its own [kg], of a cloth of this mean mass. */
void val_drape_uneven_cloth(const val_drape *e, const sim_mesh *mesh, double (*rest_per_m)[3],
                            double *load_kg);

/* Takes e->trial.lost of the moment of friction from a cloth. Error: memory. */
CB_CHECKED cb_status val_drape_loosen(const val_drape *e, sim_cloth *cloth, cb_err *err);

/* Returns the drape of seed i, with the cloth as that seed draws it. */
val_drape val_drape_drawn(const val_drape_many *e, int i);

/* Returns one drape of the table: such a cloth on 18 and 30 cm. Its stretch is so stiff that val_drape
 * softens it. How friction shares in its moment is not known (docs/method/bending.md): the seed draws that,
 * and c->softening is not used. Any other areal mass makes the same drape. */
val_drape_many val_drape_of_cloth(const val_drape_cloth *c, double areal_density_kg_per_m2);

/* Returns what val_drape_cloth has as softening: of a material; of a drape of val_drape_of_cloth whose
 * friction and onset lie so many standard deviations above the usual ones. */
double val_drape_softening(const sim_material *m, double bending_m);
double val_drape_softening_drawn(const val_drape_many *of, double bending_m, double friction, double onset);

/* Fills the signs of drape k, with what the mesh still lacks. */
void val_drape_signs_of(const val_drape_statistics *all, int k, double sign[VAL_DRAPE_SIGNS]);

#endif
