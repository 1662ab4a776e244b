/* Raw data of a FAB (exch_fab.h): what they say of a cloth, and their way into the store. Every cycle of
 * stretch becomes a test, and so does every buckled strip. Mass and thickness are facts, the
 * vendor's figures are kept. docs/method/fab.md is the page. Nothing here prints. SI units. */
#ifndef LAB_FAB_H
#define LAB_FAB_H

#include <jansson.h>

#include "cb_store.h"
#include "exch_fab.h"
#include "fit_buckled.h"
#include "lab_import.h"

/* Of the strips, in degrees from the warp; distances of the clamps. */
extern const int lab_fab_angles_deg[EXCH_FAB_DIRECTIONS], lab_fab_clamps_cm[2];

#define LAB_FAB_LOOPS 2 /* cycles left out in turn: those between others */

/* Relative standard uncertainty of the force of a strip that the vendor warned of. It is the root mean square
 * by which the weights that the strips of 8 cm tell miss the scales, for the published cotton knit. */
#define LAB_FAB_U_REL_LOW_FORCE 0.32

/* The strips of 8 cm touch what is below them when they are shortened by more than this share of their
 * length. */
#define LAB_FAB_FREE_SHORTENING 0.11

typedef struct lab_fab_loop {
  double measured_J, predicted_J, u_J; /* of the cycle that was left out; NAN: not four cycles */
} lab_fab_loop;

typedef struct lab_fab_mean {
  double B_Nm, u_B_Nm, width_N, u_width_N, dof; /* 2HB */
} lab_fab_mean;

typedef struct lab_fab_strip {
  fit_buckled_result up, down; /* 2 cm */
  double en;                   /* of B, up against down, U = 2 u; NAN: not both */
  bool low_force;              /* the vendor warned */
  lab_fab_mean mean;           /* of `fit bending`, with the low force in its u; 0: the strips tell no B */
  double load;                 /* w g L^3 / B of the strip of 8 cm */
  fit_buckled_result hanging;  /* its areal density */
  lab_fab_loop loops[2][LAB_FAB_LOOPS]; /* 2 cm, 8 cm; the second cycle, the third */
} lab_fab_strip;

typedef struct lab_fab {
  exch_fab raw; /* owned */
  char fingerprint[17];
  lab_fab_strip strips[EXCH_FAB_DIRECTIONS];
  size_t tests, points; /* of stretch */
  size_t buckled;       /* tests of buckling */
} lab_fab;

/* Reads a file, fits its strips (seconds), and stores all under the cloth's name. A strip that cannot be
 * fitted is an outcome. source: who measured it; NULL: the file. The caller calls lab_fab_clear, even after
 * an error. Errors: those of exch_fab_read, fit_buckled, of the file and the store. */
CB_CHECKED cb_status lab_import_fab(const lab_import *q, const char *cloth, const char *source, lab_fab *out,
                                    cb_err *err);
void lab_fab_clear(lab_fab *f);

/* Makes the strips of the document of docs/reference/json, "import fab". Returns NULL without memory. The
 * caller calls json_decref. */
json_t *lab_fab_json(const lab_fab *f);

#endif
