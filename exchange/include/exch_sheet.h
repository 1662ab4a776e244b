/* A cloth as programs for artists see it: a linear sheet with one stiffness per kind and direction. What it cannot hold - curves, loads,
 * uncertainty beyond the one number - is lost on the way out; there is no way in. */
#ifndef EXCH_SHEET_H
#define EXCH_SHEET_H

#include "cb_err.h"

typedef struct exch_value {
  double value, u; /* SI, standard uncertainty; NAN: not known */
} exch_value;

typedef struct exch_sheet {
  char name[64];
  char basis[200]; /* at which strain, curvature and load, in words */
  exch_value areal_density_kg_per_m2, thickness_m;
  exch_value stretch_warp_N_per_m, stretch_weft_N_per_m; /* Young's moduli times thickness */
  exch_value shear_N_per_m;                              /* shear modulus times thickness */
  exch_value bending_warp_N_m, bending_weft_N_m, bending_bias_N_m;
  exch_value friction; /* coefficient */
  char friction_with[64];
} exch_sheet;

/* ---- Blender ---- */

/* Blender's cloth settings for a square grid of edge length h [m]: mass = mass_per_h2 h^2, tension_stiffness = tension_per_h h,
 * shear_stiffness = shear_per_h h, bending_stiffness = bending_h2 / h^2. NAN where the sheet does not know. */
typedef struct exch_blender {
  double mass_per_h2, tension_per_h, shear_per_h, bending_h2;
} exch_blender;

/* Warp and weft are averaged: Blender knows one direction. */
exch_blender exch_blender_of(const exch_sheet *s);
/* A preset (Python) that reads h off the mesh it is applied to. Caller frees *text. */
CB_CHECKED cb_status exch_blender_write(const exch_sheet *s, char **text, cb_err *err);

/* ---- CLO ---- */

/* Position from 0 to 100 of CLO's bending slider; at the ends beyond. */
double exch_clo_bending_slider(double bending_g_mm2_per_s2);
/* A table (CSV) in CLO's units, in the order of its property panel. Caller frees *text. */
CB_CHECKED cb_status exch_clo_table_write(const exch_sheet *s, char **text, cb_err *err);
/* The JSON that CLO opens as a fabric (.jfab). Caller frees *text. */
CB_CHECKED cb_status exch_clo_jfab_write(const exch_sheet *s, char **text, cb_err *err);

#endif
