/* Cloth vertices against bodies within one implicit step: who is pressed, who holds, who slides.
 *
 * A contact is kept exactly. Its unknown is the velocity v of the vertex at the end of the step, relative to
 * the body w:
 *   apart    r = 0,                       n.w >= approach
 *   sliding  r.n = N >= 0, n.w = approach, r_t = -F_k(u, N) u,  u = w_t / |w_t|
 *   holding  r.n = N >= 0, n.w = approach, w_t = 0,             |r_t| <= F_s(r_t, N)
 * approach = -(gap - reach) / gamma: at the end of the step the vertex is as far from the surface as half of
 * the cloth's thickness. Held vertices have the body's own velocity: they do not creep. Sliding ones are
 * linearised about their direction: Coulomb's force turns with the velocity, and only across it, F/|w_t| (1 -
 * u u^T).
 *
 * A vertex has up to two contacts, with the two bodies that are nearest; a third waits for a later step. Two
 * that are pressed
 *   in a corner          both n.w = approach: free is the edge between the bodies alone. The reaction falls
 *                        into N_1 n_1 + N_2 n_2 + f
 * along the edge; friction across the edge cannot be told from the normal forces and is left to them pinched
 * between bodies that face each other (within 30 degrees) closer than the cloth is thick: the bodies win. The
 * vertex is in the middle between them, and both press with area x compression_Pa (thickness / gap - 1); what
 * else pushes it against one of them is borne by that one A force along the surface is shared by contacts
 * that both hold in proportion to what they can hold.
 *
 * The states are found by an outer iteration of linear solves: solve, look at the reactions, change the
 * states that are contradicted. */
#ifndef SIM_CONTACT_H
#define SIM_CONTACT_H

#include "sim_contacts.h"

typedef struct sim_contact {
  int vertex, body;
  sim_hold hold;
  int flips;    /* between holding and sliding in this step */
  bool pinched; /* so is the vertex's other contact */
  double normal[3], velocity_m_per_s[3] /* that stays on its place on the body */, approach_m_per_s, gap_m;
  double body_m_per_s[3]; /* the body's velocity there; the same but in schemes that look further back than
                             one step */
  double slack_m_per_s; /* a vertex apart may miss its approach by so much: rounding does not make contacts */
  double to_cloth[2][3]; /* world direction in the tangent plane -> (warp, weft) */
  double area_m2;
  double inertia_kg_per_s; /* mass / gamma: the force that changes the velocity by 1 m/s within the step */
  double direction[3];     /* u of sliding; also from where friction is last known */
  double speed_m_per_s;
  double squeeze_N;     /* pinched: what both bodies press with */
  double reaction_N[3]; /* of the body on the vertex in the last solve, without sliding friction */
  double normal_N, friction_N;
  double beside_N; /* friction of the vertex's other contact along this one's direction */
  bool extrapolated;
} sim_contact;

/* A vertex apart that gets to the body with the velocity `next` takes hold, or slides where its velocity
 * `now` runs along the surface. Returns INFINITY then, else 0. */
double sim_contact_touch(sim_contact *c, const double next_m_per_s[3], const double now_m_per_s[3]);
/* Presses from now on: holds, or slides where `now` runs along the surface. */
void sim_contact_press(sim_contact *c, const double now_m_per_s[3]);

/* r: force of the body on the vertex that the last solve needed to keep its constraint [N]; v: its velocity
 * then. Whether it moved on the body is a matter of its place, where friction points one of its velocity.
 * Returns the force that the last solve had wrong [N]; INFINITY where it let the vertex through. */
double sim_contact_update(sim_contact *c, const sim_friction *f, const double r_N[3],
                          const double v_m_per_s[3]);
/* The contact holds, but the body moves away under it along t (not 0): it slides. */
void sim_contact_drag(sim_contact *c, const sim_friction *f, const double t_m_per_s[3]);
/* What holds against a force along t (not 0), from the normal force on. */
double sim_contact_static_N(const sim_contact *c, const sim_friction *f, const double t[3]);

/* ---- the n contacts of one vertex, n = 1 or 2, which lie next to each other ---- */

static inline int sim_contacts_of_vertex(const sim_contact *k, int left) {
  return left > 1 && k[1].vertex == k[0].vertex ? 2 : 1;
}

/* Finds out whether two contacts pinch the vertex. thickness_m, compression_Pa: the cloth's; v: the vertex's
 * velocity. */
void sim_contact_pair_up(sim_contact k[2], double thickness_m, double compression_Pa, double gamma_s,
                         const double v_m_per_s[3]);
/* False: the vertex is free. */
bool sim_contact_constraint(const sim_contact *k, int n, sim_constraint *out);
/* What the constraint prescribes, into v. */
void sim_contact_prescribe(const sim_contact *k, int n, double v_m_per_s[3]);
/* sim_contact_update of all, the reaction shared out; returns the sum. f: per contact. */
double sim_contact_review_vertex(sim_contact *k, int n, const sim_friction *const *f, const double r_N[3],
                                 const double v_m_per_s[3]);

#endif
