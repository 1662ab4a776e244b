/* A cloth for artists' programs: a linear sheet with one stiffness per kind and direction. Curves, dependence
 * on the load, and uncertainty beyond one number are lost. There is no import from these formats.
 * docs/reference/interchange.md is the page. */
#ifndef EXCH_CLOTH_H
#define EXCH_CLOTH_H

#include "cb_err.h"

typedef struct exch_value {
  double value, u; /* SI; u: standard uncertainty; NAN: not known */
} exch_value;

typedef struct exch_cloth {
  char name[64];
  char basis[200]; /* strain, curvature and load at which the numbers hold, in words */
  exch_value areal_density_kg_per_m2, thickness_m;
  exch_value stretch_warp_N_per_m, stretch_weft_N_per_m; /* Young's moduli times thickness */
  exch_value shear_N_per_m;                              /* shear modulus times thickness */
  exch_value bending_warp_N_m, bending_weft_N_m, bending_bias_N_m;
  exch_value friction; /* coefficient */
  char friction_with[64];
} exch_cloth;

/* ---- Blender ---- */

/* Factors of Blender's cloth settings, by the edge length h [m] of a square grid; NAN: not known.
 *
 *   mass = mass_per_h2 h^2              tension_stiffness = tension_per_h h
 *   shear_stiffness = shear_per_h h     bending_stiffness = bending_h2 / h^2 */
typedef struct exch_blender {
  double mass_per_h2, tension_per_h, shear_per_h, bending_h2;
} exch_blender;

/* Writes a preset (Python), which takes h from the mesh to which it is applied. Unknown settings are left as
 * they are. The caller frees *text.
 * Errors: CB_E_NOMEM. */
CB_CHECKED cb_status exch_blender_write(const exch_cloth *s, char **text, cb_err *err);

/* ---- CLO ---- */

/* Writes a table (CSV) in CLO's units (g, mm, s), in the order of its property panel. Values outside CLO's
 * ranges are marked. The caller frees *text.
 * Errors: CB_E_NOMEM. */
CB_CHECKED cb_status exch_clo_table_write(const exch_cloth *s, char **text, cb_err *err);
/* Writes the JSON that CLO opens as a fabric (.jfab). Values are limited to CLO's ranges; unknown ones are
 * left out. The caller frees *text.
 * Errors: CB_E_NOMEM. */
CB_CHECKED cb_status exch_clo_jfab_write(const exch_cloth *s, char **text, cb_err *err);

#endif
