/* A strip of cloth along x that sticks out of a clamp at x = 0, for the experiments on strips. The clamp
 * holds one row of quads behind the end of the strip, and so the slope there, too (sim_bending.h). */
#ifndef VAL_STRIP_H
#define VAL_STRIP_H

#include <stdbool.h>

#include "sim_cloth.h"
#include "sim_mesh.h"

typedef struct val_strip {
  sim_mesh mesh;
  int n_tip;
  bool *clamped; /* per vertex: x <= 0 */
  bool *tip;     /* per vertex: x = length */
} val_strip;

/* A strip as a cloth without weight, with clamp and tip held, and room for the forces of its grips. Clear it
 * even after a failed init. */
typedef struct val_held {
  sim_cloth *cloth;
  bool *gripped;        /* per vertex */
  double (*force_N)[3]; /* per vertex */
} val_held;

/* Reads the name of a pattern: one of sim_pattern_text, or "regular" for equilateral. Error: CB_E_ARG. */
CB_CHECKED cb_status val_pattern_parse(const char *name, sim_pattern *out, cb_err *err);

#endif
