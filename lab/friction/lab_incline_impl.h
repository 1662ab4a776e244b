/* The steps of lab_incline_judge, private to lab/. */
#ifndef LAB_INCLINE_IMPL_H
#define LAB_INCLINE_IMPL_H

#include "lab_incline.h"

/* One run with all that its comparison needs. */
typedef struct lab_incline_case {
  cb_run run;
  cb_friction_point point; /* static force: a release; else the kinetic force of a slide */
  cb_friction_law law;     /* static for a release, kinetic for a slide */
  lab_slide_scatter scatter;
  cb_series distance_m; /* of a slide over time; empty: only its acceleration is known; owned */
} lab_incline_case;

/* Compares prediction and measurement of a case. */
CB_CHECKED cb_status lab_incline_compare(const lab_incline_case *c, lab_incline_verdict *out, cb_err *err);

/* Returns the angle [rad] at which m g sin a = level F(direction, m g cos a), F the law on its own area; NAN:
 * adhesion holds the sled on every slope. */
double lab_incline_release_rad(const cb_friction_law *law, double direction_rad, double mass_kg,
                               double level);

#endif
