/* Sled: a pull as in ASTM D1894, on a cloth. A square of 63.5 mm that carries 200 g is pulled over a plane
 * at 150 mm/min through a spring. The program's own reduction (fit_pull) reads first peak and plateau, and
 * must return the friction that was put in.
 *
 * Reference: the law itself at the load, per area. The block that carries the load pulls the whole patch. A
 * spring too stiff for the speed lets the peak overshoot: F_peak = F_k + ((F_s - F_k)^2 + V^2 k m)^(1/2)
 * without damping (docs/method/slide.md). The default spring is soft enough, and critically damped, so that
 * the sled does not stick again. */
#ifndef VAL_SLED_H
#define VAL_SLED_H

#include "cb_trace.h"
#include "fit_pull.h"
#include "sim_cloth.h"
#include "sim_sled.h"

typedef struct val_sled {
  sim_friction friction;
  sim_material material;
  double side_m, load_kg;
  double angle_rad; /* of the pull, from the warp */
  int vertices;     /* approximate number */
  double stiffness_N_per_m, damping_ratio;
  sim_profile profile; /* travel 0: three times the stretch of the spring at breakaway */
  double dt_s;
  sim_cloth_scheme scheme;
} val_sled;

typedef struct val_sled_result {
  int vertices;
  double normal_N;
  fit_pull pull; /* the reduction of the trace */
  double expected_static_N, expected_kinetic_N;
  double mu_static, mu_kinetic, expected_mu_static, expected_mu_kinetic;
  double static_error, kinetic_error; /* relative; static_error is NAN without a peak */
  bool peak_expected; /* static friction is so far above kinetic friction that the reduction must find a
                         peak */
  double across_m;    /* displacement of the sled across its line */
  int extrapolated;   /* contacts outside the loads at which the law was measured */
  bool agrees;        /* both errors are within VAL_SLED_TOLERANCE */
  double seconds;
  cb_trace trace; /* tension, and position of the stage, at the end of every step */
} val_sled_result;

#define VAL_SLED_TOLERANCE 2e-3

/* Returns mu_s = 0.35, mu_k = 0.3, about 400 vertices and steps of 2 ms. */
val_sled val_sled_default(void);
/* The caller clears *out with val_sled_result_clear. Errors: a number out of range, memory; not to agree is
 * none. */
CB_CHECKED cb_status val_sled_run(const val_sled *e, val_sled_result *out, cb_err *err);
void val_sled_result_clear(val_sled_result *r);

#endif
