/* Private to exchange/. */
#ifndef EXCH_CLOTH_IMPL_H
#define EXCH_CLOTH_IMPL_H

#include "exch_cloth.h"

/* Computes the factors. Warp and weft are averaged, as Blender has one direction. */
exch_blender exch_blender_of(const exch_cloth *s);

/* Returns the position 0 to 100 of CLO's bending slider; 0 or 100 beyond its ends. */
double exch_clo_bending_slider(double bending_g_mm2_per_s2);

#endif
