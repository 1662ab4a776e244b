/* One run's raw samples -> its friction point, with all that the reduction found. Forces in N; computed,
 * nothing is stored (lab_friction_reduce of lab_friction.h stores points). */
#ifndef LAB_POINT_H
#define LAB_POINT_H

#include <jansson.h>
#include <stdbool.h>

#include "cb_store.h"
#include "fit_cycle.h"
#include "fit_pull.h"

/* How a point came about. A record that goes to and fro is a cycle of strokes; all else is a pull. What was
 * read from a document knows of a pull only outcome and plateau, of a cycle only outcome, drifts, and the
 * strokes that have a window. */
typedef struct lab_point_detail {
  double normal_force_N; /* of the run; MIU and MMD are forces over it. 0 or NAN: not known */
  bool is_cycle;
  fit_pull pull;   /* unless is_cycle */
  fit_cycle cycle; /* if is_cycle; owned */
} lab_point_detail;

/* The force is known. */
bool lab_point_is_reduced(const lab_point_detail *d);
/* Mean coefficient of friction over the path, and its mean deviation (KES); of a cycle the means over its
 * strokes. NAN: not known. */
void lab_point_kes(const lab_point_detail *d, double *miu, double *mmd);

#endif
