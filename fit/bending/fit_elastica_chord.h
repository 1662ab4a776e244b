/* The heavy elastica by the angle of its chord. */
#ifndef FIT_ELASTICA_CHORD_H
#define FIT_ELASTICA_CHORD_H

#include "fit_elastica.h"

/* 0 < chord_rad <= FIT_ELASTICA_MAX_CHORD_RAD; relative error below 1e-11. */
fit_elastica fit_elastica_of_chord(double chord_rad);

/* What Peirce's formula takes for the load at this angle: 8 tan(chord) / cos(chord / 2) (J. Text. Inst. 21,
 * T377, 1930). */
double fit_elastica_peirce_load(double chord_rad);

#endif
