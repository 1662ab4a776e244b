/* The material file of ARCSim (Narain, Samii, O'Brien 2012; src/conf.cpp, load_material_data), one JSON
 * object:
 *
 *   {"density": kg/m2, "stretching": six rows [c11, c12, c22, c33] N/m, "bending": three rows of five N m}
 *
 * The tables are those of Wang, O'Brien, Ramamoorthi, ACM TOG 30(4):71, 2011. cb_stretch_wang.h and
 * cb_bending_law.h explain their rows and columns. The file has neither a name nor uncertainties.
 * As ARCSim's reader does, this one takes comments, as in C++. Files of other programs add "thickness", m.
 * docs/reference/interchange.md is the page. */
#ifndef EXCH_ARCSIM_H
#define EXCH_ARCSIM_H

#include <stddef.h>

#include "cb_err.h"

#define EXCH_ARCSIM_UNREAD 64

typedef struct exch_arcsim {
  double density_kg_per_m2;
  double stretching_N_per_m[6][4]; /* may be negative: some of Wang et al. are */
  double bending_N_m[3][5];        /* >= 0 */
  double thickness_m;              /* 0: not told; it is not written */
  char unread[EXCH_ARCSIM_UNREAD]; /* keys that no law has a place for, "damping, weakening"; "": none */
} exch_arcsim;

/* Reads n bytes of text. `name` stands for the file in errors, which name the place in the document. The
 * document must have the three keys, in these shapes. damping, yield_curv, weakening and strain_limits are
 * passed over. On failure *out may be partly filled.
 * CB_E_PARSE: no JSON, another key, shape or kind. CB_E_RANGE: the document is too large, or a number is out
 * of range. Ranges: density 1e-3 to 10, stretching -1e7 to 1e7, bending 0 to 10. */
CB_CHECKED cb_status exch_arcsim_read(const char *text, size_t n, const char *name, exch_arcsim *out,
                                      cb_err *err);
/* Writes the file; reading it gives the same bits. The caller frees *text.
 * Errors: CB_E_NOMEM. */
CB_CHECKED cb_status exch_arcsim_write(const exch_arcsim *m, char **text, cb_err *err);

#endif
