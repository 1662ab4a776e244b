/* Cloth vertices against bodies within one implicit step: who is pressed, who holds, who slides.
 *
 * Every vertex has at most one contact that is kept exactly: the body it would enter deepest. Its unknown is the velocity v at the end of
 * the step, relative to the body w:
 *   apart    r = 0,                       n.w >= approach
 *   sliding  r.n = N >= 0, n.w = approach, r_t = -F_k(u, N) u,  u = w_t / |w_t|
 *   holding  r.n = N >= 0, n.w = approach, w_t = 0,             |r_t| <= F_s(r_t, N)
 * approach = -(gap - reach) / gamma: at the end of the step the vertex is as far from the surface as half of the cloth's thickness. Held
 * vertices have the body's own velocity: they do not creep. Sliding ones are linearised about their direction: Coulomb's force turns with
 * the velocity, and only across it, F/|w_t| (1 - u u^T).
 *
 * The states are found by an outer iteration of linear solves: solve, look at the reactions, change the states that are contradicted.
 * Only that one body acts on the vertex in the step: between two that close in on it, the nearer one wins from step to step. */
#ifndef SIM_CONTACT_H
#define SIM_CONTACT_H

#include "sim_body.h"
#include "sim_mesh.h"

typedef enum sim_hold { SIM_APART, SIM_SLIDES, SIM_HOLDS } sim_hold;

/* What a vertex knows of its contact from one step to the next. */
typedef struct sim_contact_memory {
  int body; /* -1: none */
  sim_hold hold;
  double normal_N;
} sim_contact_memory;

typedef struct sim_contact {
  int vertex, body;
  sim_hold hold;
  int flips; /* between holding and sliding in this step */
  double normal[3], velocity_m_per_s[3] /* that stays on its place on the body */, approach_m_per_s, gap_m;
  double body_m_per_s[3]; /* the body's velocity there; the same but in schemes that look further back than one step */
  double slack_m_per_s;   /* a vertex apart may miss its approach by so much: rounding does not make contacts */
  double to_cloth[2][3];  /* world direction in the tangent plane -> (warp, weft) */
  double area_m2;
  double inertia_kg_per_s; /* mass / gamma: the force that changes the velocity by 1 m/s within the step */
  double direction[3];     /* u of sliding; also from where friction is last known */
  double speed_m_per_s;
  double normal_N, friction_N, static_N;
  bool extrapolated;
} sim_contact;

/* A vertex apart that gets to the body with the velocity `next` takes hold, or slides where its velocity `now` runs along the surface.
 * Returns INFINITY then, else 0. */
double sim_contact_touch(sim_contact *c, const double next_m_per_s[3], const double now_m_per_s[3]);

/* r: force of the body on the vertex that the last solve needed to keep its constraint [N]; v: its velocity then. Whether it moved on the
 * body is a matter of its place, where friction points one of its velocity. Returns the force that the last solve had wrong [N]; INFINITY
 * where it let the vertex through. */
double sim_contact_update(sim_contact *c, const sim_friction *f, const double r_N[3], const double v_m_per_s[3]);

#endif
