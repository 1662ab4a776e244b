/* The moment of a flat cloth that is bent for the first time, per width:
 *
 *   M = B K + h min(|K| / onset, 1) sign K
 *
 * B is the slope beyond the onset, h the friction between the yarns, K the curvature. KES-FB2 measures B
 * (the slope from 50 to 150 1/m) and 2 h (2HB, the width of the loop). A cantilever measures M / K at the
 * curvature of its strip: friction is a part of it. docs/method/bending.md is the page. */
#ifndef CB_BENDING_LOADING_H
#define CB_BENDING_LOADING_H

#include "cb_bending_law.h"

/* What published fabrics have where friction was not measured. u: standard uncertainty of the logarithm for
 * one further fabric. */
typedef struct cb_bending_prior {
  double width_over_B_per_m, u_ln_width; /* 2HB / B */
  double onset_per_m, u_ln_onset;
} cb_bending_prior;

/* Returns the prior at a bending length (B / (w g))^(1/3) [m], B being the slope. Between the rows of the
 * table (docs/method/bending.md, "Friction that was not measured") it is linear in the logarithms;
 * beyond them it is held. */
cb_bending_prior cb_bending_prior_at(double bending_length_m);

/* Along warp and weft. */
typedef struct cb_bending_loading {
  double B_Nm[2];       /* slopes beyond the onset */
  double friction_N[2]; /* h, half of 2HB */
  double u_ln_friction, onset_per_m, u_ln_onset;
  /* The curvature at which the law knows the moment; 0: it knows the slope. */
  double known_at_per_m;
  bool measured; /* h comes from widths or from the law; false: from the prior */
} cb_bending_loading;

/* Reads a law as a curve of loading. weight_N_per_m2 is areal density x g, > 0. width_N holds 2HB along warp
 * and weft, measured otherwise; NULL: what the law says. A law of slopes keeps its B. Its h is half of the
 * widths; without them it follows the prior. A law of moments over curvature keeps its moment at its own
 * curvature, M = B K: the widths divide it, else, where B falls with the curvature (exponent < 0), the
 * tangent there does, else the prior. A table is taken at its middle curvature. */
void cb_bending_loading_of(const cb_bending_law *law, double weight_N_per_m2, const double width_N[2],
                           cb_bending_loading *out);

#endif
