/* The law of compression of one cloth: its thickness under a pressure that rises, as KES-FB3 and ISO 5084
 * press it. Between the measured pressures ln T is straight over ln p from knot to knot: no form is assumed.
 * Beyond them the steepness of the end holds; an e-fold away it may be none or double, and the
 * band says so.
 * docs/method/compression.md is the page. */
#ifndef CB_COMPRESSION_LAW_H
#define CB_COMPRESSION_LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_err.h"
#include "cb_origin.h"

#define CB_COMPRESSION_KNOTS 16

/* Thickness of one layer. */
typedef struct cb_compression_knot {
  double pressure_Pa, thickness_m;
  double u_ln; /* standard uncertainty of ln thickness of the cloth's mean: scatter, digits, misfit */
} cb_compression_knot;

/* LC, WC and RC of KES-FB3, between 0.5 and 50 gf/cm2: means over the tests. NAN: the tests do not show it.
 */
#define CB_COMPRESSION_LOW_PA 49.03325
#define CB_COMPRESSION_HIGH_PA 4903.325
typedef struct cb_compression_kes {
  double lc, u_lc;                   /* linearity: the work over that of a straight line */
  double wc_J_per_m2, u_wc_J_per_m2; /* work of compression */
  double rc, u_rc;                   /* recovery: work given back over work done */
} cb_compression_kes;

typedef struct cb_compression_law {
  int64_t id; /* row of the store */
  char material[64];
  cb_origin origin;
  size_t n;                                       /* >= 2 */
  cb_compression_knot knot[CB_COMPRESSION_KNOTS]; /* pressures ascend; no knot is thicker than the one before
                                                   */
  double u_pressure_rel, u_thickness_rel;         /* calibrations, which all knots share */
  double specimen_sd;                             /* of ln thickness between pieces of the cloth */
  double dof;                                     /* behind u_ln and specimen_sd */
  cb_compression_kes kes;
} cb_compression_law;

typedef struct cb_compression_value {
  double thickness_m;
  double steepness;  /* d ln thickness / d ln pressure, <= 0 */
  double u_ln;       /* of the cloth's mean */
  double u_ln_piece; /* of one further piece */
  double dof;        /* effective, of both */
  bool inside_measured_range;
} cb_compression_value;

/* Checks what the other functions assume. Errors: CB_E_RANGE. */
CB_CHECKED cb_status cb_compression_law_check(const cb_compression_law *law, cb_err *err);

/* Evaluates one layer at a pressure > 0. */
void cb_compression_at_pressure(const cb_compression_law *law, double pressure_Pa, cb_compression_value *out);

/* Returns the pressure [Pa] that presses one layer to a thickness > 0; NAN if no pressure from a hundredth of
 * the lowest to a hundred times the highest that was measured does. */
double cb_compression_pressure(const cb_compression_law *law, double thickness_m);

#endif
