/* Cantilever: a strip, clamped horizontally, hangs under its own weight. Compared is H / W, its drop over
 * its horizontal reach.
 *
 * Reference: the heavy elastica (fit_elastica.h), which depends on gamma = w g L^3 / B alone. Protocol:
 * Romero, Ly, Rasheed, Charrondiere, Lazarus, Neukirch, Bertails-Descoubes, ACM TOG 40(4):66 (2021).
 * docs/method/validation.md has the results. */
#ifndef VAL_CANTILEVER_H
#define VAL_CANTILEVER_H

#include <stdbool.h>

#include "cb_err.h"
#include "sim_mesh.h"

typedef struct val_cantilever {
  double gamma;
  sim_pattern pattern;
  int cells;        /* along the strip; 0: chosen by gamma (val_cantilever_cells) */
  double slender;   /* length over width */
  double stiffness; /* of stretch, over w g L (the weight of the strip per width) */
  uint64_t seed;    /* of an irregular mesh */
} val_cantilever;

typedef struct val_cantilever_result {
  int vertices, cells, iterations;
  double h_over_w, reference, error; /* error: relative, of h_over_w */
  double residual;                   /* sim_settle_report */
  bool settled, stable, agrees;      /* agrees: settled, and |error| <= VAL_CANTILEVER_TOLERANCE */
  double seconds;
} val_cantilever_result;

#define VAL_CANTILEVER_TOLERANCE 0.01 /* relative error of H / W */

/* Returns gamma = 1 on an equilateral mesh; the strip is 10 times as long as wide. */
val_cantilever val_cantilever_default(void);
/* Errors: a number out of range, memory; not to agree is none. */
CB_CHECKED cb_status val_cantilever_run(const val_cantilever *e, val_cantilever_result *out, cb_err *err);

#endif
