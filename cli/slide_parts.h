/* What the parts of a comparison share: slide_case.c reads, slide_predict.c simulates, slide_check.c compares. */
#ifndef SLIDE_PARTS_H
#define SLIDE_PARTS_H

#include "slide_check.h"

typedef struct slide_prediction {
  double static_N, kinetic_N, breakaway_m; /* NAN: it tells none */
} slide_prediction;

double slide_scatter_rel(const slide_scatter *s);
/* The law at the slide's own direction and load, on its area; without the calibration's part where that cancels. */
cb_friction_value slide_law_value(const slide_case *c, const cb_friction_law *law, double angle_rad, double normal_N);

/* Simulates the pull and reduces it as a measured one is; u: what the draws spread by. trace: caller clears. */
CB_CHECKED cb_status slide_predict(const slide_case *c, slide_prediction *best, slide_prediction *u, cb_trace *trace, cb_err *err);

#endif
