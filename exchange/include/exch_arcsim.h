/* The material file of ARCSim (Narain, Samii, O'Brien 2012; src/conf.cpp, load_material_data), one JSON object:
 *
 *   {"density": kg/m2, "stretching": six rows [c11, c12, c22, c33] N/m, "bending": three rows of five N m}
 *
 * The tables of Wang, O'Brien, Ramamoorthi, ACM TOG 30(4):71, 2011; what their rows and columns mean: cb_stretch_wang.h, cb_bending_law.h.
 * The file has neither a name nor uncertainties. */
#ifndef EXCH_ARCSIM_H
#define EXCH_ARCSIM_H

#include <stddef.h>

#include "cb_err.h"

typedef struct exch_arcsim {
  double density_kg_per_m2;
  double stretching_N_per_m[6][4]; /* may be negative: Wang et al. fitted some so */
  double bending_N_m[3][5];        /* >= 0 */
} exch_arcsim;

/* Exactly the three keys, exactly these shapes, numbers that can be. Errors say name, where in the document, got, wanted. */
CB_CHECKED cb_status exch_arcsim_read(const char *text, size_t n, const char *name, exch_arcsim *out, cb_err *err);
/* Reading it gives the same bits. Caller frees *text. */
CB_CHECKED cb_status exch_arcsim_write(const exch_arcsim *m, char **text, cb_err *err);

#endif
