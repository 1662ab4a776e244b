/* The stretching table of Wang, O'Brien, Ramamoorthi (ACM TOG 30(4):71, 2011) as ARCSim reads it
 * ("stretching" in its material files): six rows of c11, c12, c22, c33 [N/m]. Row 0 holds at zero strain.
 * Rows 1 to 5 hold where the larger principal stretch is 1 + 1/6, and its direction 0, 22.5, 45, 67.5, 90
 * degrees from the warp. Values are linear in the stretch and the angle in between, and constant beyond a
 * stretch of 1 + 1/6.
 *
 * In ARCSim (src/dde.cpp, src/physics.cpp) negative interpolated values count as 0, and k = 2 c. The energy
 * per area, with the Green-Lagrange strain E, is
 *
 *     (k11 Euu^2 + 2 k12 Euu Evv + k22 Evv^2 + k33 Euv^2) / 2
 *
 * The stress is that of ARCSim's forces, with k held fixed:
 *
 *     Suu = k11 Euu + k12 Evv, Svv = k12 Euu + k22 Evv, Suv = k33 Euv / 2
 *
 * ARCSim reads k from a grid of 30^3 strains. Here k is computed at each strain. */
#ifndef CB_STRETCH_WANG_H
#define CB_STRETCH_WANG_H

#include <stdbool.h>

#define CB_WANG_ROWS 6
#define CB_WANG_STRETCH (1 + 1 / 6.0)

typedef struct cb_stretch_wang {
  double c_N_per_m[CB_WANG_ROWS][4]; /* c11, c12, c22, c33 */
} cb_stretch_wang;

/* Computes k = {k11, k12, k22, k33} [N/m] at the strain green = {Euu, Evv, Euv}. */
void cb_stretch_wang_stiffness(const cb_stretch_wang *w, const double green[3], double k_N_per_m[4]);

typedef struct cb_stretch_law cb_stretch_law;
/* Makes the table from a law that has tested warp, weft and 45 degrees. Returns false, with *w undefined, if
 * one of the three curves is missing. c12 is 0, as strip tests do not show it. *beyond: some rows lie outside
 * the measured strains and repeat the stiffness at their end. */
bool cb_stretch_wang_of(const cb_stretch_law *law, cb_stretch_wang *w, bool *beyond);

#endif
