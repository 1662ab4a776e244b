/* A strip, clamped horizontally, that hangs under its own weight: how far does it drop, H, where it reaches
 * out by W?
 *
 * Reference: the heavy elastica (fit_elastica.h), whose one number is gamma = w g L^3 / B: the protocol of
 * Romero, Ly, Rasheed, Charrondiere, Lazarus, Neukirch, Bertails-Descoubes, ACM TOG 40(4):66 (2021). */
#ifndef VAL_CANTILEVER_H
#define VAL_CANTILEVER_H

#include <stdbool.h>

#include "cb_err.h"
#include "sim_mesh.h"

typedef struct val_cantilever {
  double gamma;
  sim_pattern pattern;
  int cells;        /* along the strip; 0: as many as gamma needs (val_cantilever_cells) */
  double slender;   /* length over width */
  double stiffness; /* of stretch, in weights of the strip per width and strain: w g L x this */
  uint64_t seed;    /* of an irregular mesh */
} val_cantilever;

typedef struct val_cantilever_result {
  int vertices, cells, iterations;
  double h_over_w, reference, error; /* error: relative */
  double residual;                   /* sim_settle_report */
  bool settled, stable, agrees;      /* within VAL_CANTILEVER_TOLERANCE */
  double seconds;
} val_cantilever_result;

#define VAL_CANTILEVER_TOLERANCE 0.01 /* relative error of H / W */

/* gamma 1, regular, a strip 10 times as long as wide. */
val_cantilever val_cantilever_default(void);
CB_CHECKED cb_status val_cantilever_run(const val_cantilever *e, val_cantilever_result *out, cb_err *err);

#endif
