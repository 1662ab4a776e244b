/* A cloth for artists' programs: a linear sheet with one stiffness per kind and direction. Curves, dependence
 * on the load, and uncertainty beyond one number are lost. There is no import from these formats.
 * docs/guide/blender.md is the page. */
#ifndef EXCH_CLOTH_H
#define EXCH_CLOTH_H

#include "cb_date.h"
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
  exch_value friction;                  /* coefficient */
  double friction_least, friction_most; /* kinetic, over directions and measured loads; NAN: not known */
  double static_over_kinetic;           /* at the middle load, mean direction; NAN: not known */
  char friction_with[64];
} exch_cloth;

/* ---- Blender ---- */

/* What a proof found (conf_proof.h): the factors by which measured numbers are multiplied so that a program
 * behaves as measured, by the edge length of the mesh. */
#define EXCH_PASSPORT_MAX 8
typedef struct exch_passport {
  char engine[80]; /* with its version */
  char date[CB_DATE_SIZE];
  int n; /* >= 1; edges ascend */
  struct {
    double edge_m, stretch, shear, bending, friction;
    double cantilever_off, strip_off, friction_off; /* with these factors: largest |found / wanted - 1| */
  } at[EXCH_PASSPORT_MAX];
} exch_passport;

/* Writes a preset (Python), which takes mesh and frame rate from the object to which it is applied. Unknown
 * settings are left as they are. passport NULL: the preset says that it is not proved. The caller frees
 * *text. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status exch_blender_write(const exch_cloth *s, const exch_passport *passport, char **text,
                                        cb_err *err);

/* ---- MuJoCo, Newton, PyBullet, ppf-contact-solver ---- */

/* As exch_blender_write: a file for each mesh of the passport, or by definition if passport is NULL. MuJoCo:
 * MJCF with a sheet of the finest mesh. Newton, PyBullet: JSON with the arguments of a call, mesh by mesh.
 * ppf-contact-solver: a preset (TOML), by definition always. Errors: also CB_E_NOTFOUND without areal
 * density, stretch or bending (MuJoCo, ppf). */
typedef cb_status exch_proved_writer(const exch_cloth *s, const exch_passport *passport, char **text,
                                     cb_err *err);
exch_proved_writer exch_mujoco_write, exch_newton_write, exch_pybullet_write, exch_ppf_write;

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
