/* What the simulator needs to know of a cloth. Per area of the flat cloth; SI.
 *
 * Stretch: the energy per area is a function of the Green-Lagrange strain E = (F^T F - 1)/2 in warp and weft,
 * its derivatives the second Piola-Kirchhoff stress per width [N/m] (Volino, Magnenat-Thalmann, Faure, ACM
 * TOG 28(4):105, 2009):
 *   S_uu = warp(E_uu) + cross E_vv,   S_vv = weft(E_vv) + cross E_uu,   S_uv = shear(E_uv)
 * Bending: energy per area 1/2 kappa^T D kappa, kappa = (K_uu, K_vv, 2 K_uv), D as cb_bending_shell makes
 * it. */
#ifndef SIM_MATERIAL_H
#define SIM_MATERIAL_H

#include "cb_err.h"

#define SIM_CURVE_MAX 33
#define SIM_BENDING_FRICTION_ONSET_PER_M 10.0 /* docs/drape.md, "Friction within the cloth" */

/* Stress over strain: n >= 2 points, ascending in both, the first (0, 0); straight between them and, with the
 * last slope, beyond. Shear is odd; warp and weft resist compression with their first slope. */
typedef struct sim_curve {
  int n;
  double strain[SIM_CURVE_MAX], stress_N_per_m[SIM_CURVE_MAX];
} sim_curve;

typedef struct sim_material {
  double areal_density_kg_per_m2;
  double thickness_m;    /* of contact between layers */
  double compression_Pa; /* presses it between two bodies to half of its thickness: pressure = compression
                            (thickness / gap - 1) */
  sim_curve warp, weft, shear;
  double cross_N_per_m; /* couples warp and weft; 0 <= cross^2 < product of the first slopes */
  double bending_Nm[3][3];
  double bending_friction_N[2]; /* HB, half of KES's 2HB, of warp and weft: moment per width (1 gf cm/cm
                                   = 9.80665e-3 N); 0: none */
  double bending_friction_onset_per_m; /* curvature at which friction has come to that; 0:
                                          SIM_BENDING_FRICTION_ONSET_PER_M */
  double damping_s;  /* strain-rate (stiffness-proportional) damping: stress += damping_s x tangent x strain
                        rate */
  double drag_per_s; /* mass-proportional: force -= drag_per_s x mass x velocity */
} sim_material;

/* A usual cloth: KES compression takes a quarter to a half of the thickness away between 50 Pa and 5 kPa
 * (Kawabata, The Standardization and Analysis of Hand Evaluation, 1980). */
#define SIM_COMPRESSION_PA 1e4

/* A straight curve. */
sim_curve sim_curve_linear(double stiffness_N_per_m);

/* Isotropic sheet without cross coupling: stretch stiffness [N/m], shear S_uv = 2 G E_uv with G = stretch/2,
 * bending B. */
sim_material sim_material_isotropic(double areal_density_kg_per_m2, double stretch_N_per_m,
                                    double bending_Nm);

/* Checks what the others assume: everything finite, curves ascending, D positive semi-definite. */
CB_CHECKED cb_status sim_material_check(const sim_material *m, cb_err *err);

/* Which second derivative of an energy an implicit step takes. */
typedef enum sim_tangent {
  SIM_TANGENT_NONE,    /* forces only */
  SIM_TANGENT_CLAMPED, /* positive semi-definite */
  SIM_TANGENT_EXACT    /* the second derivative of the energy as it is */
} sim_tangent;

#endif
