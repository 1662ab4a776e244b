/* Private to exchange/. */
#ifndef EXCH_SHEET_IMPL_H
#define EXCH_SHEET_IMPL_H

#include "exch_sheet.h"

/* Computes the factors. Warp and weft are averaged, as Blender has one direction. */
exch_blender exch_blender_of(const exch_sheet *s);

/* Returns the position 0 to 100 of CLO's bending slider; 0 or 100 beyond its ends. */
double exch_clo_bending_slider(double bending_g_mm2_per_s2);

#endif
