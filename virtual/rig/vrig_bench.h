/* The physics of the virtual bench, in lockstep: a stage pulls a cart with the body sample over the cloth,
 * through a load cell and an eye with free play.
 *
 *   d = x_stage - x_cart;  F = k (d - slack) + c d' for d > slack, k (d + slack) + c d' for d < -slack, else
 * 0; F never has the wrong sign, as the eye cannot pull where it should push.
 *
 *   A line that rises by `pitch` towards the cell and leads `yaw` to the side (the cart runs in a guide)
 * pulls the cart with F cos pitch cos yaw along its way, and loads it with N = m g - F sin pitch.
 *
 *   At rest the cart stays exactly where it is while |F cos cos| <= F_s.
 *   Sliding, m a = F cos cos - sign(v) F_k(|v|).
 *
 *   F_s, F_k: cb_rig_truth_static, cb_rig_truth_kinetic for the present angle and this N, both times one
 * scatter factor 1 + repeat_sd_rel (p + r) / sqrt(2). p is drawn at every placement of cart or cloth, r at
 * every start of the stage.
 *
 *   What the surfaces have gone through multiplies both forces: backward by 1 + backward_excess; by (1 +
 * wear_per_run)^n after n runs in which the cart slid; by 1 + humidity_drift_per_h t; after the slide's
 * direction has turned by 1 + memory exp(-way / memory_way). Placing the cart wipes its memory. The static
 * force grows with the rest t since the cart stopped by 1 + dwell_log ln(1 + t / dwell_reference).
 *
 *   A mishap (vrig_mishap.h) changes friction, load, stage or reading for one pull. b->next happens to it. A
 * start of the stage is a pull if the link is slack, the stage goes beyond its free play, does not home, and
 * is slower than 0.99 stage.max_speed: hosts go there and back at that speed. On a bed that rises by x, m g
 * sin x pulls the cart back, and N = m g cos x.
 *
 *   A body with directions of its own (truth: body_rule) has q2 = 1 + body_cos2 cos 2 phi + body_sin2 sin 2
 * phi at its angle phi. The cloth has q1, its force over the mean M of those along warp and weft. F = M (q1 +
 * q2) / 2 or M sqrt(q1 q2).
 *
 * A step is at most 0.1 ms, and a whole number of steps makes a sample. Within a step the instants of
 * breakaway and of sticking are found, and the rest of the step continues from there. The slide is integrated
 * by the trapezoidal rule, which is stable for any stiffness and keeps the energy of a spring. F_k is taken
 * at the mean speed of the step, under the load at its beginning.
 *
 * The bench does not know wall time: the same commands at the same steps give the same bytes. SI units. */
#ifndef VRIG_BENCH_H
#define VRIG_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "cb_err.h"
#include "cb_rig.h"
#include "cb_rng.h"
#include "vrig_mishap.h"
#include "vrig_stage.h"

/* What the surfaces remember (cb_rig_truth). */
typedef struct vrig_past {
  double rests_since_s; /* the cart; while slip is 0 */
  unsigned long n_worn; /* runs in which the cart slid, before this one */
  bool slid;            /* in this one */
  int slid_towards;     /* direction of the last slide; 0: none since the cart was placed */
  bool turned;          /* the slide before that one went the other way */
  double since_turn_m;  /* way slid since */
} vrig_past;

typedef struct vrig_bench {
  const cb_rig *rig; /* borrowed */
  vrig_stage stage;
  uint64_t step; /* steps done; rig time is step * step_s */
  double step_s;
  uint64_t steps_per_sample;
  double angle_rad, body_angle_rad;
  double surfaces; /* friction of both surfaces over that of the cloth; 1: the body has no directions */
  double mass_kg;  /* cart, body sample and added mass */
  double hung_N;   /* force of dead weights on the load cell, beside the link */
  double cart_m, cart_m_per_s;
  int slip;              /* 0: the cart sticks; +1, -1: direction of sliding */
  double extra_N;        /* further force on the load cell, from a fault */
  bool stage_moved;      /* at the end of the last step */
  double placement, run; /* the present draws, standard normal */
  vrig_past past;
  vrig_course course; /* of the mishap that happens now */
  double zero_N;      /* where mishaps have left the zero */
  vrig_mishap next;   /* of the next pull */
  bool armed;         /* the next start of the stage is a pull, whatever its way and speed */
  unsigned long n_pulls;
  cb_rng noise, placements, pulls;
  uint64_t n_placed;
} vrig_bench;

/* Sets the bench up: stage at start_m, cart without added mass, angle 0, link slack and centred. The rig must
 * outlive the bench.
 * CB_E_RANGE: the truth has more kinetic friction near rest (Stribeck, logarithm) than static friction, so
 * that no cart could break away. */
CB_CHECKED cb_status vrig_bench_init(vrig_bench *b, const cb_rig *rig, cb_err *err);

/* Says what goes wrong from now on: in the readings at once, otherwise from the next start of the stage,
 * which is taken for a pull. What is wrong with the readings lasts until the stage starts once more; a zero
 * that went stays where it is. Other mishaps last until the stage starts with a slack link, or the cart is
 * placed anew. */
void vrig_bench_suffer(vrig_bench *b, const vrig_mishap *m);

double vrig_bench_time_s(const vrig_bench *b); /* rig seconds since init */
void vrig_bench_step(vrig_bench *b);           /* advances by step_s */

/* Actions of the operator. Each puts the cart back, link slack and centred.
 * CB_E_DEVICE: the stage is moving. */
CB_CHECKED cb_status vrig_bench_turn_sample(vrig_bench *b, double angle_rad, cb_err *err);
CB_CHECKED cb_status vrig_bench_turn_body(vrig_bench *b, double angle_rad, cb_err *err);
CB_CHECKED cb_status vrig_bench_load_cart(vrig_bench *b, double added_mass_kg, cb_err *err);

/* Hangs dead weights on the load cell, in the bench's air of 1.2 kg/m3; 0 removes them. By the definition of
 * the conventional mass (OIML D 28) they pull like weights of 8000 kg/m3 of any metal.
 * CB_E_DEVICE: the stage is moving. */
CB_CHECKED cb_status vrig_bench_hang_weight(vrig_bench *b, double conventional_mass_kg, cb_err *err);

/* Returns the force on the load cell now [N], positive if the stage pulls forward. */
double vrig_bench_force_N(const vrig_bench *b);

/* Returns the reading now [force.unit]: (F + extra) / slope + zero + drift t + noise, limited to twice
 * overload_N and rounded to the quantum. *saturated: the limit was reached. Each call draws from the noise:
 * one call per sample. */
double vrig_bench_reading(vrig_bench *b, bool *saturated);

/* Return the true forces without scatter and mishap [N], for the present angles and load under a level line,
 * if the cart were now pulled in a direction, +1 or -1: with the dwell, wear, humidity and memory of now. */
double vrig_bench_true_static_N(const vrig_bench *b, int direction);
double vrig_bench_true_kinetic_N(const vrig_bench *b, int direction, double speed_m_per_s);

#endif
