/* Materials and drapes from val_drape_cloth, private to validate/. */
#ifndef VAL_DRAPE_CLOTH_IMPL_H
#define VAL_DRAPE_CLOTH_IMPL_H

#include "val_drape_cloth.h"

/* Returns a material of that areal mass without thickness. Its bending between warp and weft follows Peirce.
 * Its stretch is so stiff that val_drape softens it. */
sim_material val_drape_cloth_material(const val_drape_cloth *c, double areal_density_kg_per_m2);

/* Returns the drape of which the table is made: such a cloth on 18 and 30 cm with 2500 vertices, evenly
 * spaced, its stretch softened (val_drape.h). */
val_drape val_drape_of_cloth(const val_drape_cloth *c);

#endif
