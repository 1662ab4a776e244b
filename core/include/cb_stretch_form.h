/* How the secant compliance S = strain / force per width [m/N] of a strip depends on its direction, from three directions or more.
 *
 *   tensor  S = S1 c^4 + B s^2 c^2 + S2 s^4,  S1 = 1/E1, S2 = 1/E2, B = 1/G12 - 2 nu12/E1     (c = cos, s = sin of the angle to the warp)
 *   strip   sqrt S = sqrt(S1) c^2 + b |s c| + sqrt(S2) s^2
 *
 * The first is the orthotropic sheet (Jones, Mechanics of Composite Materials, eq. 2.97; for cloth Kilby, J. Text. Inst. 54, T9, 1963): the
 * elongations that warp tension, weft tension and shear cause do not know each other. In a strip so narrow that no yarn reaches from one
 * clamp to the other, every yarn ends at a cut edge and takes up its tension through the same crossings that shear (Pan, R. Soc. Open Sci.
 * 2, 140499, 2015): the three go together. Both are cases r = 0 and r = 1 of S = sum_ij r_ij a_i a_j, a = (sqrt(S1) c^2, sqrt(S2) s^2, b |s
 * c|), r_ii = 1, r_ij = r. */
#ifndef CB_STRETCH_FORM_H
#define CB_STRETCH_FORM_H

#include "cb_stretch_law.h"

typedef struct cb_stretch_moduli {
  bool known; /* false: fewer than three directions that can tell, or a compliance that would not be positive everywhere */
  cb_stretch_form form;
  double strain;
  size_t n; /* directions */
  double angle_deg[CB_STRETCH_MAX_DIRECTIONS];
  double compliance_m_per_N[CB_STRETCH_MAX_DIRECTIONS];
  double u_rel[CB_STRETCH_MAX_DIRECTIONS];      /* of each compliance */
  double misfit_rel[CB_STRETCH_MAX_DIRECTIONS]; /* force of the form / force measured - 1 */
  double e1_N_per_m, u_e1_N_per_m, e2_N_per_m, u_e2_N_per_m;
  double cross_m_per_N, u_cross_m_per_N; /* tensor: B; strip: b^2. Uniaxial tests cannot part 1/G12 from -2 nu12/E1. */
  double parameter[3];                   /* of the form, in its own co-ordinates */
  double inverse[3][3];                  /* (A^T A)^-1 of the rows scaled by 1/y */
  double rms_rel;                        /* of the misfits, n - 3 in the denominator; 0 for three */
  bool inside_measured_range;
} cb_stretch_moduli;

void cb_stretch_moduli_at(const cb_stretch_law *law, cb_stretch_form form, double strain, cb_stretch_moduli *out);
/* In-plane shear modulus [N/m] for an assumed Poisson's ratio nu12; NAN where there is none. Of the tensor. */
double cb_stretch_shear_modulus(const cb_stretch_moduli *m, double nu12);

#endif
