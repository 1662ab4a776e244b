/* Private to exchange/. */
#ifndef EXCH_CLOTH_IMPL_H
#define EXCH_CLOTH_IMPL_H

#include "exch_cloth.h"

/* What the preset makes settings of, by the mesh to which it is applied. NAN: not known. */
typedef struct exch_blender {
  double areal_density_kg_per_m2;
  double tension_N_per_m, shear_N_per_m; /* of springs along the edges and the diagonals of a square grid */
  double bending_N_m;
  double fall_m_per_s; /* of a flat sheet in air, at most */
} exch_blender;
/* The mean of two directions; the one that is known, if only one is. */
double exch_mean(exch_value a, exch_value b);
/* Warp and weft are averaged, as Blender has one direction. */
exch_blender exch_blender_of(const exch_cloth *s);

/* blender/preset.py: the part of a preset that is the same for all cloths. */
extern const char exch_blender_script[];

/* Returns the position 0 to 100 of CLO's bending slider; 0 or 100 beyond its ends. */
double exch_clo_bending_slider(double bending_g_mm2_per_s2);

#endif
