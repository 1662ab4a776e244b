/* Reduction of one run's raw samples to its friction point, with all that the reduction found. Forces are in
 * N. Nothing is stored. docs/reference/traces.md has the method. */
#ifndef LAB_POINT_H
#define LAB_POINT_H

#include <jansson.h>
#include <stdbool.h>

#include "cb_store.h"
#include "fit_cycle.h"
#include "fit_pull.h"

/* Details of a point. A record that goes to and fro is a cycle of strokes; all others are pulls. Read from a
 * document, a pull has only outcome and plateau. A cycle then has only outcome, drifts, and the strokes with
 * a window. */
typedef struct lab_point_detail {
  double normal_force_N; /* of the run, for MIU and MMD; 0 or NAN: unknown */
  bool is_cycle;
  fit_pull pull;   /* valid unless is_cycle */
  fit_cycle cycle; /* valid if is_cycle; owned */
} lab_point_detail;

/* Reads what a point's method says of its pull: FIT_INVALID and FIT_DOUBTFUL with the codes of the faults
 * (fit_fault.h), separated by blanks, in words. */
fit_validity lab_point_validity(const cb_friction_point *p, char words[96]);
/* Returns whether the reduction found a force. */
bool lab_point_is_reduced(const lab_point_detail *d);
/* Returns the KES values MIU and MMD: the mean coefficient of friction over the path and its mean deviation.
 * Those of a cycle are means over its strokes. NAN: unknown. */
void lab_point_kes(const lab_point_detail *d, double *miu, double *mmd);

#endif
