/* Private to validate/. */
#ifndef VAL_DRAPE_CLOTH_IMPL_H
#define VAL_DRAPE_CLOTH_IMPL_H

#include "val_drape_cloth.h"

/* Of that areal mass, no thickness, between warp and weft Peirce's form; stretch so stiff that val_drape
 * softens it. */
sim_material val_drape_cloth_material(const val_drape_cloth *c, double areal_density_kg_per_m2);

/* The drape that the table is made of: such a cloth on 18 and 30 cm, 2500 vertices, stretch softened by its
 * weight (val_drape.h). */
val_drape val_drape_of_cloth(const val_drape_cloth *c);

#endif
