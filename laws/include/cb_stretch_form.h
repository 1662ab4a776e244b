/* How the secant compliance S = strain / force per width [m/N] of a strip depends on its direction, from
 * three tested directions or more. With c = cos, s = sin of the angle to the warp:
 *
 *   tensor  S = S1 c^4 + B s^2 c^2 + S2 s^4,  S1 = 1/E1, S2 = 1/E2, B = 1/G12 - 2 nu12/E1
 *   strip   sqrt S = sqrt(S1) c^2 + b |s c| + sqrt(S2) s^2
 *
 * `tensor` is the orthotropic sheet (Jones, Mechanics of Composite Materials, eq. 2.97; for cloth Kilby, J.
 * Text. Inst. 54, T9, 1963). The elongations by warp tension, weft tension and shear are independent there.
 *
 * `strip` is a strip so narrow that no yarn reaches from one clamp to the other. Every yarn ends at a cut
 * edge and takes up its tension through the crossings that shear (Pan, R. Soc. Open Sci. 2, 140499, 2015).
 * The three elongations are then coupled.
 *
 * Both are cases of S = sum_ij r_ij a_i a_j, a = (sqrt(S1) c^2, sqrt(S2) s^2, b |s c|), r_ii = 1, r_ij = r: r
 * = 0 and r = 1. docs/method/stretch.md is the page. */
#ifndef CB_STRETCH_FORM_H
#define CB_STRETCH_FORM_H

#include "cb_stretch_law.h"

typedef struct cb_stretch_moduli {
  bool known; /* false: fewer than three usable directions, or a compliance that is not positive everywhere */
  cb_stretch_form form;
  double strain;
  size_t n; /* directions with a force at this strain */
  double angle_deg[CB_STRETCH_MAX_DIRECTIONS];
  double compliance_m_per_N[CB_STRETCH_MAX_DIRECTIONS];
  double u_rel[CB_STRETCH_MAX_DIRECTIONS];      /* of each compliance */
  double misfit_rel[CB_STRETCH_MAX_DIRECTIONS]; /* force of the form / measured force - 1 */
  double e1_N_per_m, u_e1_N_per_m, e2_N_per_m, u_e2_N_per_m;
  /* tensor: B; strip: b |b|. Uniaxial tests cannot separate 1/G12 from -2 nu12/E1. */
  double cross_m_per_N, u_cross_m_per_N;
  double parameter[3];  /* coefficients of S (tensor) or sqrt S (strip) */
  double inverse[3][3]; /* (A^T A)^-1 of the rows scaled by 1/y, y = S or sqrt S */
  double rms_rel;       /* of the misfits, n - 3 in the denominator; 0 for three directions */
  bool inside_measured_range;
} cb_stretch_moduli;

/* Fits a form to the law's tested directions at a strain > 0. Where out->known is false, only form, strain
 * and the directions hold. */
void cb_stretch_moduli_at(const cb_stretch_law *law, cb_stretch_form form, double strain,
                          cb_stretch_moduli *out);
/* Returns the tensor's in-plane shear modulus G12 [N/m] for an assumed Poisson's ratio nu12. Returns NAN for
 * a strip, for unknown moduli, or where G12 would not be positive. */
double cb_stretch_shear_modulus(const cb_stretch_moduli *m, double nu12);
/* Returns the shear modulus [N/m] at CB_STRETCH_SECANT_STRAIN by the tensor, as if Poisson's ratio were 0,
 * and its standard uncertainty; of a law that is only a table, that of no strain, and NAN. NAN: not known. */
double cb_stretch_shear(const cb_stretch_law *law, double *u_N_per_m);

#endif
