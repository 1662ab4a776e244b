/* A pull as ASTM D1894 has it, on a cloth: a square of 63.5 mm that carries 200 g is pulled over a plane at
 * 150 mm/min through a spring; the first peak and the plateau of the record, read by the program's own
 * reduction (fit_pull), give back the friction that went in.
 *
 * Reference: the law itself at the load, per area. The block that carries the load pulls the whole patch. A
 * spring that is too stiff for the speed lets the peak overshoot, F_peak = F_k + ((F_s - F_k)^2 + V^2 k
 * m)^(1/2) without damping (docs/slide.md): the default spring is as soft as that asks for, and critically
 * damped, so that the sled does not stick again. */
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
  int vertices;     /* about */
  double stiffness_N_per_m, damping_ratio;
  sim_profile profile; /* travel 0: three times what the spring stretches until the sled breaks away */
  double dt_s;
  sim_cloth_scheme scheme;
} val_sled;

typedef struct val_sled_result {
  int vertices;
  double normal_N;
  fit_pull pull; /* what the reduction made of the trace */
  double expected_static_N, expected_kinetic_N;
  double mu_static, mu_kinetic, expected_mu_static, expected_mu_kinetic;
  double static_error, kinetic_error; /* relative; static NAN where no peak stands out */
  bool peak_expected; /* the static friction is so far above the kinetic one that the reduction can tell a
                         peak */
  double across_m;    /* how far the sled went off its line */
  int extrapolated;   /* contacts lighter or heavier than the law was measured */
  bool agrees;        /* both within VAL_SLED_TOLERANCE */
  double seconds;
  cb_trace trace; /* tension and way of the stage, a sample at the end of every step */
} val_sled_result;

#define VAL_SLED_TOLERANCE 2e-3

/* mu_s = 0.35, mu_k = 0.3; about 400 vertices, 2 ms. */
val_sled val_sled_default(void);
/* Caller clears the result. */
CB_CHECKED cb_status val_sled_run(const val_sled *e, val_sled_result *out, cb_err *err);
void val_sled_result_clear(val_sled_result *r);

#endif
