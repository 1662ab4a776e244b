/* The material of a cloth, as the simulator needs it. Per area of the flat cloth; SI units.
 *
 * Stretch: the energy per area is a function of the Green-Lagrange strain E = (F^T F - 1)/2 in warp and weft.
 * Its derivatives are the second Piola-Kirchhoff stress per width [N/m] (Volino, Magnenat-Thalmann, Faure,
 * ACM TOG 28(4):105, 2009):
 *
 *   S_uu = warp(E_uu) + cross E_vv,   S_vv = weft(E_vv) + cross E_uu,   S_uv = shear(E_uv)
 *
 * Bending: the energy per area is 1/2 kappa^T D kappa, with kappa = (K_uu, K_vv, 2 K_uv) and D = bending_Nm
 * as cb_bending_shell makes it. */
#ifndef SIM_MATERIAL_H
#define SIM_MATERIAL_H

#include "cb_err.h"

#define SIM_CURVE_MAX 33
/* docs/method/drape-measured.md, "Friction within the cloth" */
#define SIM_BENDING_FRICTION_ONSET_PER_M 10.0

/* Stress over strain. n >= 2 points ascend in both; the first is (0, 0). The curve is straight between
 * points and continues with the last slope. Shear is odd. Warp and weft resist compression with their first
 * slope. */
typedef struct sim_curve {
  int n;
  double strain[SIM_CURVE_MAX], stress_N_per_m[SIM_CURVE_MAX];
} sim_curve;

typedef struct sim_material {
  double areal_density_kg_per_m2;
  double thickness_m; /* of contact between layers of cloth */
  /* Pressure that squeezes the cloth between two bodies to half of its thickness: pressure = compression
   * (thickness / gap - 1). */
  double compression_Pa;
  sim_curve warp, weft, shear;
  double cross_N_per_m; /* couples warp and weft; 0 <= cross^2 < product of the first slopes */
  double bending_Nm[3][3];
  /* HB of warp and weft, half of KES's 2HB: moment per width (1 gf cm/cm = 9.80665e-3 N); 0: none. */
  double bending_friction_N[2];
  /* Curvature at which friction reaches HB; 0: SIM_BENDING_FRICTION_ONSET_PER_M. */
  double bending_friction_onset_per_m;
  /* Strain-rate (stiffness-proportional) damping: stress += damping_s x tangent x strain rate. */
  double damping_s;
  double drag_per_s; /* mass-proportional damping: force -= drag_per_s x mass x velocity */
} sim_material;

/* A usual value: KES compression takes a quarter to a half of the thickness between 50 Pa and 5 kPa
 * (Kawabata, The Standardization and Analysis of Hand Evaluation, 1980). */
#define SIM_COMPRESSION_PA 1e4

/* Returns a straight curve through (0, 0). */
sim_curve sim_curve_linear(double stiffness_N_per_m);
double sim_curve_slope(const sim_curve *c); /* where it begins [N/m] */
void sim_curve_scale(sim_curve *c, double factor);
/* Scales the bending rigidities from both sides, so that they stay positive semi-definite. */
void sim_bending_scale(double bending_Nm[3][3], double warp, double weft);

/* Returns an isotropic sheet without cross coupling: stretch stiffness [N/m], shear S_uv = 2 G E_uv with G =
 * stretch/2, bending stiffness [N m], no thickness, no damping. */
sim_material sim_material_isotropic(double areal_density_kg_per_m2, double stretch_N_per_m,
                                    double bending_Nm);

/* Checks a material. CB_E_RANGE: an areal density that is not > 0; a negative or infinite number; a curve
 * that does not ascend; a cross stiffness at or above the geometric mean of the first slopes; D not symmetric
 * or not positive semi-definite. */
CB_CHECKED cb_status sim_material_check(const sim_material *m, cb_err *err);

/* The second derivative of an energy that an implicit step uses. */
typedef enum sim_tangent {
  SIM_TANGENT_NONE,    /* forces only */
  SIM_TANGENT_CLAMPED, /* clamped to be positive semi-definite */
  SIM_TANGENT_EXACT    /* exact */
} sim_tangent;

#endif
