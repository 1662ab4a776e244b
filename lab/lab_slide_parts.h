/* Shared by the files of a comparison, private to lab/: lab_slide_case.c reads, lab_slide_predict.c
 * simulates, lab_slide_judge.c compares, lab_slide_json.c writes and reads the verdict. */
#ifndef LAB_SLIDE_PARTS_H
#define LAB_SLIDE_PARTS_H

#include "lab_slide.h"

typedef struct lab_slide_prediction {
  double static_N, kinetic_N, breakaway_m; /* NAN: none */
} lab_slide_prediction;

extern const lab_slide_quantity lab_slide_not_compared;

/* Returns the combined scatter of repeats and placement, relative. */
double lab_slide_scatter_rel(const lab_slide_scatter *s);
/* Evaluates the law on the pull's contact area. The uncertainty of the calibration is left out if it
 * cancels. */
cb_friction_value lab_slide_law_value(const lab_slide_case *c, const cb_friction_law *law, double angle_rad,
                                      double normal_N);

/* Simulates the pull and reduces it like a measured one. u is the standard deviation over the draws. The
 * caller clears *trace. */
CB_CHECKED cb_status lab_slide_predict(const lab_slide_case *c, lab_slide_prediction *best,
                                       lab_slide_prediction *u, cb_trace *trace, cb_err *err);

#endif
