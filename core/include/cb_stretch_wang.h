/* The stretching table of Wang, O'Brien, Ramamoorthi (ACM TOG 30(4):71, 2011) as ARCSim reads it ("stretching" in its material files): six
 * rows of c11, c12, c22, c33 [N/m]. Row 0 holds at no strain; rows 1 to 5 where the larger principal stretch is 1 + 1/6 and its direction
 * is 0, 22.5, 45, 67.5, 90 degrees from the warp. Between: linear in the stretch and in the angle; beyond 1 + 1/6: as there.
 *
 * ARCSim (src/dde.cpp, src/physics.cpp): negative results count as 0, all are doubled, k = 2 c, and the energy per area is
 * (k11 Euu^2 + 2 k12 Euu Evv + k22 Evv^2 + k33 Euv^2)/2 with Green-Lagrange strain E. The stress is the force's there, k held fixed:
 * Suu = k11 Euu + k12 Evv, Svv = k12 Euu + k22 Evv, Suv = k33 Euv/2. ARCSim reads k from a grid of 30^3 strains; here it is computed. */
#ifndef CB_STRETCH_WANG_H
#define CB_STRETCH_WANG_H

#include <stdbool.h>

#define CB_WANG_ROWS 6
#define CB_WANG_STRETCH (1 + 1 / 6.0)

typedef struct cb_stretch_wang {
  double c_N_per_m[CB_WANG_ROWS][4]; /* c11, c12, c22, c33 */
} cb_stretch_wang;

/* green = {Euu, Evv, Euv} -> k = {k11, k12, k22, k33} [N/m] */
void cb_stretch_wang_stiffness(const cb_stretch_wang *w, const double green[3], double k_N_per_m[4]);

typedef struct cb_stretch_law cb_stretch_law;
/* The table of a law with warp, weft and 45 degrees; false: it has not got them. c12 = 0: strip tests do not show it. *beyond: some rows
 * lie outside what was measured and repeat the stiffness at its end. */
bool cb_stretch_wang_of(const cb_stretch_law *law, cb_stretch_wang *w, bool *beyond);

#endif
